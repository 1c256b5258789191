import { expect, test } from 'vitest';
import type { SsoConnection } from '#contract/admin.ts';
import { administration, refusal } from '#server/testing/administration.ts';
import { anonymous, type CallError, signIn, startApp, TEST_PASSWORD } from '#server/testing/app.ts';
import { trySignIn } from '#server/testing/sign-ins.ts';
import { organizationWithAdministrator } from '#server/testing/sso.ts';

const app = await startApp();
const { organization, rows } = administration(app);
const PUT = 'PUT /api/admin/sign-in-policy';
const MINUTE = 60_000;
const NO_RULES = { requiresSecondFactor: false, requiresSso: false, sessionHours: null, inactivityMinutes: null };

test('who manages the whole organization requires a second factor from the next sign-in on, and the audit log shows it', async () => {
  const { admin, adminId, organizationId, team } = await organization();
  const { username } = await app.make.user({ team });
  const policy = () => admin.call('GET /api/admin/sign-in-policy', {});
  expect(await policy()).toEqual({
    ...NO_RULES,
    requiresOfAdministrators: false,
    mostSessionHours: 12,
    withoutSso: 2,
    hasSso: false,
  });
  for (const _ of [1, 2]) await admin.call(PUT, { body: { ...NO_RULES, requiresSecondFactor: true } });
  expect((await policy()).requiresSecondFactor).toBe(true);
  expect(await trySignIn(anonymous(app), username, TEST_PASSWORD)).toBe('enroll');
  const { changes } = await admin.call('GET /api/admin/changes', { query: { kind: 'directory' } });
  expect(changes).toMatchObject([
    { action: 'organization.change', by: { id: adminId }, subject: { id: organizationId } },
  ]);
  await admin.call(PUT, { body: NO_RULES });
  expect(await trySignIn(anonymous(app), username, TEST_PASSWORD)).toBe('home');
});

test('who manages only a part of it cannot change it, and another organization is not touched', async () => {
  const [here, elsewhere] = [await organization(), await organization()];
  await app.make.user({ team: here.other });
  expect(await refusal(here.admin.call(PUT, { body: { ...NO_RULES, requiresSecondFactor: true } }))).toBe(
    'NOT_PERMITTED',
  );
  await elsewhere.admin.call(PUT, { body: { ...NO_RULES, requiresSecondFactor: true } });
  expect(await rows('select requires_second_factor from organizations where id = $1', [here.organizationId])).toEqual([
    { requires_second_factor: false },
  ]);
});

test('an organization that demands single sign-on lets nobody in by password, and no administrator locks everyone out', async () => {
  const { id: organizationId } = await app.make.organization();
  const group = await app.make.group({ organizationId });
  const team = await app.make.team({ organizationId, groupIds: [group.id] });
  const boss = await app.make.user({ team, role: 'administrator', username: 'boss@sso-only.test' });
  const nurse = await app.make.user({ team, username: 'nurse@elsewhere.test' });
  const admin = await signIn(app, boss.username);
  const demanded = { ...NO_RULES, requiresSso: true };
  expect(await refusal(admin.call(PUT, { body: demanded }))).toBe('BAD_REQUEST');
  const connection = await app.make.connection({ organizationId, domains: ['other.test'] });
  // An identity provider is there, but does not know the only administrator.
  expect(await refusal(admin.call(PUT, { body: demanded }))).toBe('LAST_ADMINISTRATOR');
  await rows('update sso_connections set domains = $1 where id = $2', [['sso-only.test'], connection.id]);
  await rows(
    "insert into email_domains (organization_id, domain, verified_at, verified_by) values ($1, 'sso-only.test', now(), 'OPERATOR')",
    [organizationId],
  );
  expect(await admin.call('GET /api/admin/sign-in-policy', {})).toMatchObject({ hasSso: true, withoutSso: 1 });
  await admin.call(PUT, { body: demanded });
  for (const { username } of [boss, nurse]) {
    // The form does not tell whether the password is right, not even by a lock.
    for (const password of [TEST_PASSWORD, 'not the password']) {
      const stranger = anonymous(app);
      const answers = [];
      for (let i = 0; i < 3; i++) answers.push(await trySignIn(stranger, username, password));
      expect(answers).toEqual(['WRONG_PASSWORD', 'WRONG_PASSWORD', 'LOCKED']);
      await rows('delete from sign_in_places');
    }
  }
  // Sessions of today go on, so the administrator can take it back.
  await admin.call(PUT, { body: NO_RULES });
  await signIn(app, nurse.username);
});

test('the only connection of an organization that demands single sign-on cannot be given up', async () => {
  const { team, organizationId, admin } = await organizationWithAdministrator(app);
  // An operator among the administrators could still sign in, but nobody else.
  const operator = await signIn(
    app,
    (await app.make.user({ team, role: 'administrator', isOperator: true, username: 'operator@only.test' })).username,
  );
  const connection = await app.make.connection({ organizationId, domains: ['only.test'] });
  await rows("update email_domains set verified_by = 'OPERATOR' where organization_id = $1", [organizationId]);
  await rows('update sso_connections set tested_at = now() where id = $1', [connection.id]);
  const listed = async () => {
    const all = await admin.call('GET /api/admin/sso-connections', {});
    return all.find(({ id }) => id === connection.id) as SsoConnection;
  };
  expect((await listed()).isOnlyWayIn).toBe(false);
  await admin.call(PUT, { body: { ...NO_RULES, requiresSso: true } });
  expect((await listed()).isOnlyWayIn).toBe(true);
  const params = { id: connection.id };
  const change = async (over: object) =>
    admin.call('PUT /api/admin/sso-connections/:id', { params, body: { ...(await listed()), ...over } });
  const attempts = [
    () => change({ isEnabled: false }),
    () => change({ domains: [] }),
    () => admin.call('DELETE /api/admin/sso-connections/:id', { params }),
    () => operator.call('POST /api/admin/sso-connections/:id/revoke-domain', { params, body: { domain: 'only.test' } }),
  ];
  for (const attempt of attempts) expect(await refusal(attempt())).toBe('STILL_NEEDED');
  expect(await listed()).toMatchObject({ isEnabled: true, domainStates: [{ verifiedBy: 'OPERATOR' }] });
  await admin.call(PUT, { body: NO_RULES });
  expect(await refusal(change({ isEnabled: false }))).toBe(null);
  // Nor can it be demanded with a connection whose domains are not verified.
  await rows('update sso_connections set is_enabled = true where id = $1', [connection.id]);
  await rows('update email_domains set verified_at = null, verified_by = null where organization_id = $1', [
    organizationId,
  ]);
  expect(await refusal(operator.call(PUT, { body: { ...NO_RULES, requiresSso: true } }))).toBe('BAD_REQUEST');
});

test('numbers that no session could have are refused in words', async () => {
  const { admin } = await organization();
  const fieldsOf = (rules: object) =>
    admin.call(PUT, { body: { ...NO_RULES, ...rules } }).then(
      () => null,
      (error: unknown) => (error as CallError).body.fields,
    );
  expect(await fieldsOf({ sessionHours: 13 })).toEqual({
    sessionHours: 'Enter 12 hours at most: no session lasts longer here.',
  });
  for (const sessionHours of [0, 1.5, 169])
    expect(await fieldsOf({ sessionHours })).toEqual({ sessionHours: 'Enter a whole number of hours, at least 1.' });
  expect(await fieldsOf({ inactivityMinutes: 41 })).toEqual({
    inactivityMinutes: 'Enter a whole number of minutes from 10 to 40.',
  });
  expect(await fieldsOf({ sessionHours: 12 })).toBe(null);
});

test('sessions end as early as the organization says, for its own people only', async () => {
  const [here, elsewhere] = [await organization(), await organization()];
  const rules = { ...NO_RULES, sessionHours: 2, inactivityMinutes: 15 };
  await here.admin.call(PUT, { body: rules });
  expect(await here.admin.call('GET /api/me', {})).toMatchObject({ inactivityMinutes: 15 });
  expect(await elsewhere.admin.call('GET /api/me', {})).toMatchObject({ inactivityMinutes: 40 });
  const ends = async () =>
    Date.parse((await here.admin.call('POST /api/session/activity', {})).endsAt) - app.clock.now().getTime();
  expect(await ends()).toBe(15 * MINUTE);
  for (let minutes = 10; minutes < 120; minutes += 10) {
    app.clock.advance(10 * MINUTE);
    await here.admin.call('POST /api/session/activity', {});
    await elsewhere.admin.call('POST /api/session/activity', {});
  }
  expect(await ends()).toBe(10 * MINUTE);
  app.clock.advance(10 * MINUTE);
  expect(await refusal(here.admin.call('GET /api/me', {}))).toBe('NOT_SIGNED_IN');
  expect(await refusal(elsewhere.admin.call('GET /api/me', {}))).toBe(null);
  const again = await signIn(app, here.adminName);
  app.clock.advance(15 * MINUTE);
  expect(await refusal(again.call('GET /api/me', {}))).toBe('NOT_SIGNED_IN');
  expect(await refusal(elsewhere.admin.call('GET /api/me', {}))).toBe(null);
});
