import type { FrameLocator, Page } from '@playwright/test';
import { freePort } from '#server/platform/database/embedded/postmaster.ts';
import { test } from './external-systems.ts';
import { detail, endSession, rowOf } from './inbox-page.ts';
import { approveDomains, enableConnections } from './journey.ts';
import { expect, expectProblem, type Office, type OfficeUser, runningServer, signOut } from './office.ts';
import type { Person } from './people.ts';
import { signInTo } from './scene.ts';

// The tests start other processes.
test.slow();

const PROBLEM = 'There is a problem with your account. Contact us at the support link.';
const INBOX = '/dashboard/home/inbox';

/** Opens the form for a new connection, as an administrator of the office. */
async function addConnection(
  office: Office,
  open: (user: OfficeUser, path: string) => Promise<Page>,
  kind: string,
): Promise<Page> {
  const desk = await open(await office.user({ role: 'administrator' }), '/dashboard/admin/single-sign-on');
  await desk.getByRole('button', { name: `Add ${kind}` }).click();
  await desk.getByLabel('Name', { exact: true }).fill('Lakeshore sign-in');
  return desk;
}

/** Enables the tested connection. */
async function enable(desk: Page): Promise<void> {
  await desk.getByRole('button', { name: 'Lakeshore sign-in' }).click();
  await desk.getByLabel('Enabled').check();
  await desk.getByRole('button', { name: 'Save' }).click();
  await expect(desk.getByText('The connection Lakeshore sign-in was saved.')).toBeVisible();
}

const valueOf = (desk: Page, label: string): Promise<string> =>
  desk.getByText(label, { exact: true }).locator('xpath=following-sibling::code').innerText();

const giveUsername = async (page: Page, username: string): Promise<void> => {
  await page.getByLabel('Username').fill(username);
  await page.getByRole('button', { name: 'Continue' }).click();
};

/** A domain of this office only: two organizations can't have the same one. */
const domainOf = ({ organization }: Office): string => `lakeshore-${organization.id}.example`;

test('an administrator connects an OpenID Connect provider, and its users sign in through it', async ({
  page,
  office,
  open,
  startExternalSystem,
  complaints,
}) => {
  // Requested by the provider's own page.
  complaints.expect(/fonts\.googleapis\.com|favicon\.ico/);
  const domain = domainOf(office);
  const rosa = await office.user({ username: `rosa.diaz@${domain}`, firstName: 'Rosa', lastName: 'Diaz' });
  const port = await freePort();
  const desk = await addConnection(office, open, 'OpenID Connect');
  await desk.getByLabel('Issuer').fill(`http://127.0.0.1:${port}`);
  await desk.getByLabel('Client ID').fill('tidings');
  await desk.getByLabel('Client secret').fill('a secret of both sides');
  await desk.getByLabel('Email domains').fill(domain);
  await desk.getByRole('button', { name: 'Save' }).click();
  const redirectUri = await valueOf(desk, 'Redirect URL (callback)');
  await startExternalSystem('identity-provider', {
    client: { clientId: 'tidings', clientSecret: 'a secret of both sides', redirectUri },
    people: { [rosa.username]: rosa.username, stranger: `stranger@${domain}` },
    port,
  });
  await expect(desk.getByLabel('Enabled')).toBeDisabled();
  await desk.getByRole('button', { name: 'Test sign-in' }).click();
  await desk.getByPlaceholder('Enter any login').fill('stranger');
  await desk.getByPlaceholder('and password').fill('theirs');
  await desk.getByRole('button', { name: 'Sign-in' }).click();
  await desk.getByRole('button', { name: 'Continue' }).click();
  await expect(desk.getByText('The identity provider signed in someone who has no account here')).toBeVisible();
  await desk.getByRole('button', { name: 'Lakeshore sign-in' }).click();
  await expect(desk.getByLabel('Enabled')).toBeDisabled();
  // Removes the provider's session of the stranger, and nothing else.
  await desk.context().clearCookies({ name: /^_/ });
  await desk.getByRole('button', { name: 'Test sign-in' }).click();
  await desk.getByPlaceholder('Enter any login').fill(rosa.username);
  await desk.getByPlaceholder('and password').fill('theirs');
  await desk.getByRole('button', { name: 'Sign-in' }).click();
  await desk.getByRole('button', { name: 'Continue' }).click();
  await expect(desk.getByText('The test sign-in worked.')).toBeVisible();
  await expect(desk).toHaveURL('/dashboard/admin/single-sign-on');
  await enable(desk);
  await office.approveDomains();

  await page.goto('/dashboard/user-profile');
  await giveUsername(page, rosa.username);
  await expect(page).toHaveURL(new RegExp(`^http://127.0.0.1:${port}/interaction/`));
  await expect(page.getByPlaceholder('Enter any login')).toHaveValue(rosa.username);
  await page.getByRole('link', { name: '[ Cancel ]' }).click();
  const refused = `/login?error=SSO_ERROR&nextPathName=${encodeURIComponent('/dashboard/user-profile')}`;
  await expect(page).toHaveURL(refused);
  await expectProblem(page, PROBLEM);

  await giveUsername(page, rosa.username);
  await page.getByPlaceholder('Enter any login').fill('stranger');
  await page.getByPlaceholder('and password').fill('theirs');
  await page.getByRole('button', { name: 'Sign-in' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page).toHaveURL(refused);
  await expectProblem(page, PROBLEM);

  // Removes the provider's session of the stranger.
  await page.context().clearCookies();
  await giveUsername(page, rosa.username);
  await page.getByPlaceholder('and password').fill('theirs');
  await page.getByRole('button', { name: 'Sign-in' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page).toHaveURL('/dashboard/user-profile');
  await expect(page.getByRole('button', { name: 'Account of Rosa Diaz' })).toBeVisible();
  await expect(page.getByText('This account signs in through your organization')).toBeVisible();
  await expect(page.getByText("You sign in through your organization, so you can't add passkeys.")).toBeVisible();
  await expect(page.getByRole('button', { name: /Add a passkey|Set up two-step verification/ })).toHaveCount(0);
  await desk.getByRole('link', { name: 'Audit log' }).click();
  const change = desk.getByRole('row').filter({ hasText: 'took over sign-in for Rosa Diaz' });
  await expect(change).toContainText('Single sign-on: Lakeshore sign-in');
  await expect(change).toContainText('Password removed');
  await signOut(page);
  await giveUsername(page, rosa.username);
  await expect(page).toHaveURL(INBOX);
});

test('an administrator connects a SAML provider, and its users sign in through it', async ({
  page,
  office,
  open,
  startExternalSystem,
}) => {
  const domain = domainOf(office);
  const noor = await office.user({ username: `noor.haddad@${domain}`, firstName: 'Noor', lastName: 'Haddad' });
  const provider = await startExternalSystem('saml', { nameId: 'n-7', email: noor.username });
  const desk = await addConnection(office, open, 'SAML 2.0');
  await desk.getByLabel('Identity provider entity ID').fill(provider.entityId);
  await desk.getByLabel('Sign-in URL').fill(provider.url);
  await desk.getByLabel('Signing certificates').fill(provider.certificate);
  await desk.getByLabel('Email domains').fill(domain);
  await desk.getByLabel('Experience for people who sign in this way').selectOption('Hospital, enterprise sign-in');
  await desk.getByRole('button', { name: 'Save' }).click();
  const metadata = await valueOf(desk, 'Entity ID and metadata URL');
  expect(await (await page.request.get(metadata)).text()).toContain(
    await valueOf(desk, 'Assertion consumer service URL (callback)'),
  );
  await desk.getByRole('button', { name: 'Test sign-in' }).click();
  await expect(desk.getByText('The test sign-in worked.')).toBeVisible();
  await enable(desk);
  await office.approveDomains();

  await page.goto('/hospital/user-profile');
  await giveUsername(page, noor.username);
  await expect(page).toHaveURL('/primary-clinical-setting');
  await page.getByLabel('Outpatient').check();
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page).toHaveURL('/hospital/user-profile');
  await expect(page.getByRole('button', { name: 'Account of Noor Haddad' })).toBeVisible();
  await signOut(page);
  await office.age(noor, { disabled_at: 0 });
  await giveUsername(page, noor.username);
  await expect(page).toHaveURL('/login?error=SSO_ERROR');
  await expectProblem(page, PROBLEM);
  await expect(page.getByRole('link', { name: 'the support link' })).toBeVisible();
});

test('drafts survive single sign-on, and are readable nowhere in between', async ({
  page,
  scene,
  startExternalSystem,
  complaints,
  db,
}) => {
  complaints.expect(/status of 401/);
  const [ann] = scene.people as [Person];
  await scene.hospital.send('A01', ann);
  const domain = `drafts-${scene.team.id}.example`;
  const rosa = await scene.make.user({ team: scene.team, role: 'care coordinator', username: `rosa.diaz@${domain}` });
  const provider = await startExternalSystem('saml', { nameId: 'r-1', email: rosa.username });
  await signInTo(page.request, (await scene.user('administrator')).username);
  const made = await page.request.post('/api/admin/sso-connections', {
    headers: { 'x-ping-team-id': scene.team.id },
    data: {
      kind: 'SAML',
      name: 'Lakeside sign-in',
      isEnabled: false,
      domains: [domain],
      issuer: provider.entityId,
      clientId: null,
      entryPoint: provider.url,
      certificates: [provider.certificate],
      allowedOrigins: [],
      applicationExperience: 'JANUS_ENTERPRISE_SSO',
    },
  });
  expect(made.status()).toBe(200);
  await approveDomains(db, scene.team.organizationId);
  await enableConnections(db, scene.team.organizationId);
  await page.context().clearCookies();

  await page.goto(INBOX);
  await giveUsername(page, rosa.username);
  await expect(rowOf(page, ann)).toBeVisible({ timeout: 20_000 });
  await rowOf(page, ann).click();
  await detail(page).getByRole('button', { name: 'Resolve' }).click();
  await page.getByLabel('Other', { exact: true }).check();
  await page.getByLabel('Add details').fill('Daughter will');
  await endSession(page);
  await expect(page).toHaveURL('/login');

  // The redirect is blocked, so that the stored drafts can be inspected.
  const start = '**/api/sso/saml/*/start?*';
  await page.route(start, (route) => route.fulfill({ status: 204 }));
  await giveUsername(page, rosa.username);
  const stored = () => page.evaluate(() => JSON.stringify([{ ...sessionStorage }, { ...localStorage }]));
  await expect.poll(stored).toContain('tidings-drafts');
  expect(await stored()).not.toMatch(/Daughter|OTHER|resolution|eventIdentifier/);
  await page.unroute(start);
  await page.getByRole('button', { name: 'Return to sign-in' }).click();
  await giveUsername(page, rosa.username);
  await expect(page.getByLabel('Add details')).toHaveValue('Daughter will');
  expect(await stored()).not.toContain('tidings-drafts');
});

test('only a username with a dot and an at sign is looked up', async ({ page }) => {
  const looked: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/api/users/redirectUrl')) looked.push(request.postDataJSON().username);
  });
  await page.goto('/login');
  for (const name of ['ama', 'ama.osei', 'ama@fernhill', 'ama@fernhill.example']) {
    await giveUsername(page, name);
    await expect(page.getByLabel('Password', { exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'Return to sign-in' }).click();
  }
  expect(looked).toEqual(['ama@fernhill.example']);
});

/** Expects no header, no bar at the bottom, the light theme, the full width, and nothing beyond it at 320 px. */
async function expectEmbedded(page: Page, inside: FrameLocator): Promise<void> {
  await expect(inside.getByRole('link', { name: 'Open full app' })).toBeVisible();
  await expect(inside.getByRole('button', { name: /^Account of / })).toHaveCount(0);
  await expect(inside.getByRole('link', { name: 'Admin' })).toHaveCount(0);
  const frame = page.locator('iframe');
  const root = inside.locator('html');
  for (const width of [480, 320]) {
    await frame.evaluate((element, to) => element.setAttribute('width', String(to)), width);
    await expect.poll(() => root.evaluate((element) => element.clientWidth)).toBe(width);
    await expect.poll(() => root.evaluate((element) => element.scrollWidth)).toBe(width);
    const beyond = () =>
      inside.locator('main').evaluate((main, most) => {
        // The tools of a list are one line that scrolls by itself.
        const all = [main, ...main.querySelectorAll('*')].filter(
          (one) => !one.parentElement?.closest('[class*="tools"]'),
        );
        return all.filter((one) => one.getBoundingClientRect().right > most + 1 && one.checkVisibility()).length;
      }, width);
    await expect.poll(beyond).toBe(0);
  }
  const atBottom = await root.evaluate((element) => {
    const view = element.ownerDocument.defaultView;
    return [...element.querySelectorAll('*')].filter((one) => {
      const style = view?.getComputedStyle(one);
      return style?.position === 'fixed' && style.bottom === '0px' && one.checkVisibility();
    }).length;
  });
  expect(atBottom).toBe(0);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(root).toHaveAttribute('data-mantine-color-scheme', 'light');
  await page.emulateMedia({ colorScheme: null });
  await frame.evaluate((element) => element.setAttribute('width', '480'));
}

const RECORD_NUMBER = { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/v2-0203', code: 'MR' }] };

test('an EHR shows its patient or the inbox in a frame, expires to the timeout page, and no other site can frame us', async ({
  page,
  office,
  scene,
  startExternalSystem,
  complaints,
  db,
}) => {
  complaints.expect(
    /frame-ancestors|status of 401|ERR_FAILED .*\/api\/live|Failed to load resource: net::ERR_BLOCKED_BY_RESPONSE/,
  );
  const [ann, bob] = scene.people as [Person, Person];
  const stranger = scene.stranger();
  for (const person of [ann, bob]) await scene.hospital.send('A01', person);
  const user = await scene.user('administrator');
  const ehr = await startExternalSystem('ehr', {
    email: user.username,
    launches: {
      'with a patient': { patient: 'p-1' },
      'with another': { patient: 'p-2' },
      'with a stranger': { patient: 'p-3' },
      'with nobody': {},
    },
    patients: [ann, bob, stranger].map(({ birthDate, memberId }, index) => ({
      id: `p-${index + 1}`,
      resourceType: 'Patient',
      birthDate,
      identifier: [{ type: RECORD_NUMBER, value: memberId }],
    })),
  });
  const request = page.request;
  await request.post('/api/authenticate', { data: { username: user.username, password: scene.password } });
  const made = await request.post('/api/admin/sso-connections', {
    headers: { 'x-ping-team-id': scene.team.id },
    data: {
      kind: 'SMART',
      name: 'EHR',
      isEnabled: true,
      domains: [user.username.split('@')[1]],
      issuer: ehr.url,
      clientId: ehr.clientId,
      clientSecret: ehr.clientSecret,
      entryPoint: null,
      certificates: [],
      allowedOrigins: [ehr.url],
      applicationExperience: 'JANUS_EHR_SSO',
    },
  });
  expect(made.status()).toBe(200);
  await approveDomains(db, scene.team.organizationId);
  await page.context().clearCookies();

  const chart = (launch: string, at = ehr.url): string =>
    `${at}/chart?${new URLSearchParams({ app: runningServer().url, launch }).toString()}`;
  const inside = page.frameLocator('iframe');
  const frameUrl = () => page.frames().at(-1)?.url() ?? '';
  await page.goto(chart('with a patient'));
  await expect(inside.getByText(ann.family.toUpperCase()).first()).toBeVisible();
  expect(frameUrl()).toMatch(/\/ehr\/patients\/\d+_\d+$/);
  await expectEmbedded(page, inside);

  // Another patient's chart is opened beside this one: no one may act on the wrong patient. The live stream ends this page's session…
  const beside = await page.context().newPage();
  await beside.goto(chart('with another'));
  await expect(beside.frameLocator('iframe').getByText(bob.family.toUpperCase()).first()).toBeVisible();
  await expect(inside.getByText('The product session has timed out.', { exact: false })).toBeVisible();
  await expect(inside.getByText(ann.family.toUpperCase())).toHaveCount(0);
  // …and without the stream, the page learns of the other launch.
  await page.route('**/api/live?*', (route) => route.abort());
  await page.goto(chart('with a patient'));
  await expect(inside.getByText(ann.family.toUpperCase()).first()).toBeVisible();
  await beside.goto(chart('with another'));
  const notice = inside.getByRole('dialog', { name: 'The EHR is now showing a different patient. Reload.' });
  await expect(notice.getByText(`${ann.family.toUpperCase()}, ${ann.given}`)).toBeVisible();
  await expect(notice.getByText(`${bob.family.toUpperCase()}, ${bob.given}`)).toBeVisible();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await expect(notice).toBeVisible();
  await notice.getByRole('button', { name: 'Reload' }).click();
  await expect(inside.getByRole('heading', { level: 1, name: bob.family.toUpperCase() })).toBeVisible();
  // A patient who is on none of the lists: the chart beside says so, and this page is about someone else.
  await beside.goto(chart('with a stranger'));
  const unknown = `No match on your team’s lists for record number ${stranger.memberId}`;
  await expect(beside.frameLocator('iframe').getByText(unknown, { exact: false })).toBeVisible();
  await expect(notice.getByText(`Record number ${stranger.memberId}, not on your team’s lists`)).toBeVisible();
  await notice.getByRole('button', { name: 'Reload' }).click();
  await expect(inside.getByText(unknown, { exact: false })).toBeVisible();
  await beside.close();
  await page.unroute('**/api/live?*');

  await page.goto(chart('with nobody'));
  await expect(inside.getByRole('heading', { level: 1, name: 'Pings' })).toBeVisible();
  expect(frameUrl()).toMatch(/\/ehr\/inbox$/);
  await expectEmbedded(page, inside);
  const [whole] = await Promise.all([
    page.waitForEvent('popup'),
    inside.getByRole('link', { name: 'Open full app' }).click(),
  ]);
  await expect(whole.getByRole('button', { name: /^Account of / })).toBeVisible();
  await whole.close();

  await request.post('/api/logout');
  await expect(inside.getByText('The product session has timed out. Refresh the page to renew it.')).toBeVisible();
  await expect(inside.getByText(/^© \d{4} /)).toBeVisible();
  await page.reload();
  await expect(inside.getByRole('heading', { level: 1, name: 'Pings' })).toBeVisible();

  // Pending calls of the page would be refused differently.
  await page.goto('about:blank');
  await office.age(user, { disabled_at: 0 });
  await page.goto(chart('with nobody'));
  await expect(inside.getByRole('alert')).toHaveText(PROBLEM);
  expect(frameUrl()).toContain('/launch-failed?');
  await expect(inside.getByLabel('Username')).toHaveCount(0);
  const [window_] = await Promise.all([
    page.waitForEvent('popup'),
    inside.getByRole('link', { name: 'Open sign-in in a new window' }).click(),
  ]);
  await expect(window_.getByLabel('Username')).toBeVisible();

  await page.goto(chart('with nobody', ehr.url.replace('127.0.0.1', 'localhost')));
  await expect.poll(frameUrl).toBe('chrome-error://chromewebdata/');
});
