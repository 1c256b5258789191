/** The page of another system among the spotlights: who sets it, at which hosts, and who sees it. */
import { expect, test } from 'vitest';
import type { Permission } from '#contract/permissions.ts';
import { signIn, startApp } from '#server/testing/app.ts';
import { errorOf } from '#server/testing/calls.ts';

const HOST = 'tableau.example';
const app = await startApp({ config: { embedHosts: [HOST] } });
const { make } = app;
const team = await make.team();
const user = async (added: Permission[] = [], of = team) =>
  signIn(app, (await make.user({ team: of, role: 'administrator', added })).username);
const admin = await user(['canViewSpotlightsWithTableau']);
const URL_OF_PAGE = `https://${HOST}/views/Readmissions?:embed=y`;
const set = (embeddedSpotlights: string | null) => ({ body: { embeddedSpotlights } });

test('an administrator sets the page, and those with the permission get it', async () => {
  expect(await admin.call('GET /api/spotlights/embedded', {})).toEqual({ url: null });
  await admin.call('PUT /api/admin/record-settings', set(URL_OF_PAGE));
  expect(await admin.call('GET /api/spotlights/embedded', {})).toEqual({ url: URL_OF_PAGE });
  expect(await errorOf(await user(), 'GET /api/spotlights/embedded', {})).toMatchObject({ errorKey: 'NOT_PERMITTED' });
  const elsewhere = await user(['canViewSpotlightsWithTableau'], await make.team());
  expect(await elsewhere.call('GET /api/spotlights/embedded', {})).toEqual({ url: null });
  await admin.call('PUT /api/admin/record-settings', { body: { allowsEmergencyAccess: true } });
  expect(await admin.call('GET /api/spotlights/embedded', {})).toEqual({ url: URL_OF_PAGE });
  await admin.call('PUT /api/admin/record-settings', set(null));
  expect(await admin.call('GET /api/spotlights/embedded', {})).toEqual({ url: null });
});

test('only https pages of hosts that the installation allows are taken', async () => {
  for (const wrong of [
    'http://tableau.example/x',
    'https://evil.example/x',
    'https://tableau.example.evil.example/x',
    'https://me@tableau.example/x',
    'https://tableau.example:8443/x',
    'javascript:alert(1)',
    'https://tableau.example\\@evil.example/',
  ])
    expect([wrong, (await errorOf(admin, 'PUT /api/admin/record-settings', set(wrong))).status]).toEqual([wrong, 400]);
});

test('pages may frame the allowed host and no other', async () => {
  const response = await admin.fetch('/api/me');
  expect(response.headers.get('content-security-policy')).toContain(`frame-src 'self' https://${HOST};`);
});
