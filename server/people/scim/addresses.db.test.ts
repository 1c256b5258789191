/** What becomes of an account that an identity provider gives another address. */
import { expect, test } from 'vitest';
import { refusal } from '#server/testing/administration.ts';
import { anonymous, signIn, startApp, TEST_PASSWORD } from '#server/testing/app.ts';
import { lettersTo } from '#server/testing/letters.ts';
import { provisioned } from '#server/testing/provisioned.ts';

const app = await startApp();
const { make, database } = app;

test('the owner hears at the old address that the username is another one', async () => {
  const { scim, domain, team } = await provisioned(app);
  const { id, username } = await make.user({ team, username: `rosa@${domain}` });
  const renamed = { op: 'replace', path: 'userName', value: `someone@${domain}` };
  await scim.call('PATCH', `/Users/${id}`, { Operations: [renamed] });
  expect((await lettersTo(database, username)).map(({ body }) => body)).toEqual([
    expect.stringContaining(`someone@${domain}`),
  ]);
  expect(await lettersTo(database, renamed.value)).toEqual([]);
});

test('whoever gets an account by another address signs in at the provider, not with its password or a mailed link', async () => {
  const { scim, domain, team } = await provisioned(app);
  const { id, username } = await make.user({ team, username: `rosa@${domain}` });
  const rosa = await signIn(app, username);
  const renamed = { op: 'replace', path: 'userName', value: `mallory@${domain}` };
  expect((await scim.call('PATCH', `/Users/${id}`, { Operations: [renamed] })).status).toBe(200);
  expect(await refusal(rosa.call('GET /api/me', {}))).toBe('NOT_SIGNED_IN');
  const body = { username: renamed.value, password: TEST_PASSWORD };
  expect(await refusal(anonymous(app).call('POST /api/authenticate', { body }))).toBe('WRONG_PASSWORD');
  await anonymous(app)
    .call('GET /api/password/forgot', { query: { username: renamed.value } })
    .catch(() => undefined);
  expect(await lettersTo(database, renamed.value)).toEqual([]);
});

test('the address of whoever manages users stays', async () => {
  const { scim, domain, team } = await provisioned(app);
  const { id, username } = await make.user({ team, role: 'administrator', username: `desmond@${domain}` });
  const renamed = { op: 'replace', path: 'userName', value: `mallory@${domain}` };
  expect(await scim.call('PATCH', `/Users/${id}`, { Operations: [renamed] })).toMatchObject({
    status: 400,
    body: { scimType: 'mutability' },
  });
  await signIn(app, username);
});
