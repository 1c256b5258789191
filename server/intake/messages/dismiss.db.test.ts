import { expect, test } from 'vitest';
import { signIn } from '#server/testing/app.ts';
import { admission, feedOffice, maren, refusedWith } from '#server/testing/feed-office.ts';

const { app, hosp, home, away, audited, listMessages } = await feedOffice();
const { make, database } = app;

let count = 0;
/** Sends an admission without a record number. */
const quarantined = () => {
  count += 1;
  return hosp.send(admission({ record: '0000', visit: `DV-${count}`, person: maren }));
};
const dismiss = (
  id: string,
  body: { cause: 'TEST' | 'RESENT' | 'NOT_OURS' | 'OTHER'; note?: string },
  client = home.admin,
) => client.call('POST /api/feeds/messages/:id/dismiss', { params: { id }, body });
const undismiss = (id: string, client = home.admin) =>
  client.call('POST /api/feeds/messages/:id/undismiss', { params: { id } });

test('a dismissed message says why, leaves the quarantine, and is not replayed with its feed', async () => {
  const id = await quarantined();
  const before = await hosp.message(id);
  expect(before.status).toBe('QUARANTINED');
  const answer = await dismiss(id, { cause: 'TEST', note: 'Go-live test of the new wing' });
  expect(answer).toMatchObject({
    status: 'NOT_ACTED_ON',
    reason: `Dismissed: Test message or test patient (was in quarantine: ${before.reason})`,
    dismissal: { cause: 'TEST', note: 'Go-live test of the new wing', dismissedBy: expect.stringMatching(/\w/) },
  });
  const listed = (await listMessages(home.admin)).messages.find((message) => message.id === id);
  expect(listed?.dismissal).toEqual(answer.dismissal);
  expect((await home.admin.call('GET /api/feeds', {}))[0]?.quarantined).toBe(0);
  await home.admin.call('POST /api/feeds/:id/replay', { params: { id: home.feedId } });
  expect((await hosp.message(id)).status).toBe('NOT_ACTED_ON');
  expect(await audited('message.dismiss')).toEqual([id]);

  expect(await undismiss(id)).toMatchObject({ status: 'QUARANTINED', reason: before.reason, dismissal: null });
  expect(await audited('message.undismiss')).toEqual([id]);
  expect(await refusedWith(undismiss(id))).toEqual([400, 'BAD_REQUEST']);
});

test('a replay ends the dismissal', async () => {
  const id = await quarantined();
  await dismiss(id, { cause: 'NOT_OURS' });
  const replayed = await home.admin.call('POST /api/feeds/messages/:id/replay', { params: { id } });
  expect(replayed).toMatchObject({ status: 'QUARANTINED', dismissal: null });
  expect(await refusedWith(undismiss(id))).toEqual([400, 'BAD_REQUEST']);
  expect(await dismiss(id, { cause: 'NOT_OURS' })).toMatchObject({ status: 'NOT_ACTED_ON' });
});

test('only a quarantined message is dismissed, and another reason is written', async () => {
  const applied = await hosp.send(admission({ record: 'A-1', visit: 'AV-1' }));
  expect(await refusedWith(dismiss(applied, { cause: 'TEST' }))).toEqual([400, 'BAD_REQUEST']);
  const id = await quarantined();
  expect(await refusedWith(dismiss(id, { cause: 'OTHER' }))).toEqual([400, 'BAD_REQUEST']);
  expect(await refusedWith(dismiss(id, { cause: 'OTHER', note: 'x'.repeat(201) }))).toEqual([400, 'BAD_REQUEST']);
  await dismiss(id, { cause: 'OTHER', note: 'Closed ward' });
  expect(await refusedWith(dismiss(id, { cause: 'TEST' }))).toEqual([400, 'BAD_REQUEST']);
});

test('two people dismiss a message once', async () => {
  const id = await quarantined();
  const both = await Promise.allSettled([dismiss(id, { cause: 'TEST' }), dismiss(id, { cause: 'RESENT' })]);
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
});

test('messages of other organizations are not found, and coordinators dismiss none', async () => {
  const id = await quarantined();
  expect(await refusedWith(dismiss(id, { cause: 'TEST' }, away.admin))).toEqual([404, 'NOT_FOUND']);
  expect(await refusedWith(undismiss(id, away.admin))).toEqual([404, 'NOT_FOUND']);
  const coordinator = await signIn(app, (await make.user({ team: home.team, role: 'care coordinator' })).username);
  expect(await refusedWith(dismiss(id, { cause: 'TEST' }, coordinator))).toEqual([403, 'NOT_PERMITTED']);
  expect((await hosp.message(id)).status).toBe('QUARANTINED');
});

test('the patient is named to those who may see the patients of the facility, and the list is audited as about them', async () => {
  const id = await hosp.send(admission({ record: 'P-1', visit: 'PV-1' }));
  const named = async (client = home.admin) =>
    (await listMessages(client)).messages.find((message) => message.id === id)?.patient;
  expect(await named()).toEqual({ id: expect.stringMatching(/^\d+_\d+$/), name: 'Thistlewood, Maren' });
  const { rows } = await database.pipeline.query<{ patients: string[] }>(
    `select patient_ids::text[] as patients from audit_entries where action = 'message.list' order by id desc limit 1`,
  );
  expect(rows[0]?.patients).toContain((await named())?.id.split('_')[0]);

  const blind = await make.user({ team: home.team, role: 'administrator', removed: ['canViewPatients'] });
  expect(await named(await signIn(app, blind.username))).toBe(null);
});
