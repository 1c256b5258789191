import { z } from 'zod';
import { programEnrollment } from '../hl7-programs.ts';
import { patientDetails } from '../patient-details.ts';
import { id, patientId } from '../primitives.ts';
import { diagnosisSummary, encounterSummary, hhaCoverage, storyEncounters, VISIT_KINDS } from '../story.ts';
import { pageQuery, type RouteTable } from './route.ts';

const byPatient = z.object({ id: patientId });
const { pageNumber } = pageQuery;
const pageSize = (size: number) => z.coerce.number().int().min(1).max(50).default(size);

export const storyRoutes = {
  'GET /api/patients/:id/encounters': {
    permission: 'canViewPatients',
    summary: "List a patient's visits, newest first, each with all of its events",
    audit: 'patient.encounters',
    params: byPatient,
    query: z.object({
      pageNumber,
      pageSize: pageSize(10),
      admittingFacilityId: id.optional(),
      includeHHA: z.enum(['true', 'false']).default('false'),
      kind: z.enum(VISIT_KINDS).optional(),
    }),
    answer: storyEncounters,
  },
  'GET /api/patients/:id/hha-coverage': {
    permission: 'canViewPatients',
    summary: 'List the periods in which a home health agency looked after a patient, newest first',
    audit: 'patient.encounters',
    params: byPatient,
    query: z.object({ pageNumber, pageSize: pageSize(3) }),
    answer: hhaCoverage,
  },
  'GET /api/patients/:id/encounters/summary': {
    permission: 'canViewPatients',
    summary: "List the latest event of each of a patient's 200 newest visits, newest first",
    audit: 'patient.encounters',
    params: byPatient,
    answer: z.array(encounterSummary),
  },
  'GET /api/patients/:id/diagnosis-summary': {
    permission: 'canViewPatients',
    summary: "List a patient's diagnoses, the latest first",
    audit: 'patient.encounters',
    params: byPatient,
    answer: z.array(diagnosisSummary),
  },
  'GET /api/patients/:id/community-of-care': {
    permission: 'canViewPatients',
    summary: 'Count who looks after a patient',
    audit: 'patient.programs',
    params: byPatient,
    answer: patientDetails.shape.communityOfCare,
  },
  'GET /api/patients/:id/hl7-based-programs': {
    permission: 'canViewPatients',
    summary:
      'List the HL7-based programs that a patient is in now, with their definitions and the stays that enrolled the patient',
    audit: 'patient.programs',
    params: byPatient,
    answer: z.array(programEnrollment),
  },
} as const satisfies RouteTable;
