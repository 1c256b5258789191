import { expectAccessible } from './accessible.ts';
import { administrator } from './admin-page.ts';
import { rowOf } from './inbox-page.ts';
import { expect, test } from './journey.ts';
import type { Person } from './people.ts';

test.slow();

test('an administrator sees who has seen a patient, from the patient’s page and by ID', async ({ scene, open }) => {
  const [ann] = scene.people as [Person];
  await scene.hospital.send('A01', ann);
  const nurse = await open(
    await scene.user('care coordinator', { firstName: 'Kofi', lastName: 'Mensah' }),
    '/dashboard/home/inbox',
  );
  const patientId = (await rowOf(nurse, ann).getAttribute('id'))?.slice('ping-'.length) ?? '';
  await nurse.goto(`/dashboard/patients/${patientId}`);
  await expect(nurse.getByRole('heading', { level: 1, name: ann.family.toUpperCase() })).toBeVisible();
  await expect(nurse.getByRole('link', { name: 'View who has seen this patient' })).toHaveCount(0);

  const page = await open(await administrator(scene), `/dashboard/patients/${patientId}`);
  await page.getByRole('link', { name: 'View who has seen this patient' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Patient access' })).toBeVisible();
  const opened = page.getByRole('row').filter({ hasText: 'Kofi Mensah' }).filter({ hasText: 'Opened' });
  await expect(opened.first()).toContainText(scene.team.name);
  await expect(opened.first()).toContainText('127.0.0.1');
  await expect(page.getByRole('row').filter({ hasText: 'Listed on a page' })).not.toHaveCount(0);
  await expectAccessible(page, 'patient access');

  const id = page.getByLabel('Patient ID');
  await id.fill(ann.family);
  await page.getByRole('button', { name: 'Show access' }).click();
  await expect(page.getByText('Enter a patient ID like 1234_5678')).toBeVisible();
  await expectAccessible(page, 'patient access without an ID');
  await id.fill(`https://tidings.example/dashboard/patients/${patientId}`);
  await id.press('Enter');
  await expect(page.getByRole('row').filter({ hasText: 'Looked up who has seen the patient' }).first()).toBeVisible();
});
