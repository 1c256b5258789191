import { detail, rowOf } from './inbox-page.ts';
import { expect, test, untilLive } from './journey.ts';
import type { Person } from './people.ts';

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);

test('a death shows on each row of the patient, and an arrival after it says that it contradicts the death', async ({
  scene,
  open,
}) => {
  const [ann, bob] = scene.people as [Person, Person];
  const stay = { visit: `S${ann.recordNumber}`, admittedAt: daysAgo(6) };
  await scene.hospital.send('A01', ann, { ...stay, at: daysAgo(6) });
  await scene.hospital.send('A03', ann, { ...stay, at: daysAgo(4), disposition: '20' });
  await scene.hospital.send('A04', ann, { visit: `E${ann.recordNumber}`, patientClass: 'E' });
  await scene.hospital.send('A01', bob, { at: daysAgo(2) });
  const page = await open(await scene.user('care coordinator'));
  const [arrival, death] = ['Presented — Emergency', 'Deceased'].map((text) =>
    rowOf(page, ann).filter({ hasText: text }),
  );
  if (!arrival || !death) throw new Error('There are two rows');
  // Rows that arrive on an open page wait until they are asked for.
  await expect(async () => {
    await page.reload();
    await expect(arrival).toBeVisible({ timeout: 1000 });
  }).toPass();
  await expect(death).toContainText('Reported as died, contradicted since');
  await expect(arrival).toContainText(/Contradicts the death reported for \d\d\/\d\d\/\d{4}\. Check with the facility/);
  await expect(arrival).toHaveAccessibleName(/Death reported\.$/);
  await arrival.click();
  const pings = detail(page).locator('section', { has: page.getByRole('heading', { name: /^Pings for this stay/ }) });
  await expect(pings).toContainText('Contradicts the death reported');
  await expect(detail(page)).toContainText('Death reported');

  await rowOf(page, bob).click();
  await expect(detail(page).locator('dl').first()).toContainText('Inpatient nights2');
});

test('a death that registration takes back is in doubt on the row, and nobody who died is still there', async ({
  scene,
  open,
}) => {
  const [ann] = scene.people as [Person];
  await scene.hospital.send('A01', ann, { at: daysAgo(3) });
  await scene.hospital.send('A08', ann, { at: daysAgo(1), admittedAt: daysAgo(3), fields: { 'PID-30': 'Y' } });
  const page = await open(await scene.user('care coordinator'));
  await untilLive(page);
  await expect(rowOf(page, ann)).toContainText('Patient died');
  await rowOf(page, ann).click();
  await detail(page).getByRole('link', { name: 'Story' }).click();
  const stay = page.getByRole('article', { name: /^Inpatient/ });
  await expect(stay).toContainText(/death reported \d+\/\d+\/\d+, no discharge sent/);
  await scene.hospital.send('A08', ann, { admittedAt: daysAgo(3), fields: { 'PID-30': 'N' } });
  await expect(page.getByText('Reported as died, then as living. Check with the facility').first()).toBeVisible();
});
