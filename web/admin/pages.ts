/** Administration is loaded as one piece: in many small ones, what the first page shares with them would be cut into pieces too. */
export { AdminFrame } from './admin-frame.tsx';
export { ChangesPage } from './changes-page.tsx';
export { ConnectionsPage } from './connections-page.tsx';
export { GroupsPage } from './groups-page.tsx';
export { RequestsPage } from './requests-page.tsx';
export { RolesPage } from './roles-page.tsx';
export { TeamsPage } from './teams-page.tsx';
export { UsersPage } from './users-page.tsx';
