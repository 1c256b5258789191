import type { Team } from '#contract/accounts.ts';

export type HoldingGroup = Team['groups'][string];

/** Returns the facilities of the team at which the user holds patients. A program admits nobody, so it holds nobody. */
export const holdingGroups = (team: Team): HoldingGroup[] =>
  Object.values(team.groups).filter(
    ({ type, permissions }) => type !== 'PROGRAM' && permissions.includes('canUsePreAdmit'),
  );
