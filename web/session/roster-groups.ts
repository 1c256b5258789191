import type { Team } from '#contract/accounts.ts';

/** Returns the groups of the team for which the user uploads rosters, by name. A facility lists its own patients, so it has none. */
export const rosterGroups = (team: Team) =>
  Object.values(team.groups)
    .filter(({ type, permissions }) => type === 'PROGRAM' && permissions.includes('canUploadRoster'))
    .sort((a, b) => a.name.localeCompare(b.name));
