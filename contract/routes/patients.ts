import { z } from 'zod';
import { EVENT_CODES } from '../event-codes.ts';
import { patient } from '../patients.ts';
import { id, instantOrDay, patientId } from '../primitives.ts';
import type { RouteTable } from './route.ts';

const byPatient = z.object({ id: patientId });
const byGroup = z.object({ groupId: id });

export const patientsRoutes = {
  'GET /api/patients/:id': {
    permission: 'canViewPatients',
    summary: 'Get a patient',
    params: byPatient,
    answer: patient,
  },
  'POST /api/patients/:id/events': {
    permission: 'canEditPatientsAndEvents',
    summary: 'Enter an event manually, at a facility without a feed',
    params: byPatient,
    body: z.object({
      status: z.enum(EVENT_CODES),
      eventDate: instantOrDay,
      dischargedTo: z.string().max(200).nullish(),
    }),
    answer: z.object({ patientId }),
  },
  'POST /api/cohort/:groupId/patients': {
    permission: 'canEditPatientsAndEvents',
    summary: 'Enter a patient and a first event manually, at a facility without a feed',
    params: byGroup,
    body: z.object({
      firstName: z.string().trim().min(1).max(100),
      middleName: z.string().trim().max(100).nullish(),
      lastName: z.string().trim().min(1).max(100),
      nameSuffix: z.string().trim().max(20).nullish(),
      dateOfBirth: z.string().trim().max(10),
      gender: z.enum(['Male', 'Female', 'Other', 'Unknown']),
      recordNumber: z.string().trim().max(60).nullish(),
      address1: z.string().max(200).nullish(),
      city: z.string().max(100).nullish(),
      state: z.string().max(30).nullish(),
      zip: z.string().max(10).nullish(),
      homePhone: z.string().max(30).nullish(),
      ssnLast4: z
        .string()
        .regex(/^\d{4}$/)
        .nullish(),
      medicareId: z.string().max(20).nullish(),
      status: z.enum(EVENT_CODES),
      eventDate: instantOrDay,
    }),
    answer: z.object({ patientId }),
  },
} as const satisfies RouteTable;
