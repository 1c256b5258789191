import { expect, test } from 'vitest';
import type { Me, Team } from '#contract/accounts.ts';
import { DEFAULT_PREFERENCES } from '#contract/users.ts';
import { widgetData } from './widget-data.ts';

const group = (id: string, name: string, type: 'HOS' | 'SNF' | 'PROGRAM', state: string | null) => ({
  id,
  name,
  type,
  state,
  isAutomated: type === 'HOS',
  timeZone: 'America/Chicago',
  permissions: [],
});
const team = (groups: ReturnType<typeof group>[]): Team => ({
  id: '5',
  createdDate: '2025-01-01T00:00:00Z',
  abbreviation: 'EAST',
  name: 'Team East',
  type: 'PROGRAM',
  groups: Object.fromEntries(groups.map((one) => [one.id, one])),
  organization: { id: '9', name: 'Lakeshore', createdDate: '2024-01-01T00:00:00Z' },
  permissions: ['canViewPings', 'userCouncilParticipant'],
});
const me = (own: Team): Me => ({
  daysUntilPasswordExpiration: null,
  previousSuccessfulLogin: '2026-11-20T08:00:00Z',
  numberSuccessfulLogins: 12,
  mfaOptedIn: false,
  defaultTeam: own.id,
  preferences: DEFAULT_PREFERENCES,
  defaultFilters: [],
  sessionEndsAt: '2999-01-01T00:00:00Z',
  inactivityMinutes: 40,
  draftKey: 'k',
  user: {
    id: '1',
    firstName: 'Ana',
    lastName: 'Example',
    title: 'RN',
    userTypeTitle: 'Care coordinator',
    username: 'ana@lakeshore.example',
    createdDate: '2026-01-01T00:00:00Z',
    firstLoginDate: null,
    teams: { [own.id]: own },
  } as unknown as Me['user'],
});

test('groups are joined in the form that the widget expects', () => {
  const own = team([group('1', 'Lakeshore ACO', 'PROGRAM', 'IL'), group('2', 'Oak Hollow', 'SNF', 'IL')]);
  expect(widgetData(me(own), own)).toMatchObject({
    groupIds: '1,2',
    groupNames: 'Lakeshore ACO | Oak Hollow',
    groupTypes: 'PROGRAM SNF',
    groupStates: 'IL',
    customerType: 'admitting-facility',
    lastLogin: '2026-11-20T08:00:00Z',
    lastLoginUnix: 1_795_161_600,
    firstLogin: null,
    firstLoginUnix: null,
    hasLegacyNotifications: false,
    websessions: 12,
    userCouncilParticipant: true,
    launcherSelector: '#product-updates',
  });
});

test('a team with a hospital is an in-hospital customer, a team with only a program the default one', () => {
  const hospital = team([group('1', 'Mercy', 'HOS', null), group('2', 'Oak Hollow', 'SNF', 'IL')]);
  expect(widgetData(me(hospital), hospital)).toMatchObject({ customerType: 'in-hospital', inHospital: true });
  const program = team([group('1', 'Lakeshore ACO', 'PROGRAM', null)]);
  expect(widgetData(me(program), program)).toMatchObject({ customerType: 'default', groupStates: '' });
});
