import type { AdminGroup, AdminRole, AdminTeam, AdminUser } from '#contract/admin.ts';
import { STANDARD_ROLES } from '#contract/permissions.ts';

/** When everything here was made. */
export const AT = '2026-11-21T11:00:00Z';
/** A hospital. */
export const group = (id: string, name: string): AdminGroup => ({
  id,
  name,
  type: 'HOS',
  facilityType: 'HOS',
  state: 'MI',
  timeZone: 'America/Detroit',
  address: null,
  isAutomated: true,
  isPart2Facility: false,
  waitsForApproval: false,
  canApprove: false,
  canLiftPart2: false,
  askedBy: null,
  organization: null,
  version: '1',
});
/** Two hospitals. */
export const groups = [group('1', 'Mercy General'), group('2', 'St. Brendan')];
/** One team, with both of them. */
export const teams: AdminTeam[] = [
  {
    id: '1',
    name: 'Lakeshore',
    abbreviation: 'LS',
    type: 'PROGRAM',
    groupIds: ['1', '2'],
    memberCount: 2,
    organization: null,
    version: '1',
  },
];
/** The standard roles: 3 is the clinician, 5 the viewer. */
export const roles: AdminRole[] = Object.entries(STANDARD_ROLES).map(([name, permissions], at) => ({
  id: String(at + 1),
  name,
  permissions: [...permissions],
  isStandard: true,
  userCount: 1,
  organization: null,
  version: '1',
}));
/** A viewer of Mercy General. */
export const kofi: AdminUser = {
  id: '2',
  username: 'kofi@lakeshore.example',
  firstName: 'Kofi',
  lastName: 'Mensah',
  title: null,
  status: 'ACTIVE',
  applicationExperience: 'JANUS',
  isSSO: false,
  mfaOptedIn: true,
  hasPasskey: false,
  createdDate: AT,
  lastSignInDate: AT,
  lastActivationEmailDate: null,
  grants: [{ teamId: '1', groupId: '1', roleId: '5', added: [], removed: [] }],
  waitingGrants: [],
  isSelf: false,
  organization: null,
  version: '1',
};
