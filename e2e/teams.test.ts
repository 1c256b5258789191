import { TEAM_HEADER } from '#contract/constants.ts';
import { rowOf, rows } from './inbox-page.ts';
import { expect, test, untilLive } from './journey.ts';
import { listedName, type Person } from './people.ts';

test('a team of another organization neither sees nor reaches a team’s pings', async ({ scene, open, complaints }) => {
  complaints.expect(/status of 404 .*\/api\/patients\//);
  const [ann] = scene.people as [Person];
  const other = await scene.make.organization({ name: `Elsewhere ${scene.team.name}` });
  const group = await scene.make.group({ organizationId: other.id, name: `Elsewhere group ${scene.team.name}` });
  const team = await scene.make.team({ organizationId: other.id, groupIds: [group.id], name: 'Elsewhere' });
  const otherUser = await scene.make.user({ team, username: `ida.${scene.team.id}@elsewhere.example` });

  const stranger = await open(otherUser);
  await untilLive(stranger);
  const page = await open(await scene.user('care coordinator'));
  await untilLive(page);
  await scene.hospital.send('A01', ann);
  await expect(rowOf(page, ann)).toBeVisible();
  const patientId = (await rowOf(page, ann).getAttribute('id'))?.slice('ping-'.length) ?? '';
  expect(patientId).toMatch(/^\d+_\d+$/);
  await expect(stranger.getByText('No patients yet.')).toBeVisible();
  await expect(rows(stranger)).toHaveCount(0);

  const ask = (teamId: string, id: string) =>
    stranger.request.get(`/api/patients/${id}`, { headers: { [TEAM_HEADER]: teamId } });
  const answer = await ask(team.id, patientId);
  expect(answer.status()).toBe(404);
  const unknown = await ask(team.id, '999999999_999999999');
  expect(unknown.status()).toBe(404);
  const { requestId: _, ...body } = (await answer.json()) as Record<string, unknown>;
  expect(await unknown.json()).toMatchObject(body);
  expect((await ask(scene.team.id, patientId)).status()).toBe(403);

  await stranger.goto(`/dashboard/home/inbox?sel=${patientId}`);
  await expect(stranger.getByText('Patient not found')).toBeVisible();
  await expect(stranger.getByText(listedName(ann))).toHaveCount(0);
});

test('a user of two teams sees the pings of the selected one, which is kept', async ({ scene, open }) => {
  const [ann] = scene.people as [Person];
  const { organizationId } = scene.team;
  const group = await scene.make.group({ organizationId, name: `Hillside group ${scene.team.name}` });
  const second = await scene.make.team({ organizationId, groupIds: [group.id], name: `Hillside ${scene.team.name}` });
  const user = await scene.user('care coordinator', { defaultTeamId: scene.team.id });
  await scene.grant(user, second.id, 'care coordinator');
  await scene.hospital.send('A01', ann);

  const page = await open(user);
  await expect(rowOf(page, ann)).toBeVisible();
  await page.getByRole('button', { name: `Team ${scene.team.name}. Switch team` }).click();
  await page.getByRole('menuitemradio', { name: second.name }).click();
  await expect(page.getByText('No patients yet.')).toBeVisible();
  await page.reload();
  await expect(page.getByRole('button', { name: `Team ${second.name}. Switch team` })).toBeVisible();
  await untilLive(page);
  await expect(rows(page)).toHaveCount(0);
  // A new tab opens with the team that was saved, and a switch there is none here.
  const tab = await page.context().newPage();
  await tab.goto(page.url());
  await tab.getByRole('button', { name: `Team ${second.name}. Switch team` }).click();
  await tab.getByRole('menuitemradio', { name: new RegExp(`^${scene.team.name} ·`) }).click();
  await expect(rowOf(tab, ann)).toBeVisible();
  await tab.close();
  await page.reload();
  await untilLive(page);
  await expect(rows(page)).toHaveCount(0);
  await page.getByRole('button', { name: `Team ${second.name}. Switch team` }).click();
  await page.getByRole('menuitemradio', { name: new RegExp(`^${scene.team.name} ·`) }).click();
  await expect(rowOf(page, ann)).toBeVisible();
});
