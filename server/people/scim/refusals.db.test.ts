/** What a provider reads in its log when a call is refused. */
import { expect, test } from 'vitest';
import { SCIM_ERROR, SCIM_TYPE } from '#contract/scim.ts';
import { startApp } from '#server/testing/app.ts';
import { provisioned } from '#server/testing/provisioned.ts';

const app = await startApp();
const { make } = app;

test('a refusal is for the log of a provider: a sentence, the credentials that are wanted, and the standard’s form', async () => {
  const { scim, token, domain, team } = await provisioned(app);
  const { id, username } = await make.user({ team, username: `noor@${domain}` });
  for (const filter of [`emails[type eq "work"].value eq "${username}"`, `emails.value eq "${username}"`])
    expect((await scim.call('GET', `/Users?filter=${encodeURIComponent(filter)}`)).body).toMatchObject({
      totalResults: 1,
      Resources: [{ id }],
    });
  const at = (path: string, headers: Record<string, string>, body?: string) =>
    fetch(`${app.url}/api/scim/v2${path}`, { method: 'POST', headers, ...(body === undefined ? {} : { body }) });
  const stranger = await at('/Users', {});
  expect(stranger.headers.get('www-authenticate')).toBe('Bearer');
  expect(await stranger.json()).toEqual({
    schemas: [SCIM_ERROR],
    status: '401',
    detail: expect.stringContaining('The token is missing, wrong, expired or revoked.') as string,
  });
  const broken = await at('/Users', { authorization: `Bearer ${token}`, 'content-type': SCIM_TYPE }, '{"userName":');
  expect(await broken.json()).toEqual({
    schemas: [SCIM_ERROR],
    status: '400',
    scimType: 'invalidSyntax',
    detail: 'body: The body is not valid JSON.',
  });
  for (const path of ['/Bulk', '/Me', '/nothing'])
    expect(await scim.call('POST', path, {})).toMatchObject({
      status: 404,
      type: expect.stringContaining(SCIM_TYPE) as string,
      body: { schemas: [SCIM_ERROR], status: '404' },
    });
});

test('a token is asked for before a large body is read', async () => {
  const { connection } = await provisioned(app);
  const body = '['.repeat(3_000_000);
  for (const authorization of [undefined, `Bearer ${'x'.repeat(43)}`]) {
    const headers = { 'content-type': SCIM_TYPE, ...(authorization === undefined ? {} : { authorization }) };
    const answer = await fetch(`${app.url}/api/scim/v2/Groups/${connection.id}`, { method: 'PATCH', headers, body });
    expect(answer.status).toBe(401);
  }
});
