import { ccda } from '#server/testing/documents.ts';
import { expectAccessible } from './accessible.ts';
import { described } from './hospital.ts';
import { detail, rowOf, untilListed } from './inbox-page.ts';
import { expect, test } from './journey.ts';
import type { Person } from './people.ts';

test.slow();

const DAY = 86_400_000;

test('a coordinator asks a facility by mail, someone there answers without an account, and the ping says who reported it', async ({
  scene,
  open,
  browser,
  complaints,
}) => {
  const [ann] = scene.people as [Person];
  const admittedAt = new Date(Date.now() - 3 * DAY);
  await scene.hospital.send('A01', ann, { at: admittedAt });
  const page = await open(await scene.user('care coordinator'));
  await untilListed(page, [ann]);
  await rowOf(page, ann).click();
  await detail(page).getByRole('button', { name: 'Ask the facility' }).click();
  const form = page.getByRole('dialog', { name: 'Ask the facility' });
  await expect(form.getByText(ann.family)).toBeVisible();
  const recipient = `records.${scene.team.id}@odile.example`;
  await form.getByLabel('Email address at the facility').fill(recipient);
  await expectAccessible(page, 'the form of a link');
  await form.getByRole('button', { name: 'Send link' }).click();
  await expect(form).toHaveCount(0);
  await expect(detail(page).getByText('Not opened yet')).toBeVisible();
  await expectAccessible(page, 'the links of a stay');
  await expect(detail(page).getByText('No discharges in the last 60 days.')).toBeVisible();

  // Someone at the hospital, in a browser that has never been here.
  const context = await browser.newContext();
  complaints.watch(context);
  complaints.expect(/status of 403 .*\/api\/facility-links\/open$/);
  complaints.expect(/status of 404 .*\/api\/facility-links\/open$/);
  const nurse = await context.newPage();
  const asked: string[] = [];
  nurse.on('request', (request) => asked.push(`${request.url()} ${request.headers()['referer'] ?? ''}`));
  await nurse.goto('/demo/mailbox');
  const mail = nurse.getByRole('listitem').filter({ hasText: recipient });
  await expect(mail).toContainText('asks you to confirm a discharge');
  for (const secret of [ann.family, ann.given, ann.birthDate, scene.hospital.name])
    await expect(mail).not.toContainText(secret);
  const link = (await mail.innerText()).match(/\S+\/facility-link#([\w-]{43})/);
  await nurse.goto(link?.[0] ?? '');
  const birthDate = nurse.getByLabel("Patient's date of birth");
  await expect(birthDate).toBeFocused();
  await expect(nurse).toHaveURL(/\/facility-link$/);
  await expectAccessible(nurse, 'the birth date of a link');
  await birthDate.fill('01/02/1903');
  await nurse.getByRole('button', { name: 'Continue' }).click();
  await expect(nurse.getByText('You have 2 tries left.')).toBeVisible();
  await expect(nurse.getByText(ann.family)).toHaveCount(0);
  const [year, month, day] = ann.birthDate.split('-');
  await birthDate.fill(`${Number(month)}/${Number(day)}/${year}`);
  await nurse.getByRole('button', { name: 'Continue' }).click();
  await expect(nurse.getByText(ann.family)).toBeVisible();
  await nurse.getByLabel('No, discharged or died').check();
  await nurse.getByLabel('Date', { exact: true }).fill(new Date(Date.now() - DAY).toISOString().slice(0, 10));
  await nurse.getByLabel('Went to').selectOption('Home with home health');
  await nurse.getByLabel('Your name').fill('Ana Ruiz');
  await nurse.getByLabel('Phone for questions').fill('585-555-0177');
  await expectAccessible(nurse, 'the question of a link');
  await nurse.getByRole('button', { name: 'Send answer' }).click();
  await expect(nurse.getByText('Your answer was sent. You can close this page.')).toBeVisible();
  await expectAccessible(nurse, 'an answered link');
  expect(asked.filter((each) => each.includes(link?.[1] ?? 'no token'))).toEqual([]);
  expect((await context.cookies()).map(({ name }) => name)).toEqual([]);

  const row = rowOf(page, ann);
  await expect(row).toContainText('Discharged');
  await expect(detail(page).getByRole('list', { name: 'Transitional care management' })).toBeVisible();
  await expect(
    detail(page).getByText(/Reported by link of Lakeside Care \w+, by “Ana Ruiz” \(not verified\), \d\d\/\d\d\/\d{4}/),
  ).toBeVisible();
  await expect(detail(page).getByText(/Reported by Ana Ruiz, 585-555-0177/)).toBeVisible();
  await expectAccessible(page, 'the answer of a link');

  await nurse.goto('about:blank');
  await nurse.goto(link?.[0] ?? '');
  await nurse.getByLabel("Patient's date of birth").fill(`${month}/${day}/${year}`);
  await nurse.getByRole('button', { name: 'Continue' }).click();
  await expect(nurse.getByText('Ask the person who sent it for a new one.')).toBeVisible();

  await detail(page)
    .getByRole('button', { name: /^Take back: link of/ })
    .click();
  await page.getByRole('dialog').getByRole('button', { name: 'Take back' }).click();
  await expect(detail(page).getByText('Answer taken back')).toBeVisible();
  await context.close();
});

test('someone at a facility uploads a discharge summary, and the team reads it with who uploaded it', async ({
  scene,
  open,
  browser,
  complaints,
}) => {
  const [, bob] = scene.people as [Person, Person];
  await scene.hospital.send('A01', bob, { at: new Date(Date.now() - 3 * DAY) });
  await scene.hospital.send('A03', bob, { at: new Date(Date.now() - DAY), disposition: '01' });
  const page = await open(await scene.user('clinician', { added: ['canManagePings'] }));
  await untilListed(page, [bob]);
  await rowOf(page, bob).click();
  await detail(page).getByRole('button', { name: 'Ask the facility' }).click();
  const form = page.getByRole('dialog', { name: 'Ask the facility' });
  // The discharge is known, so only the summary can be asked for.
  await expect(form.getByLabel('Question').getByRole('option')).toHaveText(['Upload the discharge summary']);
  await form.getByLabel("I'll copy it and send it myself").check();
  await form.getByRole('button', { name: 'Create link' }).click();
  const url = await form.getByText(/facility-link#/).innerText();
  await form.getByRole('button', { name: 'Close' }).last().click();
  await expect(detail(page).getByText('Not opened yet')).toBeVisible();

  const context = await browser.newContext();
  complaints.watch(context);
  complaints.expect(/status of 400 .*\/api\/facility-links\/upload$/);
  const nurse = await context.newPage();
  await nurse.goto(url);
  await expect(nurse.getByRole('heading', { name: 'A question from a care team' })).toBeVisible();
  for (const secret of [bob.family, scene.hospital.name]) await expect(nurse.getByText(secret)).toHaveCount(0);
  const [year, month, day] = bob.birthDate.split('-');
  await nurse.getByLabel("Patient's date of birth").fill(`${month}/${day}/${year}`);
  await nurse.getByRole('button', { name: 'Continue' }).click();
  await expect(nurse.getByRole('heading', { name: 'Upload a discharge summary' })).toBeVisible();
  await nurse.getByLabel('Your name').fill('Ana Ruiz');
  await nurse.getByLabel('Phone for questions').fill('585-555-0177');
  const choose = (name: string, content: string) =>
    nurse
      .locator('input[type="file"]')
      .setInputFiles({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(content) });
  const send = nurse.getByRole('button', { name: 'Send file' });
  await send.click();
  await expect(nurse.getByText('Choose a file.')).toBeVisible();
  await expectAccessible(nurse, 'an upload without a file');
  await choose('summary.docx', 'PK\u0003\u0004');
  await send.click();
  await expect(nurse.getByText(/not a C-CDA document, PDF, RTF, PNG, JPEG or GIF/)).toBeVisible();
  const about = (person: Person): string =>
    ccda({
      record: 'X',
      person: described(person),
      type: '18842-5',
      title: 'Discharge summary',
      medications: ['Furosemide 40 mg'],
    });
  await choose('other.xml', about(scene.people[2] as Person));
  await send.click();
  await expect(nurse.getByText(/about another patient than the link/)).toBeVisible();
  await expectAccessible(nurse, 'a file that is refused');
  await choose('summary.xml', about(bob));
  await send.click();
  await expect(nurse.getByText('The file was sent. You can close this page.')).toBeVisible();
  await expect(nurse.getByText(bob.family)).toHaveCount(0);
  await expectAccessible(nurse, 'a file that was sent');

  await page.reload();
  await expect(detail(page).getByText(/Discharge summary uploaded \(Clinical document, \d+\skB\)/)).toBeVisible();
  await expectAccessible(page, 'an upload among the links of a stay');
  const id = new URL(page.url()).searchParams.get('sel') ?? '';
  await page.goto(`/dashboard/patients/${id}/case-management`);
  const summaries = page.getByRole('region', { name: 'Discharge summaries' });
  await expect(
    summaries.getByText(/Uploaded by link of Lakeside Care \w+, by “Ana Ruiz” \(not verified\)/),
  ).toBeVisible();
  await summaries.getByRole('link', { name: 'Discharge summary' }).click();
  const article = page.getByRole('article', { name: 'Discharge summary' });
  await expect(
    article.getByText(/Uploaded by link of Lakeside Care \w+, by “Ana Ruiz” \(not verified\)/),
  ).toBeVisible();
  await expect(article.getByRole('cell', { name: 'Furosemide 40 mg' })).toBeVisible();
  await expectAccessible(page, 'an uploaded discharge summary');
  await context.close();
});
