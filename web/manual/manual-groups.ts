import type { Team } from '#contract/accounts.ts';
import type { Permission } from '#contract/permissions.ts';

export type ManualGroup = Team['groups'][string];

const isManual = (group: ManualGroup, flag: Permission): boolean =>
  !group.isAutomated && group.type !== 'PROGRAM' && group.permissions.includes(flag);

/** Returns the facilities of the team at which the user enters patients by hand. */
export const manualGroups = (team: Team): ManualGroup[] =>
  Object.values(team.groups).filter((group) => isManual(group, 'canEditPatientsAndEvents'));
