import { sql } from '#server/platform/database/sql.ts';
import { rowOf } from './inbox-page.ts';
import { expect, signIn, test, untilLive } from './journey.ts';
import type { Person } from './people.ts';
import { errorsOf, usageEvent } from './queries.ts';
import { signInTo } from './scene.ts';

test('each experience starts at its own home, and pages of other experiences do not exist', async ({
  scene,
  open,
  db,
}) => {
  const [ann] = scene.people as [Person];
  await scene.hospital.send('A01', ann);
  const hospital = await open(
    await scene.user('clinician', { applicationExperience: 'ANAHIT', primaryClinicalSetting: 'ED' }),
    '/',
  );
  await expect(hospital).toHaveURL('/hospital');
  await expect(hospital.getByRole('heading', { level: 1, name: 'Patients' })).toBeVisible();
  await hospital.goto('/hospital/home/inbox');
  const patientId = (await rowOf(hospital, ann).getAttribute('id'))?.slice('ping-'.length) ?? '';
  await hospital.goto('/dashboard/home/inbox');
  await expect(hospital.getByRole('heading', { level: 1, name: 'This page does not exist' })).toBeVisible();
  await hospital.goto('/inbox');
  await expect(hospital).toHaveURL('/hospital/home/inbox');
  await hospital.goto('/user-profile');
  await expect(hospital).toHaveURL('/hospital/user-profile');

  const embedded = await scene.user('clinician', { applicationExperience: 'HOS_EHR_SSO' });
  const ehr = await open(embedded, '/');
  await expect(ehr).toHaveURL('/ehr/inbox');
  await db.query(sql`update sessions set patient_id = ${patientId} where user_id = ${embedded.id}`);
  await ehr.goto('/login');
  await expect(ehr).toHaveURL(`/ehr/patients/${patientId}`);
  await expect(ehr.getByRole('heading', { level: 1, name: ann.family.toUpperCase() })).toBeVisible();
});

test('the primary clinical setting is chosen once, and then the requested page opens', async ({ page, scene }) => {
  const { username } = await scene.user('clinician', { applicationExperience: 'ANAHIT' });
  await page.goto('/hospital/user-profile');
  await expect(page).toHaveURL('/login');
  await signIn(page, username, scene.password);
  await expect(page).toHaveURL('/primary-clinical-setting');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText('Choose one.')).toBeVisible();
  await page.getByLabel('Both Emergency Department and Inpatient').check();
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page).toHaveURL('/hospital/user-profile');
  const setting = page.getByText('Primary clinical setting:');
  await expect(setting).toContainText('Both Emergency Department and Inpatient');
  await setting.getByRole('link', { name: 'Change it' }).click();
  await page.getByLabel('Outpatient').check();
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page).toHaveURL('/hospital/user-profile');
  await expect(setting).toContainText('Outpatient');
  await page.goto('/');
  await expect(page).toHaveURL('/hospital');
});

test('nothing is shown until the user is known, then a skeleton of the page', async ({ page, scene }) => {
  await scene.hospital.send('A01', scene.people[0] as Person);
  await signInTo(page.context().request, (await scene.user('care coordinator')).username);
  const held = async (url: string) => {
    let go = (): void => {};
    const gate = new Promise<void>((resolve) => {
      go = resolve;
    });
    await page.route(url, async (route) => {
      await gate;
      await route.continue();
    });
    return { go, asked: page.waitForRequest(url) };
  };
  const me = await held('**/api/me');
  const pings = await held('**/api/pings');
  await page.goto('/dashboard/home/inbox');
  await me.asked;
  await expect(page.locator('#root')).toHaveText('');
  await expect(page.locator('#root > *:visible')).toHaveCount(0);
  me.go();
  await pings.asked;
  await expect(page.getByRole('navigation', { name: 'Pages' })).toBeVisible();
  const skeleton = page.getByRole('main').getByRole('group', { name: 'Loading' });
  await expect(skeleton.locator('> *')).toHaveCount(8);
  pings.go();
  await expect(page.getByRole('list', { name: 'Pings' })).toBeVisible();
  await expect(skeleton).toHaveCount(0);
});

test('a legacy address is rewritten and recorded, also before sign-in', async ({ page, scene, open, db }) => {
  const user = await scene.user('administrator');
  const signedIn = await open(user, '/#/dashboard/rosters?x=1');
  await expect(signedIn).toHaveURL('/dashboard/rosters?x=1');
  await expect(signedIn.getByRole('heading', { level: 1, name: 'Rosters' })).toBeVisible();
  expect((await usageEvent(db, user, 'legacy-url-redirected')).routes).toEqual([
    '/#/dashboard/rosters',
    '/dashboard/rosters',
  ]);

  const another = await scene.user('clinician');
  await page.goto(`/#/login?username=${encodeURIComponent(another.username)}`);
  await expect(page.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible();
  expect(await usageEvent(db, another, 'legacy-url-redirected')).toMatchObject({ routes: ['/#/login', '/login'] });
});

test('a 502 or 503 leads to the error page, which is recorded', async ({ scene, open, complaints, db }) => {
  complaints.expect(/status of 50[23]/);
  const user = await scene.user('care coordinator');
  const page = await open(user, '/dashboard/whats-new');
  for (const status of [502, 503]) {
    await page.route('**/api/pings', (route) => route.fulfill({ status, body: '<h1>Bad gateway</h1>' }));
    // Without the pointer: hovering over the link loads the list already, and the error page has no such link to click.
    await page
      .getByRole('navigation', { name: 'Pages' })
      .getByRole('link', { name: /^Pings/ })
      .dispatchEvent('click');
    await expect(page).toHaveURL('/error');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.getByRole('contentinfo')).toHaveText(`${new Date().getFullYear()} Tidings`);
    await page.unroute('**/api/pings');
    await page.getByRole('link', { name: 'Go To Home Page' }).click();
    await untilLive(page);
    await page.getByRole('link', { name: 'What’s new' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'What’s new' })).toBeVisible();
  }
  expect((await usageEvent(db, user, 'error-page-loaded')).params).toEqual({
    message: 'Unknown Error',
    kind: 'api_call_failed',
  });
});

test('a server that is only busy fails the call, with its own message and a retry', async ({
  scene,
  open,
  complaints,
}) => {
  complaints.expect(/status of 503/);
  const page = await open(await scene.user('care coordinator'));
  await untilLive(page);
  const message = 'Tidings is very busy right now, so nothing was changed. Try again in a few seconds.';
  await page.route('**/api/patients/search', (route) =>
    route.fulfill({ status: 503, json: { status: 503, errorKey: 'BUSY', message } }),
  );
  await page
    .getByRole('navigation', { name: 'Pages' })
    .getByRole('link', { name: /^Patients/ })
    .click();
  await expect(page.getByRole('alert')).toContainText(message);
  await page.unroute('**/api/patients/search');
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expect(page).toHaveURL('/dashboard/patients/my-patients');
});

test('the timeout page and the permissions page say what is wrong', async ({ page, scene }) => {
  await page.goto('/sso-timeout');
  await expect(page.getByText('The product session has timed out. Refresh the page to renew it.')).toBeVisible();
  await expect(page.getByRole('img')).toBeVisible();
  await expect(page.getByRole('contentinfo')).toHaveText(`© ${new Date().getFullYear()} Tidings`);

  const { id, organizationId } = scene.team;
  const user = await scene.make.user({ organizationId, username: `nobody.${id}@lakeside.example` });
  await page.goto('/login');
  await signIn(page, user.username, scene.password);
  await expect(page).toHaveURL('/permissions-error');
  await expect(page.getByRole('heading', { level: 1, name: "You don't have access yet" })).toBeVisible();
  await expect(page.getByText('The proper permissions are not set up. Please contact us at')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Go To Home Page' })).toHaveCount(0);
  await page.reload();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page).toHaveURL('/login');

  await signIn(page, user.username, scene.password);
  await expect(page).toHaveURL('/permissions-error');
  await scene.grant(user, id, 'viewer');
  await page.reload();
  await expect(page).toHaveURL('/dashboard/home/inbox');
});

test('a page of another experience leads to sign-in, and then to the not-found page', async ({ page, scene }) => {
  await page.goto('/hospital/rosters?x=1#y');
  await expect(page).toHaveURL('/login');
  await signIn(page, (await scene.user('viewer')).username, scene.password);
  await expect(page).toHaveURL('/hospital/rosters?x=1#y');
  await expect(page.getByRole('heading', { level: 1, name: 'This page does not exist' })).toBeVisible();
});

test('a render error shows a message, and is reported without patient data', async ({
  scene,
  open,
  complaints,
  db,
}) => {
  complaints.expect(/TypeError/);
  const user = await scene.user('care coordinator');
  const page = await open(user);
  // The list of the first visit may be asked for after the live updates.
  await expect(page.getByText('No unresolved pings.')).toBeVisible();
  await page.route('**/api/pings', (route) =>
    route.fulfill({ json: { patients: { length: 1, lastName: 'Adaeze' }, total: 1, numPages: 1 } }),
  );
  await page.getByRole('button', { name: 'Refresh the list' }).click();
  await expect(page.getByRole('heading', { name: 'Sorry, something seems to have gone wrong.' })).toBeVisible();
  await expect(page.getByText('Please check back in a few minutes.')).toBeVisible();
  await expect.poll(async () => (await errorsOf(db, user)).map(({ kind }) => kind)).toContain('component');
  expect(JSON.stringify(await errorsOf(db, user))).not.toContain('Adaeze');
});

test('a chunk that fails to load is tried five times, half a second apart, and then named in the error', async ({
  scene,
  open,
  complaints,
  db,
}) => {
  complaints.expect(/ERR_FAILED|ERR_INTERNET_DISCONNECTED|ChunkLoadError/);
  const user = await scene.user('administrator');
  const page = await open(user);
  await untilLive(page);
  const rosters = page.getByRole('link', { name: 'Rosters' });
  const tries: number[] = [];
  let failing = 4;
  await page.route('**/assets/rosters-page-*.js', (route) => {
    tries.push(Date.now());
    return tries.length <= failing ? route.abort() : route.continue();
  });
  await rosters.click();
  await expect(page.getByRole('heading', { level: 1, name: 'Rosters' })).toBeVisible();
  expect(tries).toHaveLength(5);
  for (const [at, time] of tries.slice(1).entries()) expect(time - (tries[at] ?? 0)).toBeGreaterThanOrEqual(480);

  failing = Number.POSITIVE_INFINITY;
  tries.length = 0;
  await page.goto('/dashboard/home/inbox');
  await untilLive(page);
  await rosters.click();
  await expect(page.getByText('Loading chunk rosters failed')).toBeVisible();
  expect(tries).toHaveLength(5);
  const reported = async () => (await errorsOf(db, user)).map(({ kind, message }) => `${kind} ${message}`);
  await expect.poll(reported).toContain('component ChunkLoadError: Loading chunk rosters failed (missing)');
  await expect(page.getByRole('navigation', { name: 'Pages', exact: true })).toBeVisible();
  await page.context().setOffline(true);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('alert')).toContainText("Tidings can't be reached.");
  await page.context().setOffline(false);
  await page.unroute('**/assets/rosters-page-*.js');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Rosters' })).toBeVisible();
});
