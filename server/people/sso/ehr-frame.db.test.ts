import { afterAll, expect, test } from 'vitest';
import { outgoingFetch } from '#server/platform/http/outgoing.ts';
import { anonymous, startApp } from '#server/testing/app.ts';
import { startEhr } from '#server/testing/ehr.ts';
import { connect, organizationWithAdministrator, pathOf } from '#server/testing/sso.ts';

const ehr = await startEhr();
/** Over https we contact no EHR by plain http. This one appears to be at https, as if behind a proxy that ends TLS. */
const EHR = 'https://ehr.test';
const here = (address: string): string => address.replace(EHR, ehr.url);
const local = outgoingFetch(['127.0.0.0/8']);
const app = await startApp({
  config: { publicUrl: 'https://tidings.test' },
  outgoing: (address, init) => local(here(address), init),
});
const { admin, team } = await organizationWithAdministrator(app);
const user = await app.make.user({ team });

ehr.metadata = {
  issuer: EHR,
  authorization_endpoint: `${EHR}/authorize`,
  token_endpoint: `${EHR}/token`,
  jwks_uri: `${EHR}/jwks`,
};
ehr.claims = { iss: EHR, email: user.username, email_verified: true };
await connect(app, admin, { kind: 'SMART', issuer: EHR, clientId: ehr.clientId, clientSecret: ehr.clientSecret });
afterAll(ehr.close);

/** Launches in a browser that says whether we are in a frame. Returns the cookies that we set. */
async function launch(destination: 'iframe' | 'document') {
  const headers = { 'sec-fetch-dest': destination };
  const client = anonymous(app);
  const start = await client.fetch(`/api/ehr/launch?iss=${encodeURIComponent(EHR)}&launch=1`, { headers });
  const back = await fetch(here(start.headers.get('location') ?? ''), { redirect: 'manual' });
  const end = await client.fetch(pathOf(back.headers.get('location')), { headers });
  expect(end.headers.get('location')).toBe('/ehr/inbox');
  expect((await client.call('GET /api/me', {})).user.id).toBe(user.id);
  return { begun: start.headers.getSetCookie().join(), ended: end.headers.getSetCookie().join() };
}

test('in a frame the session’s cookie is partitioned and allowed from other sites', async () => {
  const { begun, ended } = await launch('iframe');
  expect(begun).toMatch(
    /^__Host-tidings_sso=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; Secure; Partitioned; SameSite=None$/,
  );
  expect(ended).toMatch(/^__Host-tidings_session=[\w-]{43}; Path=\/; HttpOnly; Secure; Partitioned; SameSite=None,/);
});

test('in a window of its own the session’s cookie is the default one', async () => {
  const { ended } = await launch('document');
  expect(ended).toMatch(/^__Host-tidings_session=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax,/);
});

test('a call that changes something is refused from another site, whatever the cookies allow', async () => {
  const client = anonymous(app);
  const headers = { 'sec-fetch-site': 'cross-site' };
  expect((await client.fetch('/api/logout', { method: 'POST', headers })).status).toBe(403);
});
