import type { User } from '#contract/accounts.ts';
import type { Preferences } from '#contract/users.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';

/** Makes the team the one selected after the next sign-in; false if the user is not a member of it. */
export async function setDefaultTeam(db: Queryable, userId: string, teamId: string): Promise<boolean> {
  const { rowCount } = await db.query(sql`
    update users set default_team_id = ${teamId}
    where id = ${userId} and exists (select from grants where user_id = ${userId} and team_id = ${teamId})`);
  return rowCount > 0;
}

export interface UserRow {
  id: string;
  username: string;
  first_name: string;
  last_name: string;
  title: string | null;
  user_type_title: string | null;
  application_experience: string;
  primary_clinical_setting: string | null;
  password_changed_at: string | null;
  default_team_id: string | null;
  created_at: string;
  last_activation_email_at: string | null;
  first_login_at: string | null;
  current_login_at: string | null;
  previous_login_at: string | null;
  successful_logins: number;
  mfa_opted_in: boolean;
  preferences: Partial<Preferences>;
  /** Kind of the connection that signs the user in; null if the user signs in by password. */
  sso_kind: string | null;
}

/** Returns what the pages know of a user; null for an unknown id. */
export async function findUser(db: Queryable, userId: string): Promise<UserRow | null> {
  const { rows } = await db.query<UserRow>(sql`
    select id, username, first_name, last_name, title, user_type_title, application_experience,
      primary_clinical_setting, password_changed_at, default_team_id, created_at, last_activation_email_at,
      first_login_at, current_login_at, previous_login_at, successful_logins, mfa_opted_in, preferences,
      kind_of_connection(sso_connection_id) as sso_kind
    from users where id = ${userId}`);
  return rows[0] ?? null;
}

/** The patient that an EHR opened in a session (SMART App Launch 2.2, "Launch context arrives with your access_token"). */
export type Launch = Pick<User, 'patientId' | 'ehrPatientIdentifier' | 'needPatientBanner'>;

/** Returns the launch of a session; null for an unknown one. */
export async function findLaunch(db: Queryable, sessionHash: Buffer): Promise<Launch | null> {
  const { rows } = await db.query<Launch>(sql`
    select patient_id as "patientId", ehr_patient_identifier as "ehrPatientIdentifier",
      need_patient_banner as "needPatientBanner"
    from sessions where token_hash = ${sessionHash}`);
  return rows[0] ?? null;
}

/** One row for each group that the user has a grant for, with its team and organization. */
export interface TeamGroupRow {
  team_id: string;
  team_created_at: string;
  team_abbreviation: string;
  team_name: string;
  team_type: string;
  organization_id: string;
  organization_name: string;
  organization_created_at: string;
  group_id: string;
  group_name: string;
  group_state: string | null;
  group_type: string;
  group_is_automated: boolean;
  group_time_zone: string;
  role: string[];
  added: string[];
  removed: string[];
}

/** Returns the groups of all the user's teams, by the names of teams and groups. */
export async function findTeamGroups(db: Queryable, userId: string): Promise<TeamGroupRow[]> {
  const { rows } = await db.query<TeamGroupRow>(sql`
    select t.id as team_id, t.created_at as team_created_at, t.abbreviation as team_abbreviation,
      t.name as team_name, t.type as team_type,
      o.id as organization_id, o.name as organization_name, o.created_at as organization_created_at,
      g.id as group_id, g.name as group_name, g.state as group_state, g.type as group_type,
      g.is_automated as group_is_automated, g.time_zone as group_time_zone,
      r.permissions as role, n.added, n.removed
    from grants n
      join teams t on t.id = n.team_id
      join organizations o on o.id = t.organization_id
      join groups g on g.id = n.group_id
      join roles r on r.id = n.role_id
    where n.user_id = ${userId}
    order by t.name, t.id, g.name, g.id`);
  return rows;
}
