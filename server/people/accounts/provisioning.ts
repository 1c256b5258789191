/**
 * Creates organizations, groups, teams, users and their grants. Seeds and tests call it as the pipeline's role or the owner; administration
 * creates groups and teams with it. Each `create…` function returns the new row's id.
 */
import type { ApplicationExperience, PrimaryClinicalSetting } from '#contract/experiences.ts';
import type { FacilityType, GroupType } from '#contract/groups.ts';
import { type Permission, STANDARD_ROLES, type StandardRole } from '#contract/permissions.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { type Sql, sql } from '#server/platform/database/sql.ts';

async function insertedId(db: Queryable, insert: Sql): Promise<string> {
  const { rows } = await db.query<{ id: string }>(insert);
  if (rows[0] === undefined) throw new Error('The insert returned no id');
  return rows[0].id;
}

export function createOrganization(db: Queryable, { name }: { name: string }, now: Date): Promise<string> {
  return insertedId(db, sql`insert into organizations (name, created_at) values (${name}, ${now}) returning id`);
}

export interface NewGroup {
  organizationId: string;
  name: string;
  type: GroupType;
  /** Facilities only; a PROGRAM has none. */
  facilityType?: FacilityType | null;
  state?: string | null;
  /** IANA name. */
  timeZone: string;
  address?: string | null;
  isAutomated?: boolean;
  isPart2Facility?: boolean;
  /** Set for seeds and tests: the group may list people by rosters or manual entry. Any other group waits for an operator. */
  approvedAt?: Date | null;
}

export function createGroup(db: Queryable, group: NewGroup, now: Date): Promise<string> {
  return insertedId(
    db,
    sql`insert into groups (organization_id, name, state, type, facility_type, time_zone, address, is_automated,
        is_part2_facility, approved_at, created_at)
      values (${group.organizationId}, ${group.name}, ${group.state ?? null}, ${group.type}, ${group.facilityType ?? null},
        ${group.timeZone}, ${group.address ?? null}, ${group.isAutomated ?? false}, ${group.isPart2Facility ?? false}, ${group.approvedAt ?? null}, ${now})
      returning id`,
  );
}

export interface NewTeam {
  organizationId: string;
  name: string;
  abbreviation: string;
  type: GroupType;
  /** The groups that the team works for, all of its own organization. */
  groupIds: readonly string[];
}

/** Throws if a group belongs to another organization than the team. */
export async function createTeam(db: Queryable, team: NewTeam, now: Date): Promise<string> {
  const { rows } = await db.query(
    sql`select 1 from groups where id = any (${team.groupIds}::bigint[]) and organization_id = ${team.organizationId}`,
  );
  if (rows.length !== new Set(team.groupIds).size) throw new Error('A team works for groups of its own organization');
  const id = await insertedId(
    db,
    sql`insert into teams (organization_id, name, abbreviation, type, created_at)
      values (${team.organizationId}, ${team.name}, ${team.abbreviation}, ${team.type}, ${now}) returning id`,
  );
  await db.query(sql`insert into team_groups (team_id, group_id) select ${id}, unnest(${team.groupIds}::bigint[])`);
  return id;
}

export interface NewUser {
  organizationId: string;
  /** An email address; stored in lower case. */
  username: string;
  firstName: string;
  lastName: string;
  title?: string | null;
  userTypeTitle?: string | null;
  applicationExperience?: ApplicationExperience;
  primaryClinicalSetting?: PrimaryClinicalSetting | null;
  isOperator?: boolean;
  /** The administrator who creates the account; null for seeds and tests. */
  invitedBy?: string | null;
  /** From `hashPassword()`. A user with a password is created activated. */
  passwordHash?: string | null;
  defaultTeamId?: string | null;
}

/** Only the pipeline's role and the owner may make operators. */
export async function createUser(db: Queryable, user: NewUser, now: Date): Promise<string> {
  const activatedAt = user.passwordHash ? now : null;
  const id = await insertedId(
    db,
    sql`insert into users (organization_id, username, first_name, last_name, title, user_type_title,
        application_experience, primary_clinical_setting, password_hash, password_changed_at,
        default_team_id, created_at, activated_at, invited_by)
      values (${user.organizationId}, ${user.username.toLowerCase()}, ${user.firstName}, ${user.lastName},
        ${user.title ?? null}, ${user.userTypeTitle ?? null}, ${user.applicationExperience ?? 'JANUS'},
        ${user.primaryClinicalSetting ?? null}, ${user.passwordHash ?? null}, ${activatedAt},
        ${user.defaultTeamId ?? null}, ${now}, ${activatedAt}, ${user.invitedBy ?? null})
      returning id`,
  );
  if (user.isOperator) await db.query(sql`update users set is_operator = true where id = ${id}`);
  return id;
}

/** Writes the standard roles as this version of the contract defines them. Runs at every start; changes nothing if they are the same. */
export async function ensureStandardRoles(db: Queryable): Promise<void> {
  for (const [name, permissions] of Object.entries(STANDARD_ROLES)) {
    await db.query(sql`
      insert into roles (organization_id, name, permissions) values (null, ${name}, ${[...new Set(permissions)]})
      on conflict (organization_id, name) where ended_at is null do update set permissions = excluded.permissions
        where roles.permissions is distinct from excluded.permissions`);
  }
}

export interface NewGrant {
  userId: string;
  teamId: string;
  /** Left out: all groups that the team has now. */
  groupId?: string;
  role: StandardRole;
  added?: readonly Permission[];
  removed?: readonly Permission[];
}

/** Grants a standard role in a team and replaces what the user held there. Throws if the team, group or role does not exist. */
export async function grantRole(db: Queryable, grant: NewGrant): Promise<void> {
  const { rowCount } = await db.query(sql`
    insert into grants (user_id, team_id, group_id, role_id, added, removed)
    select ${grant.userId}, tg.team_id, tg.group_id, r.id, ${grant.added ?? []}::text[], ${grant.removed ?? []}::text[]
    from team_groups tg, roles r
    where tg.team_id = ${grant.teamId} and (${grant.groupId ?? null}::bigint is null or tg.group_id = ${grant.groupId ?? null})
      and r.organization_id is null and r.name = ${grant.role}
    on conflict (user_id, team_id, group_id) do update
      set role_id = excluded.role_id, added = excluded.added, removed = excluded.removed`);
  if (rowCount === 0) throw new Error(`No such team or group, or no role '${grant.role}'`);
}
