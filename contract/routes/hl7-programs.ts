import { z } from 'zod';
import {
  adminProgram,
  facilityOption,
  programChange,
  programConditions,
  programFields,
  programPreview,
} from '../hl7-programs.ts';
import { id, plainText } from '../primitives.ts';
import type { RouteTable } from './route.ts';

export const hl7ProgramsRoutes = {
  'GET /api/admin/hl7-programs': {
    permission: 'canManageUsers',
    summary: 'List the HL7-based programs of the organization',
    answer: z.array(adminProgram),
  },
  'POST /api/admin/hl7-programs': {
    permission: 'canManageUsers',
    summary: 'Define an HL7-based program; needs an administrator of all groups of the organization',
    body: programFields,
    answer: adminProgram,
  },
  'PUT /api/admin/hl7-programs/:id': {
    permission: 'canManageUsers',
    summary: 'Change an HL7-based program; needs an administrator of all groups of the organization',
    params: z.object({ id }),
    body: programChange,
    answer: adminProgram,
  },
  'DELETE /api/admin/hl7-programs/:id': {
    permission: 'canManageUsers',
    summary: 'Remove an HL7-based program, which ends its enrollments; needs an administrator of all groups',
    params: z.object({ id }),
    status: 204,
  },
  'GET /api/admin/hl7-programs/facilities': {
    permission: 'canManageUsers',
    summary: 'Find facilities for a program, by the start of a word of their name',
    query: z.object({ query: plainText(100).trim().min(2) }),
    answer: z.array(facilityOption),
  },
  'POST /api/hl7-programs/preview': {
    permission: 'canManageUsers',
    summary: 'Show which patients a program would have enrolled over the past year; needs canViewPatients too',
    audit: 'hl7-program.preview',
    body: programConditions,
    answer: programPreview,
  },
} as const satisfies RouteTable;
