/** All administration pages in one chunk. With a chunk per page, the code that they share with the first page would be split up too. */

export { RequestsPage } from './access-requests/requests-page.tsx';
export { AccessesPage } from './accesses/accesses-page.tsx';
export { AdminFrame } from './admin-frame.tsx';
export { ChangesPage } from './changes/changes-page.tsx';
export { ConnectionsPage } from './connections/connections-page.tsx';
export { GroupsPage } from './directory/groups-page.tsx';
export { RolesPage } from './directory/roles-page.tsx';
export { TeamsPage } from './directory/teams-page.tsx';
export { ProgramsPage } from './hl7-programs/programs-page.tsx';
export { UsersPage } from './users/users-page.tsx';
