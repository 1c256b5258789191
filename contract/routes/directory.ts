import { z } from 'zod';
import {
  adminGroup,
  adminRole,
  adminTeam,
  directory,
  endedGroup,
  groupFields,
  newGroup,
  roleFields,
  teamFields,
  versionRead,
} from '../admin.ts';
import { id } from '../primitives.ts';
import { pageAnswer, pageQuery, type RouteTable } from './route.ts';

/** Part of a name. */
const nameSearch = { query: z.string().max(100).optional() };

export const directoryRoutes = {
  'GET /api/admin/directory': {
    permission: 'canManageUsers',
    summary: 'List the names of all teams and groups of the organization, to choose from',
    answer: directory,
  },
  'GET /api/admin/teams': {
    permission: 'canManageUsers',
    summary: 'List teams of the organization by name, a page at a time',
    query: z.object({ ...nameSearch, ...pageQuery }),
    answer: z.object({ teams: z.array(adminTeam), ...pageAnswer }),
  },
  'GET /api/admin/teams/:id': {
    permission: 'canManageUsers',
    summary: 'Get a team',
    params: z.object({ id }),
    answer: adminTeam,
  },
  'POST /api/admin/teams': { permission: 'canManageUsers', summary: 'Add a team', body: teamFields, answer: adminTeam },
  'PUT /api/admin/teams/:id': {
    permission: 'canManageUsers',
    summary: 'Change a team',
    params: z.object({ id }),
    body: teamFields.extend(versionRead),
    answer: adminTeam,
  },
  'DELETE /api/admin/teams/:id': {
    permission: 'canManageUsers',
    summary: 'Close a team that has no members',
    params: z.object({ id }),
    status: 204,
  },
  'GET /api/admin/groups': {
    permission: 'canManageUsers',
    summary: 'List groups of the organization by name, a page at a time',
    query: z.object({
      ...nameSearch,
      /** Only facilities that the caller may approve now. */
      canApprove: z.literal('true').optional(),
      ...pageQuery,
    }),
    answer: z.object({ groups: z.array(adminGroup), ...pageAnswer }),
  },
  'GET /api/admin/groups/:id': {
    permission: 'canManageUsers',
    summary: 'Get a group',
    params: z.object({ id }),
    answer: adminGroup,
  },
  'POST /api/admin/groups': {
    permission: 'canManageUsers',
    summary: 'Add a group',
    body: newGroup,
    answer: adminGroup,
  },
  'PUT /api/admin/groups/:id': {
    permission: 'canManageUsers',
    summary: 'Change a group',
    params: z.object({ id }),
    body: groupFields.extend(versionRead),
    answer: adminGroup,
  },
  'POST /api/admin/groups/:id/approve': {
    permission: 'canManageUsers',
    summary: 'Approve manual entry at a facility, as an operator',
    params: z.object({ id }),
    body: z.object({ version: z.string().max(100) }),
    answer: adminGroup,
  },
  'DELETE /api/admin/groups/:id': {
    permission: 'canManageUsers',
    summary: 'Close a group that is no longer used',
    params: z.object({ id }),
    status: 204,
  },
  'GET /api/admin/groups/ended': {
    permission: 'canManageUsers',
    summary: 'List closed groups that the administrator may reopen, most recently closed first',
    answer: z.array(endedGroup),
  },
  'POST /api/admin/groups/:id/reopen': {
    permission: 'canManageUsers',
    summary: 'Reopen a closed group in the selected team',
    params: z.object({ id }),
    answer: adminGroup,
  },
  'GET /api/admin/roles': {
    permission: 'canManageUsers',
    summary: 'List standard roles and roles of the organization',
    answer: z.array(adminRole),
  },
  'POST /api/admin/roles': { permission: 'canManageUsers', summary: 'Add a role', body: roleFields, answer: adminRole },
  'PUT /api/admin/roles/:id': {
    permission: 'canManageUsers',
    summary: 'Change a role of the organization',
    params: z.object({ id }),
    body: roleFields.extend(versionRead),
    answer: adminRole,
  },
  'DELETE /api/admin/roles/:id': {
    permission: 'canManageUsers',
    summary: 'Delete a role that no one holds',
    params: z.object({ id }),
    status: 204,
  },
} as const satisfies RouteTable;
