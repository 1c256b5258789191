/** Set-up for tests of administration. */
import type { Grant } from '#contract/admin.ts';
import type { ErrorKey } from '#contract/errors.ts';
import { CallError, signIn, type TestApp } from './app.ts';

/** Returns the errorKey that a call fails with, or null if it succeeds. */
export async function refusal(call: Promise<unknown>): Promise<ErrorKey | null> {
  try {
    await call;
    return null;
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    return error.body.errorKey;
  }
}

export function administration(app: TestApp) {
  const { make, database } = app;

  const rows = async <R extends object>(text: string, values: unknown[] = []) =>
    (await database.pipeline.query<R>(text, values)).rows;

  /** Returns the id of a standard role. */
  const roleId = async (name: string): Promise<string> =>
    (await rows<{ id: string }>('select id from roles where organization_id is null and name = $1', [name]))[0]?.id ??
    '';

  /** Creates an organization with two groups and a team for each. `admin` is signed in and administers only the first. */
  async function organization() {
    const { id: organizationId } = await make.organization();
    const [here, there] = [await make.group({ organizationId }), await make.group({ organizationId })];
    const team = await make.team({ organizationId, groupIds: [here.id] });
    const other = await make.team({ organizationId, groupIds: [there.id] });
    const { username, id: adminId } = await make.user({ team, role: 'administrator' });
    /** Returns a grant of a standard role in the first team for the first group, with overrides. */
    const granted = async (role: string, over: Partial<Grant> = {}): Promise<Grant> => ({
      teamId: team.id,
      groupId: here.id,
      roleId: await roleId(role),
      added: [],
      removed: [],
      ...over,
    });
    const elsewhere = { teamId: other.id, groupId: there.id };
    const admin = await signIn(app, username);
    return { organizationId, here, there, team, other, admin, adminId, adminName: username, granted, elsewhere };
  }

  return { rows, roleId, organization };
}
