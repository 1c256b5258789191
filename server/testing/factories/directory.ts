import { hash } from '@node-rs/argon2';
import type { StandardRole } from '#contract/permissions.ts';
import * as directory from '#server/people/accounts/provisioning.ts';
import type { Clock } from '#server/platform/calendar/clock.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { insert, next } from './insert.ts';

/** The password of every user that `make.user()` makes. */
export const TEST_PASSWORD = 'correct horse battery';
/** As cheap as argon2 allows: most tests sign in on their way to something else. Those of races and floods take `hashPassword(TEST_PASSWORD)`. */
const passwordHash = hash(TEST_PASSWORD, { memoryCost: 8, timeCost: 1, parallelism: 1 });

/** Organizations, groups, teams, users and feeds. */
export function directoryFactories(db: Queryable, now: Clock) {
  async function organization(over: { name?: string } = {}) {
    const row = { name: `Organization ${next()}`, ...over };
    return { ...row, id: await directory.createOrganization(db, row, now()) };
  }

  /** An operator has approved the group, unless `approvedAt` is null. */
  async function group(over: Partial<directory.NewGroup> = {}) {
    const organizationId = over.organizationId ?? (await organization()).id;
    const type = over.type ?? 'PROGRAM';
    const facilityType = type === 'PROGRAM' ? null : type === 'ADMITTING' ? 'HHA' : type;
    const defaults = {
      name: `Group ${next()}`,
      facilityType,
      timeZone: 'America/New_York',
      approvedAt: now(),
    } as const;
    const row = { ...defaults, ...over, organizationId, type };
    return { ...row, id: await directory.createGroup(db, row, now()) };
  }

  /** Creates a group for the team, unless groups are given. */
  async function team(over: Partial<directory.NewTeam> = {}) {
    const organizationId = over.organizationId ?? (await organization()).id;
    const groupIds = over.groupIds ?? [(await group({ organizationId })).id];
    const name = over.name ?? `Team ${next()}`;
    const row = { abbreviation: 'T', type: 'PROGRAM' as const, ...over, name, organizationId, groupIds };
    return { ...row, id: await directory.createTeam(db, row, now()) };
  }

  /** With `team`: a member who has `role` for all groups of the team. Otherwise a user without a team. */
  async function user(
    over: Partial<directory.NewUser> & {
      team?: { id: string; organizationId: string };
      role?: StandardRole;
      added?: directory.NewGrant['added'];
      removed?: directory.NewGrant['removed'];
    } = {},
  ) {
    const { team: ofTeam, role = 'care coordinator', added, removed, ...given } = over;
    const organizationId = given.organizationId ?? ofTeam?.organizationId ?? (await organization()).id;
    const username = given.username ?? `user${next()}@tidings.test`;
    const defaults = { firstName: 'Ama', lastName: 'Osei', passwordHash: await passwordHash };
    const row = { ...defaults, ...given, username, organizationId };
    const id = await directory.createUser(db, row, now());
    await directory.ensureStandardRoles(db);
    if (ofTeam) await directory.grantRole(db, { userId: id, teamId: ofTeam.id, role, added, removed });
    return { ...row, id };
  }

  /**
   * Creates the feed of a facility. Messages belong to it by their sending application (MSH-3), and name the facility by
   * `identifier` (PV1-3.4 or MSH-4).
   */
  async function feed(of: { group: { id: string; organizationId: string }; application: string; identifier: string }) {
    const { group: facility, application, identifier } = of;
    const source = { organization_id: facility.organizationId, kind: 'MLLP', sending_application: application };
    const name = `Feed ${application}`;
    const id = await insert(db, 'feeds', { ...source, name, created_at: now(), approved_at: now() });
    await feedFacility({ feedId: id, groupId: facility.id, identifier });
    return { id, name };
  }

  /** Adds a facility to a feed, under the identifier that the feed uses for it. */
  async function feedFacility({
    feedId,
    groupId,
    identifier,
  }: {
    feedId: string;
    groupId: string;
    identifier: string;
  }) {
    await db.query(
      sql`insert into feed_facilities (feed_id, identifier, group_id) values (${feedId}, ${identifier}, ${groupId})`,
    );
  }

  return { organization, group, team, user, feed, feedFacility };
}
