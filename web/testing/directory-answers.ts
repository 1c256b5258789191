interface Lists {
  groups?: object[];
  teams?: object[];
}

/** What the server answers where an organization has these groups and teams, all on one page. */
export const directoryAnswers = ({ groups = [], teams = [] }: Lists) => ({
  'GET /api/admin/groups': { groups, total: groups.length, numPages: 1 },
  'GET /api/admin/teams': { teams, total: teams.length, numPages: 1 },
  'GET /api/admin/directory': { groups, teams },
});
