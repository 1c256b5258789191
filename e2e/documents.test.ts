import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { TEAM_HEADER } from '#contract/constants.ts';
import { sql } from '#server/platform/database/sql.ts';
import { ccda } from '#server/testing/documents.ts';
import { expectAccessible } from './accessible.ts';
import { described } from './hospital.ts';
import { detail, rowOf, untilListed } from './inbox-page.ts';
import { expect, test } from './journey.ts';
import type { Person } from './people.ts';
import type { Scene } from './scene.ts';

test.slow();

const DAY = 86_400_000;
const sectionOf = (code: string, title: string, text: string, entries = ''): string =>
  `<component><section><code code="${code}" codeSystem="2.16.840.1.113883.6.1"/><title>${title}</title><text>${text}</text>${entries}</section></component>`;
const ALLERGY = `<entry><act classCode="ACT" moodCode="EVN"><statusCode code="active"/><entryRelationship typeCode="SUBJ">
  <observation classCode="OBS" moodCode="EVN"><code code="ASSERTION"/><value xsi:type="CD" code="419199007" displayName="Allergy to substance"/>
  <participant typeCode="CSM"><participantRole><playingEntity><code code="7980" codeSystem="2.16.840.1.113883.6.88" displayName="Penicillin G"/></playingEntity></participantRole></participant>
  </observation></entryRelationship></act></entry>`;
const RESULT = `<entry><organizer classCode="BATTERY" moodCode="EVN"><code code="58410-2" displayName="Blood count"/><statusCode code="completed"/><component>
  <observation classCode="OBS" moodCode="EVN"><code code="718-7" displayName="Hemoglobin"/><statusCode code="completed"/><effectiveTime value="202611200600"/>
  <value xsi:type="PQ" value="9.1" unit="g/dL"/><interpretationCode code="L"/></observation></component></organizer></entry>`;
const SECTIONS = [
  sectionOf(
    '30954-2',
    'Results',
    '<table><thead><tr><th>Test</th><th>Result</th></tr></thead><tbody><tr><td>Hemoglobin</td><td>9.1 g/dL</td></tr></tbody></table>',
    RESULT,
  ),
  sectionOf('48765-2', 'Allergies', '<paragraph>Penicillin: hives &lt;b&gt;severe&lt;/b&gt;</paragraph>', ALLERGY),
  sectionOf('8648-8', 'Hospital course', '<paragraph>Diuresed. Home with home health.</paragraph>'),
].join('\n');

/** Sends two summaries of care, the newer with other medications, and a discharge summary, and waits until the patient has them. */
async function sendAll({ hospital }: Scene, person: Person, arrived: () => Promise<number>): Promise<void> {
  const of = { record: person.recordNumber, person: described(person), sections: SECTIONS };
  const old = ccda({ ...of, writtenAt: '202611100900', medications: ['Furosemide 20 mg', 'Lisinopril 10 mg'] });
  const next = ccda({ ...of, writtenAt: '202611200900', medications: ['Furosemide 20 mg', 'Metoprolol 25 mg'] });
  const summary = ccda({
    ...of,
    type: '18842-5',
    title: 'Discharge summary',
    writtenAt: '202611201000',
    medications: [],
  });
  for (const [content, type] of [
    [old, 'CN^Consultation'],
    [next, 'CN^Consultation'],
    [summary, 'DS^Discharge summary'],
  ] as const)
    await hospital.sendDocument('T02', person, { content, type });
  await expect.poll(arrived).toBe(3);
}

const reader = (page: Page, name: string) => page.getByRole('article', { name });

test('a hospital sends documents, and a coordinator reads them from the ping, the story and case management', async ({
  scene,
  open,
  db,
}) => {
  const [ann] = scene.people as [Person];
  await scene.hospital.send('A01', ann, { at: new Date(Date.now() - 3 * DAY) });
  const stored = async (): Promise<number> =>
    (await db.query(sql`select from documents where group_id = ${scene.hospital.groupId} and person_id is not null`))
      .rowCount;
  await sendAll(scene, ann, stored);
  const user = await scene.user('clinician');
  const page = await open(user);
  await untilListed(page, [ann]);
  await rowOf(page, ann).click();

  // Beside the ping: the two newest, and no discharge summary.
  await expect(detail(page).getByRole('heading', { name: 'Documents' })).toBeVisible();
  await expect(detail(page).getByRole('link', { name: 'Summary of care' })).toHaveCount(2);
  await expect(detail(page).getByRole('link', { name: 'Discharge summary' })).toHaveCount(0);
  await expectAccessible(page, 'documents beside a ping');
  await detail(page).getByRole('link', { name: 'Summary of care' }).first().click();
  const article = reader(page, 'Summary of care');
  await expect(article).toBeVisible();
  await expect(page).toHaveTitle(/^Document/);

  // Allergies and medications first; what is coded apart from what is written; nothing of the markup is markup.
  await expect(article.getByRole('heading', { level: 3 })).toHaveText([
    'What changed in the medication list',
    'Allergies',
    'Medications',
    'Results',
    'Hospital course',
  ]);
  const changes = article.getByRole('region', { name: 'What changed in the medication list' });
  await expect(changes).toContainText('New in this document (1)');
  await expect(changes).toContainText('Metoprolol 25 mg');
  await expect(changes).toContainText('No longer listed (1)');
  await expect(changes).toContainText('Lisinopril 10 mg');
  const allergies = article.getByRole('region', { name: 'Allergies', exact: true });
  await expect(allergies.getByRole('cell', { name: 'Penicillin G' })).toBeVisible();
  await expect(allergies).toContainText('<b>severe</b>');
  await expect(article.getByRole('region', { name: 'Results', exact: true })).toContainText('9.1 g/dL Low');
  await expect(article.getByText(/Not in this document: Problems, Vital signs, Plan of treatment\./)).toBeVisible();
  await expectAccessible(page, 'a clinical document');

  // By keyboard: the outline leads to a section, a search to what it finds.
  const outline = page.getByRole('navigation', { name: 'Sections' });
  await outline.getByRole('link', { name: 'Hospital course' }).focus();
  await page.keyboard.press('Enter');
  await expect(article.getByRole('region', { name: 'Hospital course' })).toBeInViewport();
  await page.getByRole('searchbox', { name: 'Search this document' }).fill('hemo');
  await expect(page.getByText(/^2 matches in 1 section\b/)).toBeVisible();
  await expect(outline.getByRole('link')).toHaveText(['Results']);
  await expect(article.locator('mark').first()).toHaveText('Hemo');
  await expectAccessible(page, 'a search in a document');
  await page.getByRole('searchbox', { name: 'Search this document' }).fill('furosemid');
  await expect(outline.getByRole('link')).toHaveText(['Medications']);
  await page.getByRole('searchbox', { name: 'Search this document' }).fill('zzz');
  await expect(page.getByText('No matches. Try fewer letters.')).toBeVisible();
  await page.getByRole('searchbox', { name: 'Search this document' }).fill('');

  // On paper: the whole document and whose it is, without controls.
  await page.emulateMedia({ media: 'print' });
  await expect(article.getByText('Contains protected health information.', { exact: false })).toBeVisible();
  await expect(outline).toBeHidden();
  await expect(page.getByText(ann.family.toUpperCase(), { exact: false }).first()).toBeVisible();
  await page.emulateMedia({ media: 'screen' });

  // The story has the same, attachments all but the summary, and case management the summary.
  await page.getByRole('navigation', { name: 'Patient' }).getByRole('link', { name: 'Story' }).click();
  await expect(page.getByRole('link', { name: 'Summary of care' })).toHaveCount(2);
  await page.getByRole('navigation', { name: 'Patient' }).getByRole('link', { name: 'Attachments' }).click();
  await expect(page.getByRole('region', { name: 'Documents' }).getByRole('link')).toHaveCount(2);
  await expectAccessible(page, 'attachments');
  await page.getByText('1 discharge summary is under').getByRole('link', { name: 'Case management' }).click();
  const summaries = page.getByRole('region', { name: 'Discharge summaries' });
  await summaries.getByRole('button', { name: 'Read here' }).click();
  const frame = page.frameLocator('iframe[title="Discharge summary"]');
  await expect(frame.getByRole('heading', { name: 'Discharge summary' })).toBeVisible();
  await expect(frame.getByText('Penicillin: hives <b>severe</b>')).toBeVisible();
  await summaries.getByRole('button', { name: 'Hide' }).click();
  await expectAccessible(page, 'discharge summaries');
  await summaries.getByRole('link', { name: 'Discharge summary' }).click();
  await expect(reader(page, 'Discharge summary')).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(page.getByText('Discharge summaries are not shown on a phone')).toBeVisible();
  await page.setViewportSize({ width: 1440, height: 900 });

  // Each opening is on record, with the document.
  const { rows } = await db.query<{ action: string; count: number }>(sql`
    select action, count(*)::int from audit_entries
    where user_id = ${user.id} and action in ('document.view', 'discharge-summary.view') group by action order by action`);
  expect(rows).toEqual([
    { action: 'discharge-summary.view', count: 1 },
    { action: 'document.view', count: 2 },
  ]);
});

test('without canViewCcds there are no documents anywhere, and none by their address', async ({
  scene,
  open,
  db,
  complaints,
}) => {
  const [, bob] = scene.people as [Person, Person];
  await scene.hospital.send('A01', bob);
  const stored = async (): Promise<number> =>
    (await db.query(sql`select from documents where group_id = ${scene.hospital.groupId} and person_id is not null`))
      .rowCount;
  await sendAll(scene, bob, stored);
  const { rows } = await db.query<{ uuid: string }>(sql`
    select uuid from documents where group_id = ${scene.hospital.groupId} and is_discharge_summary`);
  const page = await open(await scene.user('care coordinator', { removed: ['canViewCcds'] }));
  await untilListed(page, [bob]);
  await rowOf(page, bob).click();
  await expect(detail(page).getByRole('heading', { name: 'This stay', exact: true })).toBeVisible();
  await expect(detail(page).getByRole('heading', { name: 'Documents' })).toHaveCount(0);
  const id = new URL(page.url()).searchParams.get('sel');
  await page.goto(`/dashboard/patients/${id}/attachments/${rows[0]?.uuid}`);
  await expect(page.getByRole('heading', { name: 'Document', level: 1 })).toBeVisible();
  await expect(page.getByRole('article')).toHaveCount(0);
  await expectAccessible(page, 'no permission for documents');
  complaints.expect(/status of 403/);
  expect(
    (
      await page.request.get(`/api/patients/${id}/documents/${rows[0]?.uuid}`, {
        headers: { [TEAM_HEADER]: scene.team.id },
      })
    ).status(),
  ).toBeGreaterThanOrEqual(400);
});

test('inside an EHR, the patient’s documents are a tab, and one is read there', async ({ scene, open, db }) => {
  const [, , cal] = scene.people as [Person, Person, Person];
  await scene.hospital.send('A01', cal);
  const stored = async (): Promise<number> =>
    (await db.query(sql`select from documents where group_id = ${scene.hospital.groupId} and person_id is not null`))
      .rowCount;
  await sendAll(scene, cal, stored);
  const page = await open(await scene.user('clinician', { applicationExperience: 'JANUS_EHR_SSO' }), '/ehr/inbox');
  await untilListed(page, [cal]);
  const { rows } = await db.query<{ id: string }>(sql`
    select r.id || '_0' as id from roster_patients r join documents d on d.person_id = r.person_id
    where r.group_id = ${scene.group.id} limit 1`);
  await page.goto(`/ehr/patients/${rows[0]?.id}`);
  await expect(page.getByRole('link', { name: 'Summary of care' })).toHaveCount(2);
  await page.getByRole('navigation', { name: 'Patient' }).getByRole('link', { name: 'Attachments' }).click();
  await page.getByRole('region', { name: 'Documents' }).getByRole('link').first().click();
  await expect(page).toHaveURL(/\/ehr\/patients\/[\d_]+\/attachments\//);
  await expect(reader(page, 'Summary of care').getByRole('cell', { name: 'Penicillin G' })).toBeVisible();
  // The frame of an EHR is always light.
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode()
    .withTags(['wcag2a', 'wcag2aa', 'wcag22aa'])
    .analyze();
  expect(violations.map(({ id }) => id)).toEqual([]);
  await page.getByRole('navigation', { name: 'Patient' }).getByRole('link', { name: 'Case management' }).click();
  await expect(page.getByRole('region', { name: 'Discharge summaries' })).toBeVisible();
});
