/** Many calls of one provider, and what happens while they wait for each other. */
import { expect, test } from 'vitest';
import { lockProvisioning } from '#server/people/admin/administer.ts';
import { signIn, startApp } from '#server/testing/app.ts';
import { provisioned } from '#server/testing/provisioned.ts';

const app = await startApp();
const { make, database } = app;

/** Runs `fn` while a change of the organization's accounts takes its time. */
const whileBusy = <T>({ organizationId }: { organizationId: string }, fn: () => Promise<T>): Promise<T> =>
  database.owner.transaction(async (tx) => {
    await lockProvisioning(tx, { organizationId });
    return fn();
  });

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 5));
}

const isWaiting = async (): Promise<boolean> =>
  (await database.owner.query("select from pg_locks where locktype = 'advisory' and not granted")).rowCount > 0;

test('calls of one provider that wait keep nobody of another organization waiting', async () => {
  const busy = await provisioned(app);
  const other = await provisioned(app);
  const nurse = await signIn(app, (await make.user({ team: other.team })).username);
  const colleague = await make.user({ team: other.office, role: 'clinician' });
  const calls = await whileBusy(busy, async () => {
    const flood = Array.from({ length: 30 }, () => busy.ada());
    await until(isWaiting);
    expect(await other.ada()).toMatchObject({ status: 201 });
    await nurse.call('GET /api/me', {});
    await other.admin.call('POST /api/admin/users/:id/disable', { params: { id: colleague.id } });
    return flood;
  });
  for (const call of await Promise.all(calls)) expect(call).toMatchObject({ status: 201 });
});

test('a call that waits when its token is revoked changes nothing', async () => {
  const world = await provisioned(app);
  const waiting = await whileBusy(world, async () => {
    const call = world.ada();
    await until(isWaiting);
    await database.owner.query('update scim_tokens set revoked_at = $1 where connection_id = $2', [
      app.clock.now(),
      world.connection.id,
    ]);
    return [call];
  });
  expect(await waiting[0]).toMatchObject({ status: 401 });
});
