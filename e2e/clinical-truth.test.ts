/** The rules of docs/events.md by which a nurse decides what to do, each from a hospital's messages to the page. */
import type { Locator, Page } from '@playwright/test';
import { instant, type MessageDetails } from './hospital.ts';
import { detail, rowOf } from './inbox-page.ts';
import { expect, test, untilLive } from './journey.ts';
import type { Person } from './people.ts';
import type { Scene, SceneUser } from './scene.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const ago = (time: number): Date => new Date(Date.now() - time);
const READMITTED = /Readmitted/;

/** Adds another facility to the hospital's feed, and returns its name and what places a message there. */
async function another({ feed, hospital, make }: Scene, type: 'HOS' | 'SNF' = 'HOS') {
  const { id: organizationId } = await make.organization({ name: `Brigid of ${feed.name}` });
  const group = await make.group({
    organizationId,
    type,
    facilityType: type,
    name: `Saint Brigid ${feed.name.slice(-4)}`,
  });
  const identifier = `${feed.name.slice(-6)}-2`;
  await make.feedFacility({ feedId: feed.id, groupId: group.id, identifier });
  const send = (trigger: string, person: Person, details: MessageDetails = {}) =>
    hospital.send(trigger, person, { identifier, visit: `B${person.recordNumber}`, ...details });
  return { name: group.name, send };
}

/** Waits until a list that is loaded anew has the row: what arrives later waits above the list. */
const expectRow = (page: Page, row: Locator): Promise<void> =>
  expect(async () => {
    await page.reload();
    await expect(row).toBeVisible({ timeout: 2000 });
  }).toPass();

/** The row about one event of a patient. */
const rowAbout = (page: Page, person: Person, text: string): Locator => rowOf(page, person).filter({ hasText: text });

async function inbox({ scene, open }: { scene: Scene; open: (user: SceneUser) => Promise<Page> }): Promise<Page> {
  const page = await open(await scene.user('care coordinator'));
  await untilLive(page);
  return page;
}

test('a merge of record numbers at one hospital brings the stay at another to the surviving patient', async ({
  scene,
  open,
}) => {
  const [ann] = scene.people as [Person];
  const other = await another(scene);
  const unknown = { ...scene.stranger(), given: 'Unknown', family: 'Trauma', birthDate: '', street: '', phone: '' };
  const number = `${unknown.recordNumber}^^^ODILE SYSTEM^MR`;
  await scene.hospital.send('A31', ann, { fields: { 'PID-3': `${ann.recordNumber}^^^ODILE SYSTEM^MR` } });
  await other.send('A01', unknown, { fields: { 'PID-3': number } });
  const page = await inbox({ scene, open });
  await expect(page.getByText('0 new of 0 open')).toBeVisible();
  await scene.hospital.send('A40', ann, {
    fields: { 'PID-3': `${ann.recordNumber}^^^ODILE SYSTEM^MR`, 'MRG-1': number },
  });
  await expect(rowOf(page, ann)).toContainText('Admitted — Inpatient');
  await expect(rowOf(page, ann)).toContainText(other.name);
});

test('a transfer to another hospital is no readmission, and a return after two weeks at home is one', async ({
  scene,
  open,
}) => {
  const [ann, bob, cid] = scene.people as [Person, Person, Person];
  const other = await another(scene);
  await scene.hospital.send('A01', ann, { at: ago(6 * DAY) });
  await scene.hospital.send('A03', ann, { at: ago(2 * DAY), disposition: '02' });
  await other.send('A01', ann, { at: ago(2 * DAY - 2 * HOUR) });
  await scene.hospital.send('A01', bob, { at: ago(20 * DAY) });
  await scene.hospital.send('A03', bob, { at: ago(15 * DAY), disposition: '01' });
  await other.send('A01', bob, { at: ago(HOUR) });
  await scene.hospital.send('A01', cid, { at: ago(20 * DAY) });
  await scene.hospital.send('A03', cid, { at: ago(15 * DAY), disposition: '01' });
  await other.send('A01', cid, {
    at: ago(HOUR),
    fields: { 'DG1-3': 'Z51.11^Encounter for antineoplastic chemotherapy^I10' },
  });
  const page = await inbox({ scene, open });
  const returned = rowAbout(page, bob, other.name);
  for (const person of [ann, bob, cid]) await expectRow(page, rowAbout(page, person, other.name));
  await expect(returned).toContainText(/Readmitted \d+ days? after discharge on/);
  const moved = rowAbout(page, ann, other.name);
  await expect(moved).toContainText('Admitted — Inpatient');
  await expect(moved).not.toContainText(READMITTED);
  const planned = rowAbout(page, cid, other.name);
  await expect(planned).toContainText('Admitted — Inpatient');
  await expect(planned).not.toContainText(READMITTED);
});

test('an update with a discharge time ends a stay, and the late coding of an old one admits nobody', async ({
  scene,
  open,
}) => {
  const [ann, bob] = scene.people as [Person, Person];
  const page = await inbox({ scene, open });
  await scene.hospital.send('A01', ann, { at: ago(3 * DAY) });
  await expect(rowOf(page, ann)).toContainText('Admitted — Inpatient');
  const coded = { 'PV1-36': '01', 'PV1-45': instant(ago(HOUR)) };
  await scene.hospital.send('A08', ann, { admittedAt: ago(3 * DAY), fields: coded });
  await expect(rowAbout(page, ann, 'Discharged — to Home')).toBeVisible();
  const late = { 'PV1-36': '01', 'PV1-45': instant(ago(5 * DAY)) };
  await scene.hospital.send('A08', bob, { admittedAt: ago(8 * DAY), fields: late });
  await scene.hospital.send('A08', ann, { admittedAt: ago(3 * DAY), fields: coded });
  await page.reload();
  await expect(rowOf(page, ann).first()).toBeVisible();
  await expect(rowAbout(page, bob, 'Admitted')).toHaveCount(0);
});

test('an admission whose times cannot be read is shown at its receipt, and says so', async ({ scene, open }) => {
  const [ann, bob] = scene.people as [Person, Person];
  const page = await inbox({ scene, open });
  const unclear = { 'MSH-7': 'today', 'EVN-2': 'this morning', 'EVN-6': '', 'PV1-44': 'unknown' };
  await scene.hospital.send('A01', ann, { fields: unclear });
  await expect(rowOf(page, ann)).toContainText('Admitted — Inpatient');
  const written = ago(3 * HOUR).toISOString();
  await expect(rowOf(page, ann)).toContainText('when the message arrived');
  await scene.hospital.send('A01', bob, {
    fields: { 'MSH-7': written, 'EVN-2': written, 'EVN-6': '', 'PV1-44': written },
  });
  await expectRow(page, rowAbout(page, bob, 'Admitted — Inpatient'));
  await expect(rowOf(page, bob)).not.toContainText('when the message arrived');
});

test('a corrected admission moves its row, a death in words is a death, and an ED account that became a stay is no discharge', async ({
  scene,
  open,
}) => {
  const [ann, bob, cid] = scene.people as [Person, Person, Person];
  const page = await inbox({ scene, open });
  const time = (person: Person) => rowOf(page, person).locator('time').last();
  await scene.hospital.send('A01', ann, { at: ago(2 * HOUR) });
  await expect(time(ann)).toBeVisible();
  const before = await time(ann).getAttribute('datetime');
  await scene.hospital.send('A08', ann, { admittedAt: ago(50 * HOUR) });
  await expect(time(ann)).not.toHaveAttribute('datetime', before ?? '');
  await expect(rowOf(page, ann)).toHaveCount(1);

  await scene.hospital.send('A01', bob, { at: ago(DAY) });
  await scene.hospital.send('A03', bob, { disposition: 'EXPIRED' });
  await expectRow(page, rowAbout(page, bob, 'Deceased').filter({ hasText: 'Patient died' }));

  await scene.hospital.send('A04', cid, { patientClass: 'E', visit: `E${cid.recordNumber}`, at: ago(5 * HOUR) });
  await scene.hospital.send('A03', cid, { patientClass: 'E', visit: `E${cid.recordNumber}`, disposition: '09' });
  await scene.hospital.send('A01', cid);
  await expectRow(page, rowAbout(page, cid, 'Admitted — Inpatient'));
  await expect(rowAbout(page, cid, 'Discharged')).toHaveCount(0);
});

test('a resident on leave in the hospital has a recent SNF stay, and nights in the ED count for no coverage', async ({
  scene,
  open,
}) => {
  const [ann, bob] = scene.people as [Person, Person];
  const nursing = await another(scene, 'SNF');
  await nursing.send('A01', ann, { at: ago(80 * DAY) });
  await nursing.send('A21', ann, { at: ago(40 * DAY), admittedAt: ago(80 * DAY) });
  await scene.hospital.send('A01', ann, { at: ago(HOUR) });
  const arrival = { patientClass: 'E', at: ago(3 * DAY) } as const;
  await scene.hospital.send('A04', bob, arrival);
  await scene.hospital.send('A06', bob, { at: ago(DAY), admittedAt: ago(DAY) });
  const page = await inbox({ scene, open });
  await rowAbout(page, bob, 'Admitted').click();
  await expect(detail(page).locator('dl').first()).toContainText('Inpatient nights1');
  await rowAbout(page, ann, scene.hospital.name).click();
  await page.getByRole('navigation', { name: 'Patient' }).getByRole('link', { name: 'Story' }).click();
  const stay = page.getByRole('article', { name: `Inpatient · ${scene.hospital.name}` });
  await expect(stay).toContainText(`Recent SNF stay: ${nursing.name}`);
});

test('a Social Security number sent as a record number is shown nowhere, and a phone beside an email is kept', async ({
  scene,
  open,
}) => {
  const [ann] = scene.people as [Person];
  const facility = await open(
    await scene.engineer({ removed: ['canViewMfaOptIn'] }),
    '/dashboard/patients/my-patients',
  );
  await scene.hospital.send('A01', ann, {
    fields: {
      'PID-3': `219-09-9999^^^SSA^SS~${ann.recordNumber}^^^ODILE^MR`,
      'PID-13': `^NET^Internet^person@mail.example~^PRN^PH^^^585^5550142`,
    },
  });
  await facility
    .getByRole('table', { name: 'Patients' })
    .getByRole('link', { name: new RegExp(ann.family, 'i') })
    .click();
  await expect(facility.getByText(ann.recordNumber).first()).toBeVisible();
  await expect(facility.getByText(/219-?09-?9999/)).toHaveCount(0);
  await expect(facility.getByText('585-555-0142').first()).toBeVisible();
});

test('without visit numbers an account is one stay at each facility, and an arrival before midnight is one visit', async ({
  scene,
  open,
}) => {
  const [ann, bob] = scene.people as [Person, Person];
  const other = await another(scene);
  const account = { 'PV1-19': '', 'PID-18': `A${ann.recordNumber}` };
  await scene.hospital.send('A01', ann, { at: ago(5 * HOUR), fields: account });
  await other.send('A01', ann, { at: ago(HOUR), fields: account });
  // Midnight in New York is at 4 or 5 in UTC, and the visit has to be in the past.
  const day = ago(6 * HOUR)
    .toISOString()
    .slice(0, 10);
  const arrived = { at: new Date(`${day}T03:50:00Z`), patientClass: 'E' } as const;
  const next = instant(new Date(`${day}T05:05:00Z`));
  await scene.hospital.send('A04', bob, { ...arrived, fields: { 'PV1-19': '', 'PV1-44': next } });
  await scene.hospital.send('A08', bob, { ...arrived, fields: { 'PV1-19': '', 'PV1-44': next } });
  const page = await inbox({ scene, open });
  await expectRow(page, rowOf(page, bob));
  await expectRow(page, rowAbout(page, ann, other.name));
  await expect(rowOf(page, ann)).toHaveCount(2);
  await expect(rowAbout(page, ann, other.name)).toHaveCount(1);
  await expect(rowOf(page, bob)).toHaveCount(1);
  await expect(rowOf(page, bob)).toContainText('Presented — Emergency');
});

test('stays are in the order of their length, finished ones included, and the order turns around', async ({
  scene,
  open,
}) => {
  const [ann, bob, cid] = scene.people as [Person, Person, Person];
  await scene.hospital.send('A01', ann, { at: ago(4 * DAY) });
  await scene.hospital.send('A01', bob, { at: ago(30 * DAY) });
  await scene.hospital.send('A03', bob, { at: ago(20 * DAY), disposition: '01' });
  await scene.hospital.send('A01', cid, { at: ago(7 * DAY) });
  const page = await open(await scene.user('care coordinator'), '/dashboard/length-of-stay?f.lengthOfStay=0:100');
  const names = page.getByRole('table', { name: 'Patients' }).getByRole('row').getByRole('link');
  const order = (...people: Person[]) => expect(names).toHaveText(people.map(({ family }) => new RegExp(family, 'i')));
  await page.getByLabel('Sort by').selectOption('LENGTH_OF_STAY DESC');
  await order(bob, cid, ann);
  await page.getByLabel('Sort by').selectOption('LENGTH_OF_STAY ASC');
  await order(ann, cid, bob);
});
