import { z } from 'zod';
import {
  careForm,
  careInstruction,
  careTeamEntry,
  careTeamRecord,
  INSTRUCTION_KINDS,
  instructions,
  instructionText,
  MOST_CARE_RECORDS,
  programOfPatient,
  version,
} from '../care.ts';
import { id, patientId, teamOfDownload } from '../primitives.ts';
import type { RouteTable } from './route.ts';

const byPatient = z.object({ id: patientId });
const byRecord = z.object({ id: patientId, recordId: id });
const byInstruction = z.object({ id: patientId, instructionId: id });
const instructionOrder = z.number().int().min(1).max(MOST_CARE_RECORDS);

export const careRoutes = {
  'GET /api/patients/:id/programs': {
    permission: 'canViewPatients',
    summary:
      "List a patient's programs: of the team's rosters, and of other organizations' if a group lists the person now",
    audit: 'patient.programs',
    params: byPatient,
    answer: z.array(programOfPatient),
  },
  'GET /api/patients/:id/care-team': {
    permission: 'canViewPatients',
    summary: "List a patient's care team: records of the team's groups, and of others if a group lists the person now",
    audit: 'care-team.view',
    params: byPatient,
    answer: z.array(careTeamRecord),
  },
  'POST /api/patients/:id/care-team': {
    permission: 'canEditCarePlans',
    summary: 'Add a record to the care team',
    audit: 'care-team.add',
    params: byPatient,
    body: careTeamEntry,
    answer: careTeamRecord,
  },
  'PUT /api/patients/:id/care-team/:recordId': {
    permission: 'canEditCarePlans',
    summary: 'Change a care-team record of the own group',
    audit: 'care-team.change',
    params: byRecord,
    body: careTeamEntry.extend({ version: version.optional() }),
    answer: careTeamRecord,
  },
  'DELETE /api/patients/:id/care-team/:recordId': {
    permission: 'canEditCarePlans',
    summary: 'End a care-team record of the own group',
    audit: 'care-team.end',
    params: byRecord,
    status: 204,
  },
  'GET /api/patients/:id/instructions': {
    permission: 'canViewCarePlans',
    summary: "List a patient's care instructions: of the team's groups, and of others if a group lists the person now",
    audit: 'care-instructions.view',
    params: byPatient,
    answer: instructions,
  },
  'POST /api/patients/:id/instructions': {
    permission: 'canEditCarePlans',
    summary: "Add a care instruction, after the group's others of its kind",
    audit: 'care-instructions.add',
    params: byPatient,
    body: z.object({ kind: z.enum(INSTRUCTION_KINDS), instruction: instructionText }),
    answer: careInstruction,
  },
  'PUT /api/patients/:id/instructions/:instructionId': {
    permission: 'canEditCarePlans',
    summary: 'Change a care instruction of the own group, or its place among the others',
    audit: 'care-instructions.change',
    params: byInstruction,
    body: z.object({
      instruction: instructionText,
      instructionOrder: instructionOrder.optional(),
      version: version.optional(),
    }),
    answer: careInstruction,
  },
  'DELETE /api/patients/:id/instructions/:instructionId': {
    permission: 'canEditCarePlans',
    summary: 'End a care instruction of the own group',
    audit: 'care-instructions.end',
    params: byInstruction,
    status: 204,
  },
  'POST /api/patients/:id/instructions/:instructionId/form': {
    permission: 'canEditCarePlans',
    summary: 'Upload the form of an instruction (multipart, field "file"; PDF, PNG or JPEG): replaces the one it has',
    audit: 'care-form.upload',
    params: byInstruction,
    kind: 'multipart',
    answer: careForm,
  },
  'GET /api/patients/:id/instructions/:instructionId/form': {
    permission: 'canViewCarePlans',
    summary: 'Download the form of an instruction',
    audit: 'care-form.view',
    params: byInstruction,
    query: z.object(teamOfDownload),
    kind: 'download',
  },
  'DELETE /api/patients/:id/instructions/:instructionId/form': {
    permission: 'canEditCarePlans',
    summary: 'Remove the form of an instruction',
    audit: 'care-form.remove',
    params: byInstruction,
    status: 204,
  },
} as const satisfies RouteTable;
