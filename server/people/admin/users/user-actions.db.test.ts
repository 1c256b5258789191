import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { invitation } from '#server/testing/account-bodies.ts';
import { administration, refusal } from '#server/testing/administration.ts';
import { anonymous, signIn, startApp } from '#server/testing/app.ts';
import { lettersTo, tokenIn } from '#server/testing/letters.ts';

const app = await startApp();
const { make, database, clock } = app;
const { rows, organization } = administration(app);

test('disabling ends sessions and live streams right away; enabling allows sign-in again', async () => {
  const { admin, team } = await organization();
  const user = await make.user({ team, role: 'care coordinator' });
  const params = { id: user.id };
  const colleague = await signIn(app, user.username);
  const stream = await colleague.fetch(`/api/live?teamId=${team.id}`);
  const text = stream.text();
  await admin.call('POST /api/admin/users/:id/disable', { params });
  // Sooner than the stream's own check of its session, every 20 s.
  expect(await Promise.race([text, sleep(15_000, 'still open')])).toContain('event: ended');
  expect(await refusal(colleague.call('GET /api/me', {}))).toBe('NOT_SIGNED_IN');
  expect(await refusal(signIn(app, user.username))).toBe('USER_DISABLED');
  expect(await admin.call('GET /api/admin/users/:id', { params })).toMatchObject({ status: 'DISABLED' });
  await admin.call('POST /api/admin/users/:id/enable', { params });
  expect(await refusal(colleague.call('GET /api/me', {}))).toBe('NOT_SIGNED_IN');
  await signIn(app, user.username);
  expect(await admin.call('GET /api/admin/users/:id', { params })).toMatchObject({ status: 'ACTIVE' });
});

test('disabling several accounts returns who was refused and why; the others are signed out right away', async () => {
  const { admin, adminId, team, other } = await organization();
  const [one, two] = [await make.user({ team }), await make.user({ team })];
  const foreign = await organization();
  const far = await make.user({ team: other });
  const boss = await make.user({ team, role: 'viewer', isOperator: true });
  const client = await signIn(app, two.username);
  const text = (await client.fetch(`/api/live?teamId=${team.id}`)).text();
  const change = { kind: 'DISABLE' } as const;
  const ids = [one.id, far.id, foreign.adminId, adminId, boss.id, two.id, one.id];
  const answer = await admin.call('POST /api/admin/users/change', { body: { ids, change } });
  expect(answer).toEqual({
    changed: [one.id, two.id],
    refused: [
      { id: far.id, errorKey: 'NOT_PERMITTED', message: expect.any(String) as string },
      { id: foreign.adminId, errorKey: 'NOT_FOUND', message: expect.any(String) as string },
      { id: adminId, errorKey: 'LAST_ADMINISTRATOR', message: expect.any(String) as string },
      { id: boss.id, errorKey: 'NOT_PERMITTED', message: expect.any(String) as string },
    ],
  });
  expect(await text).toContain('event: ended');
  expect(await refusal(client.call('GET /api/me', {}))).toBe('NOT_SIGNED_IN');
  expect(await refusal(signIn(app, one.username))).toBe('USER_DISABLED');
  await signIn(app, far.username);
  await admin.call('GET /api/me', {});
  const entries = () =>
    rows<{ id: string }>(
      "select subject_id::text as id from audit_entries where action = 'user.disable' and user_id = $1 order by id",
      [adminId],
    );
  expect((await entries()).map(({ id }) => id)).toEqual([one.id, two.id]);

  // A client that missed the answer asks again; nothing happens twice.
  expect(await admin.call('POST /api/admin/users/change', { body: { ids: [two.id], change } })).toEqual({
    changed: [two.id],
    refused: [],
  });
  expect(await entries()).toHaveLength(2);
});

test('an administrator can end sessions and remove second factors', async () => {
  const { admin, team } = await organization();
  const user = await make.user({ team });
  const params = { id: user.id };
  const colleague = await signIn(app, user.username);
  await database.pipeline.query(
    "update users set mfa_opted_in = true, mfa_secret = 'x', mfa_last_step = 1 where id = $1",
    [user.id],
  );
  await database.pipeline.query("insert into recovery_codes (user_id, code_hash) values ($1, '\\x01')", [user.id]);
  await database.pipeline.query(
    "insert into passkeys (user_id, credential_id, public_key, counter, name, created_at) values ($1, $2, '\\x01', 0, 'Key', $3)",
    [user.id, `credential ${user.id}`, clock.now()],
  );
  expect(await admin.call('GET /api/admin/users/:id', { params })).toMatchObject({
    mfaOptedIn: true,
    hasPasskey: true,
  });
  await admin.call('POST /api/admin/users/:id/reset-mfa', { params });
  expect(await admin.call('GET /api/admin/users/:id', { params })).toMatchObject({
    mfaOptedIn: false,
    hasPasskey: false,
  });
  expect(await rows('select mfa_secret, mfa_last_step from users where id = $1', [user.id])).toEqual([
    { mfa_secret: null, mfa_last_step: null },
  ]);
  expect(await rows('select from recovery_codes where user_id = $1', [user.id])).toEqual([]);
  expect(await rows('select from passkeys where user_id = $1', [user.id])).toEqual([]);
  await colleague.call('GET /api/me', {});
  await admin.call('POST /api/admin/users/:id/end-sessions', { params });
  expect(await refusal(colleague.call('GET /api/me', {}))).toBe('NOT_SIGNED_IN');
});

test('an account is shown as locked after 90 days without a sign-in, until its owner sets a password by mail', async () => {
  const { admin, team } = await organization();
  const { id } = await make.user({ team });
  const ago = (days: number) => new Date(clock.now().getTime() - days * 86_400_000);
  const status = async () => (await admin.call('GET /api/admin/users/:id', { params: { id } })).status;
  await database.pipeline.query(
    'update users set activated_at = $2, current_login_at = $3, password_changed_at = $2 where id = $1',
    [id, ago(200), ago(90)],
  );
  expect(await status()).toBe('LOCKED');
  await database.pipeline.query('update users set password_changed_at = $2 where id = $1', [id, ago(0)]);
  expect(await status()).toBe('ACTIVE');
});

test('only accounts waiting for activation get the mail again, and only the newest link works', async () => {
  const { admin, granted, team } = await organization();
  const { id } = await admin.call('POST /api/users', { body: invitation([await granted('viewer')]) });
  const tokens = () =>
    rows<{ hash: string }>("select encode(token_hash, 'hex') as hash from account_tokens where user_id = $1", [id]);
  const before = await tokens();
  await admin.call('POST /api/admin/users/:id/resend-activation', { params: { id } });
  const after = await tokens();
  expect(after).toHaveLength(1);
  expect(after).not.toEqual(before);
  const active = await make.user({ team });
  expect(await refusal(admin.call('POST /api/admin/users/:id/resend-activation', { params: { id: active.id } }))).toBe(
    'BAD_REQUEST',
  );
});

test('a locked user gets a link that unlocks, as often as an administrator sends it', async () => {
  const { admin, adminId, team, other } = await organization();
  const { id, username } = await make.user({ team });
  const params = { id };
  const send = () => admin.call('POST /api/admin/users/:id/send-unlock', { params });
  const status = async () => (await admin.call('GET /api/admin/users/:id', { params })).status;
  expect(await refusal(send())).toBe('BAD_REQUEST');
  for (let i = 0; i < 3; i++) await refusal(signIn(app, username, 'wrong'));
  expect(await status()).toBe('LOCKED');
  await send();
  await send();
  const letters = await lettersTo(database, username);
  expect(letters.map(({ subject }) => subject)).toEqual(Array(3).fill('Unlock your Tidings account'));
  expect(letters.at(-1)?.body).toContain('an administrator sent you this link');
  const body = { token: tokenIn(letters.at(-1)), password: 'Quiet-Harbor-71' };
  await anonymous(app).call('POST /api/password/set', { body });
  expect(await status()).toBe('ACTIVE');
  const far = await make.user({ team: other });
  for (let i = 0; i < 3; i++) await refusal(signIn(app, far.username, 'wrong'));
  const theirs = admin.call('POST /api/admin/users/:id/send-unlock', { params: { id: far.id } });
  expect(await refusal(theirs)).toBe('NOT_PERMITTED');
  const entries = await rows(
    "select from audit_entries where action = 'user.send-unlock' and user_id = $1 and subject_id = $2",
    [adminId, id],
  );
  expect(entries).toHaveLength(2);
});
