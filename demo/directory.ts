/** Creates the demo region's organizations, groups, teams, users and feeds in the database. */
import { isDeepStrictEqual } from 'node:util';
import { DEFAULT_FEED_SETTINGS } from '#contract/feed-defaults.ts';
import type { GroupType } from '#contract/groups.ts';
import { hashPassword } from '#server/people/accounts/passwords/password-hash.ts';
import {
  createGroup,
  createOrganization,
  createTeam,
  createUser,
  ensureStandardRoles,
  grantRole,
} from '#server/people/accounts/provisioning.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { FRONT_DESK } from './world/front-desk.ts';
import type { Region, WorldFeed } from './world/region-types.ts';
import { DEMO_PASSWORD } from './world/users.ts';

/** The database ids of the region's groups, teams and users, by their keys in the region. */
export interface DemoDirectory {
  groups: Map<string, string>;
  teams: Map<string, string>;
  users: Map<string, string>;
}

export async function createDirectory(db: Queryable, region: Region, now: Date): Promise<DemoDirectory> {
  await ensureStandardRoles(db);
  const organizations = new Map<string, string>();
  for (const { key, name } of region.organizations) organizations.set(key, await createOrganization(db, { name }, now));
  const directory: DemoDirectory = { groups: new Map(), teams: new Map(), users: new Map() };
  const organizationOf = (key: string) => idOf(organizations, key);
  for (const group of region.groups) {
    const { line1, city, state, zip } = group.address;
    const row = {
      ...group,
      organizationId: organizationOf(group.organization),
      address: `${line1}, ${city}, ${state} ${zip}`,
      approvedAt: now,
    };
    directory.groups.set(group.key, await createGroup(db, row, now));
  }
  for (const team of region.teams) {
    const types = team.groups.map((key) => region.groups.find((group) => group.key === key)?.type);
    directory.teams.set(
      team.key,
      await createTeam(
        db,
        {
          organizationId: organizationOf(team.organization),
          name: team.name,
          abbreviation: team.abbreviation,
          type: (types[0] ?? 'PROGRAM') satisfies GroupType,
          groupIds: team.groups.map((key) => idOf(directory.groups, key)),
        },
        now,
      ),
    );
  }
  await createUsers(db, region, directory, organizationOf, now);
  for (const feed of [...region.feeds, FRONT_DESK]) await createFeed(db, region, feed, directory, organizationOf, now);
  return directory;
}

export function idOf(ids: Map<string, string>, key: string): string {
  const id = ids.get(key);
  if (id === undefined) throw new Error(`The demo region has no '${key}'`);
  return id;
}

async function createUsers(
  db: Queryable,
  region: Region,
  directory: DemoDirectory,
  organizationOf: (key: string) => string,
  now: Date,
): Promise<void> {
  // One hash for all users, because each takes a tenth of a second.
  const passwordHash = await hashPassword(DEMO_PASSWORD);
  for (const user of region.users) {
    const [home] = user.grants;
    const team = region.teams.find(({ key }) => key === home?.team);
    if (!team) throw new Error(`The demo user ${user.key} has no team`);
    const userId = await createUser(
      db,
      {
        organizationId: organizationOf(team.organization),
        username: user.email,
        firstName: user.firstName,
        lastName: user.lastName,
        title: user.title,
        userTypeTitle: user.title,
        applicationExperience: user.experience,
        primaryClinicalSetting: user.primaryClinicalSetting,
        passwordHash,
        defaultTeamId: idOf(directory.teams, team.key),
        isOperator: user.isOperator,
      },
      now,
    );
    directory.users.set(user.key, userId);
    for (const grant of user.grants)
      await grantRole(db, { ...grant, userId, teamId: idOf(directory.teams, grant.team) });
  }
}

/** Whether the standard table has the rule. In front of it, a rule for a class alone would hide those for its patient types and services. */
const isStandard = (rule: WorldFeed['classMap'][number]): boolean =>
  DEFAULT_FEED_SETTINGS.classMap.some((standard) => isDeepStrictEqual(standard, rule));

async function createFeed(
  db: Queryable,
  region: Region,
  feed: WorldFeed,
  directory: DemoDirectory,
  organizationOf: (key: string) => string,
  now: Date,
): Promise<void> {
  const groups = region.groups.filter(({ key }) => Object.values(feed.facilities).includes(key));
  const settings = {
    timeZone: feed.timeZone,
    classMap: [...feed.classMap.filter((rule) => !isStandard(rule)), ...DEFAULT_FEED_SETTINGS.classMap],
    dispositionMap: { ...DEFAULT_FEED_SETTINGS.dispositionMap, ...feed.dispositionMap },
  };
  const { rows } = await db.query<{ id: string }>(sql`
    insert into feeds (organization_id, name, kind, sending_application, settings, created_at, approved_at)
    values (${organizationOf(groups[0]?.organization ?? '')}, ${feed.name}, 'MLLP', ${feed.sendingApplication}, ${JSON.stringify(settings)}, ${now}, ${now})
    returning id`);
  const id = rows[0]?.id ?? '';
  for (const [identifier, key] of Object.entries(feed.facilities)) {
    const isVisit = groups.find((group) => group.key === key)?.registrationIsVisit ?? false;
    await db.query(sql`
      insert into feed_facilities (feed_id, identifier, group_id, registration_is_visit)
      values (${id}, ${identifier}, ${idOf(directory.groups, key)}, ${isVisit})`);
  }
}
