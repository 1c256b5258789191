import type { Me, Team } from '#contract/accounts.ts';
import { LAUNCHER_ID } from './launcher.ts';

/** What the product-updates and support widget gets to know about the user; no patient data. The widget defines the names. */
export interface WidgetData {
  name: string;
  firstName: string;
  lastName: string;
  email: string;
  title: string | null;
  type: string;
  createdAt: string;
  createdAtUnix: number;
  lastLogin: string | null;
  lastLoginUnix: number | null;
  firstLogin: string | null;
  firstLoginUnix: number | null;
  isAdmittingFacility: boolean;
  isAutomated: boolean;
  canViewPings: boolean;
  groupIds: string;
  groupNames: string;
  groupTypes: string;
  groupStates: string;
  currentTeam: string;
  team: string;
  allTeams: string;
  userTitle: string | null;
  orgName: string;
  orgId: string;
  orgCreated: string | null;
  orgCreatedUnix: number | null;
  inHospital: boolean;
  hasLegacyNotifications: false;
  hasSavedFiltersSetup: boolean;
  hasFilterNotificationsSetup: boolean;
  websessions: number;
  userCouncilParticipant: boolean;
  launcherSelector: string;
  customerType: 'in-hospital' | 'admitting-facility' | 'default';
}

/** Returns seconds since 1970, or null. */
const unix = (instant: string | null): number | null =>
  instant === null ? null : Math.floor(new Date(instant).getTime() / 1000);

/** `saved`: whether the user has saved filters, and notifications for them. */
export const widgetData = (me: Me, team: Team, saved = { filters: false, filterNotifications: false }): WidgetData => {
  const { user } = me;
  const groups = Object.values(team.groups);
  const inHospital = groups.some(({ type }) => type === 'HOS');
  const isAdmittingFacility = groups.some(({ type }) => type === 'ADMITTING' || type === 'SNF');
  const { organization } = team;
  return {
    name: `${user.firstName} ${user.lastName}`,
    firstName: user.firstName,
    lastName: user.lastName,
    email: user.username,
    title: user.title,
    type: team.type,
    createdAt: user.createdDate,
    createdAtUnix: unix(user.createdDate) ?? 0,
    lastLogin: me.previousSuccessfulLogin,
    lastLoginUnix: unix(me.previousSuccessfulLogin),
    firstLogin: user.firstLoginDate,
    firstLoginUnix: unix(user.firstLoginDate),
    isAdmittingFacility,
    isAutomated: groups.some((group) => group.isAutomated),
    canViewPings: team.permissions.includes('canViewPings'),
    groupIds: groups.map(({ id }) => id).join(','),
    groupNames: groups.map(({ name }) => name).join(' | '),
    groupTypes: groups.map(({ type }) => type).join(' '),
    groupStates: [...new Set(groups.flatMap(({ state }) => state ?? []))].join(' '),
    currentTeam: team.id,
    team: team.name,
    allTeams: Object.values(user.teams)
      .map(({ name }) => name)
      .join(' | '),
    userTitle: user.userTypeTitle,
    orgName: organization.name,
    orgId: organization.id,
    orgCreated: organization.createdDate,
    orgCreatedUnix: unix(organization.createdDate),
    inHospital,
    hasLegacyNotifications: false,
    hasSavedFiltersSetup: saved.filters,
    hasFilterNotificationsSetup: saved.filterNotifications,
    websessions: me.numberSuccessfulLogins,
    userCouncilParticipant: team.permissions.includes('userCouncilParticipant'),
    launcherSelector: `#${LAUNCHER_ID}`,
    customerType: inHospital ? 'in-hospital' : isAdmittingFacility ? 'admitting-facility' : 'default',
  };
};
