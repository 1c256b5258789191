/** What staff of a nursing facility without a feed do by hand. */
import type { Page } from '@playwright/test';
import type { Permission } from '#contract/permissions.ts';
import { expectAccessible } from './accessible.ts';
import { rowOf } from './inbox-page.ts';
import { expect, test } from './journey.ts';
import type { Person } from './people.ts';
import type { Scene } from './scene.ts';

test.slow();

const REMOVED = 'Patient was removed because they have no more encounters at your facility.';

/** A nursing facility of the scene's organization, with a team of its own. */
async function nursingFacility(scene: Scene) {
  const { organizationId } = scene.team;
  const group = await scene.make.group({ organizationId, type: 'SNF', facilityType: 'SNF', isAutomated: false });
  const team = await scene.make.team({ organizationId, groupIds: [group.id] });
  const nurse = (name: string, removed: Permission[] = []) =>
    scene.make.user({
      team,
      role: 'administrator',
      removed,
      username: `${name}.${team.id}@lakeside.example`,
    });
  return { team, nurse };
}

/** Adds a patient through the form, and waits for the patient's page. */
async function addPatient(page: Page, person: Person): Promise<void> {
  await page.getByRole('button', { name: 'Add patient' }).click();
  const form = page.getByRole('dialog', { name: 'Add patient' });
  await form.getByLabel('First name').fill(person.given);
  await form.getByLabel('Last name').fill(person.family);
  await form.getByLabel('Date of birth').fill(person.birthDate);
  await form.getByLabel('Gender').selectOption(person.sex);
  await form.getByRole('button', { name: 'Add patient' }).click();
  await expect(page).toHaveURL(/\/dashboard\/patients\/\d+_\d+$/);
  await expect(page.getByRole('region', { name: 'Visit actions' })).toBeVisible();
}

test('a nurse adds a patient, corrects the entries, and deletes the visit while a colleague looks on', async ({
  scene,
  open,
}) => {
  const { nurse } = await nursingFacility(scene);
  const person = scene.stranger();
  const page = await open(await nurse('ada'), '/dashboard/patients/my-patients');
  await page.getByRole('button', { name: 'Add patient' }).click();
  const form = page.getByRole('dialog', { name: 'Add patient' });
  await form.getByRole('button', { name: 'Add patient' }).click();
  await expect(form.getByText('Enter a first name.')).toBeVisible();
  await expectAccessible(page, 'the form of a new patient');
  await form.getByRole('button', { name: 'Cancel' }).click();
  await addPatient(page, person);
  const path = new URL(page.url()).pathname;
  const colleague = await open(await nurse('bo'), path);
  const careTeam = await open(await nurse('cy'), `${path}/care-team`);
  await expect(colleague.getByRole('button', { name: 'Edit Admitted' })).toBeVisible();
  await expect(careTeam.getByRole('heading', { name: 'Contacts' })).toBeVisible();

  await page.getByRole('button', { name: 'Update status' }).click();
  const status = page.getByRole('dialog', { name: 'Update status' });
  await status.getByRole('button', { name: 'Save' }).click();
  await expect(status.getByText('Choose a status.')).toBeVisible();
  await status.getByLabel('Status').selectOption('DISCHARGE');
  await status.getByLabel('Discharged to').fill('Home');
  await expectAccessible(page, 'the form of a status');
  await status.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Discharged was saved.')).toBeVisible();
  await expect(colleague.getByRole('button', { name: 'Edit Discharged' })).toBeVisible();
  await expectAccessible(page, 'the patient with what can be done by hand');

  await page.getByRole('button', { name: 'Edit Discharged' }).click();
  await page.getByRole('button', { name: 'Remove this event…' }).click();
  await page.getByRole('button', { name: 'Remove event', exact: true }).click();
  await expect(page.getByText('Discharged was removed.')).toBeVisible();
  await expect(colleague.getByRole('button', { name: 'Edit Discharged' })).toHaveCount(0);

  await page.getByRole('button', { name: 'Edit patient' }).click();
  await page.getByLabel('Last name').fill('Okonkwo');
  await expectAccessible(page, 'the form of a patient');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('The patient was saved.')).toBeVisible();
  await expect(colleague.getByText('OKONKWO').first()).toBeVisible();

  await page.getByRole('button', { name: 'Delete visit…' }).click();
  await expectAccessible(page, 'the question before a visit is deleted');
  await page.getByRole('button', { name: 'Delete visit', exact: true }).click();
  for (const shown of [page, colleague, careTeam]) {
    await expect(shown).toHaveURL(/\/dashboard\/patients\/my-patients/);
    await expect(shown.getByText(REMOVED)).toBeVisible();
  }
  await expectAccessible(page, 'the patients page after a removal');
  await page.getByRole('button', { name: 'Close this message' }).click();
  await expect(page.getByText(REMOVED)).toHaveCount(0);
});

test('a three-day waiver: unknown until everything is confirmed, then approved, with its history', async ({
  scene,
  open,
}) => {
  const { nurse } = await nursingFacility(scene);
  const page = await open(await nurse('ada'), '/dashboard/patients/my-patients');
  await addPatient(page, scene.stranger());
  const path = new URL(page.url()).pathname;
  await page.getByRole('button', { name: 'Three-day waiver' }).click();
  const form = page.getByRole('dialog', { name: 'Three-day waiver' });
  await expect(form.getByRole('heading', { name: 'Eligibility: Unknown' })).toBeVisible();
  await expectAccessible(page, 'the form of a three-day waiver');
  for (const box of await form.getByRole('checkbox').all()) await box.check();
  await expect(form.getByRole('heading', { name: 'Eligibility: Eligible' })).toBeVisible();
  await form.getByLabel('Status').selectOption('Approved');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('button', { name: 'Three-day waiver: Approved' })).toBeVisible();

  const viewer = await open(await nurse('bo', ['canUpdateThreeDayWaiver', 'canEditPatientsAndEvents']), path);
  await viewer.getByRole('button', { name: 'Three-day waiver: Approved' }).click();
  const shown = viewer.getByRole('dialog', { name: 'Three-day waiver' });
  await expect(shown.getByRole('region', { name: 'History' }).getByRole('listitem')).toHaveText(/^Approved · /);
  await expect(shown.getByRole('button', { name: 'Save' })).toHaveCount(0);
  await expect(viewer.getByRole('button', { name: /^(Update status|Edit Admitted|Edit patient|Delete)/ })).toHaveCount(
    0,
  );
});

test('changing the team on a case-management page leads home', async ({ scene, open }) => {
  const [ann] = scene.people as [Person];
  await scene.hospital.send('A01', ann);
  const { team } = await nursingFacility(scene);
  const user = await scene.user('care coordinator');
  await scene.grant(user, team.id, 'care coordinator');
  const page = await open(user);
  await rowOf(page, ann).click();
  await page.getByRole('link', { name: 'Case management' }).click();
  await expect(page).toHaveURL(/case-management$/);
  await page.getByRole('button', { name: /Switch team/ }).click();
  await page.getByRole('menuitemradio', { name: `${team.name} · ` }).click();
  await expect(page).toHaveURL(/\/dashboard\/home\/inbox/);
  await expect(page.getByRole('button', { name: `Team ${team.name}. Switch team` })).toBeVisible();
});

test('a three-day waiver that cannot be loaded is an error that says so, with a retry', async ({
  scene,
  open,
  complaints,
}) => {
  complaints.expect(/status of 500 .*waiver/);
  const { nurse } = await nursingFacility(scene);
  const page = await open(await nurse('ada'), '/dashboard/patients/my-patients');
  await addPatient(page, scene.stranger());
  const failure = { status: 500, errorKey: 'INTERNAL', message: 'Something went wrong.', requestId: 'test' };
  await page.route(/three-day-waiver/, (route) => route.fulfill({ status: 500, json: failure }));
  await page.getByRole('button', { name: 'Three-day waiver' }).click();
  const error = page.getByRole('dialog', { name: "Couldn't load the three-day waiver." });
  await expect(error).toBeVisible();
  await expectAccessible(page, 'an error in a modal');
  await page.unroute(/three-day-waiver/);
  await error.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('dialog', { name: 'Three-day waiver' })).toBeVisible();
});
