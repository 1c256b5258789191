/** Administration is loaded as one piece: in many small ones, what the first page shares with them would be cut into pieces too. */
export { AdminFrame } from './admin-frame.tsx';
export { ChangesPage } from './changes/changes-page.tsx';
export { ConnectionsPage } from './connections/connections-page.tsx';
export { GroupsPage } from './directory/groups-page.tsx';
export { RolesPage } from './directory/roles-page.tsx';
export { TeamsPage } from './directory/teams-page.tsx';
export { RequestsPage } from './users/requests-page.tsx';
export { UsersPage } from './users/users-page.tsx';
