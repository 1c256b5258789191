import type { Me, Team, User } from '#contract/accounts.ts';
import { flagsOf } from '#server/people/access/actor.ts';
import type { SessionUser } from '#server/people/access/session-user.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { daysUntilExpiration } from '../sign-in/account-state.ts';
import {
  findLaunch,
  findTeamGroups,
  findUser,
  type Launch,
  type TeamGroupRow,
  type UserRow,
} from './current-user-queries.ts';
import { preferencesOf } from './preferences.ts';

/** Returns the answer of `GET /api/me`, except the key of the user's drafts and their default filters. `defaultTeam` is the remembered team, or the first one if the user has left that team. */
export async function currentUser(
  db: Queryable,
  { userId, sessionHash, endsAt, inactivityMinutes }: SessionUser,
  now: Date,
): Promise<Omit<Me, 'draftKey' | 'defaultFilters'>> {
  const row = await findUser(db, userId);
  const launch = await findLaunch(db, sessionHash);
  if (row === null || launch === null) throw new ApiError('NOT_SIGNED_IN');
  const teams = teamsOf(await findTeamGroups(db, userId));
  const ids = teams.map(({ id }) => id);
  const defaultTeam = row.default_team_id !== null && ids.includes(row.default_team_id) ? row.default_team_id : ids[0];
  return {
    daysUntilPasswordExpiration: daysUntilExpiration(row.password_changed_at, now),
    previousSuccessfulLogin: row.previous_login_at,
    numberSuccessfulLogins: row.successful_logins,
    mfaOptedIn: row.mfa_opted_in,
    user: { ...userOf(row, teams), ...launch },
    defaultTeam: defaultTeam ?? null,
    preferences: preferencesOf(row.preferences),
    sessionEndsAt: endsAt.toISOString(),
    inactivityMinutes,
  };
}

function userOf(row: UserRow, teams: Team[]): Omit<User, keyof Launch> {
  const experience = row.application_experience as User['applicationExperience'];
  return {
    id: row.id,
    firstName: row.first_name,
    lastName: row.last_name,
    title: row.title,
    userTypeTitle: row.user_type_title,
    username: row.username,
    previousSuccessfulLogin: row.previous_login_at,
    teams: Object.fromEntries(teams.map((team) => [team.id, team])),
    createdDate: row.created_at,
    currentLoginDate: row.current_login_at,
    firstLoginDate: row.first_login_at,
    usersFirstLogin: row.successful_logins <= 1,
    numberSuccessfulLogins: row.successful_logins,
    primaryClinicalSetting: row.primary_clinical_setting as User['primaryClinicalSetting'],
    lastActivationEmailDate: row.last_activation_email_at,
    isSSO: row.sso_kind !== null || experience.endsWith('_SSO'),
    isAuth0: row.sso_kind === 'OIDC' || experience.endsWith('_AUTH0_SSO'),
    applicationExperience: experience,
    mfaOptedIn: row.mfa_opted_in,
  };
}

function teamsOf(rows: TeamGroupRow[]): Team[] {
  return [...Map.groupBy(rows, (row) => row.team_id).values()].map((ofTeam) => {
    const [first] = ofTeam as [TeamGroupRow];
    const groups = ofTeam.map(groupOf);
    return {
      id: first.team_id,
      createdDate: first.team_created_at,
      abbreviation: first.team_abbreviation,
      name: first.team_name,
      type: first.team_type as Team['type'],
      groups: Object.fromEntries(groups.map((group) => [group.id, group])),
      organization: {
        id: first.organization_id,
        name: first.organization_name,
        createdDate: first.organization_created_at,
      },
      permissions: [...new Set(groups.flatMap((group) => group.permissions))],
    };
  });
}

const groupOf = (row: TeamGroupRow): Team['groups'][string] => ({
  id: row.group_id,
  name: row.group_name,
  state: row.group_state,
  type: row.group_type as Team['type'],
  isAutomated: row.group_is_automated,
  timeZone: row.group_time_zone,
  permissions: [...flagsOf(row)],
});
