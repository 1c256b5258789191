import { expect, test } from 'vitest';
import { administration, refusal } from '#server/testing/administration.ts';
import { anonymous, startApp, TEST_PASSWORD } from '#server/testing/app.ts';
import { trySignIn } from '#server/testing/sign-ins.ts';

const app = await startApp();
const { organization, rows } = administration(app);
const PUT = 'PUT /api/admin/sign-in-policy';

test('who manages the whole organization requires a second factor from the next sign-in on, and the audit log shows it', async () => {
  const { admin, adminId, organizationId, team } = await organization();
  const { username } = await app.make.user({ team });
  const policy = () => admin.call('GET /api/admin/sign-in-policy', {});
  expect(await policy()).toEqual({ requiresSecondFactor: false, requiresOfAdministrators: false });
  for (const _ of [1, 2]) await admin.call(PUT, { body: { requiresSecondFactor: true } });
  expect((await policy()).requiresSecondFactor).toBe(true);
  expect(await trySignIn(anonymous(app), username, TEST_PASSWORD)).toBe('enroll');
  const { changes } = await admin.call('GET /api/admin/changes', { query: { kind: 'directory' } });
  expect(changes).toMatchObject([
    { action: 'organization.change', by: { id: adminId }, subject: { id: organizationId } },
  ]);
  await admin.call(PUT, { body: { requiresSecondFactor: false } });
  expect(await trySignIn(anonymous(app), username, TEST_PASSWORD)).toBe('home');
});

test('who manages only a part of it cannot change it, and another organization is not touched', async () => {
  const [here, elsewhere] = [await organization(), await organization()];
  await app.make.user({ team: here.other });
  expect(await refusal(here.admin.call(PUT, { body: { requiresSecondFactor: true } }))).toBe('NOT_PERMITTED');
  await elsewhere.admin.call(PUT, { body: { requiresSecondFactor: true } });
  expect(await rows('select requires_second_factor from organizations where id = $1', [here.organizationId])).toEqual([
    { requires_second_factor: false },
  ]);
});
