import { z } from 'zod';
import { patientAccess, readerElsewhere } from '../accesses.ts';
import { EVENT_CODES } from '../event-codes.ts';
import { exchangeLink } from '../exchange-links.ts';
import { patientDetails } from '../patient-details.ts';
import { id, instantOrDay, patientId, plainText } from '../primitives.ts';
import { relationship } from '../rosters.ts';
import { pageQuery, type RouteTable } from './route.ts';

const byPatient = z.object({ id: patientId });
const byGroup = z.object({ groupId: id });

export const patientsRoutes = {
  'GET /api/patients/:id': {
    permission: ['canViewPatients', 'canViewPings'],
    summary: 'Get a patient; with canViewPings alone, one about whom a group got a ping',
    audit: 'patient.view',
    params: byPatient,
    answer: patientDetails,
  },
  'GET /api/patients/:id/pulse-link': {
    permission: 'canUseWishinPulse',
    summary: "Get the form that opens the patient at WISHIN Pulse, as the user's organization has set it",
    audit: 'patient.pulse',
    params: byPatient,
    answer: exchangeLink,
  },
  'GET /api/patients/:id/vynca-link': {
    permission: 'canViewPatients',
    summary: "Get the form that opens the patient's advance care documents at Vynca",
    audit: 'patient.vynca',
    params: byPatient,
    answer: exchangeLink,
  },
  'GET /api/patients/:id/accesses': {
    permission: 'canManageUsers',
    summary: 'List who has seen a patient, newest first: by teams of the organization; for operators by all',
    audit: 'patient.accesses',
    params: byPatient,
    query: z.object(pageQuery),
    answer: z.object({
      accesses: z.array(patientAccess),
      total: z.number().int(),
      numPages: z.number().int(),
      /** Other organizations, the latest reader first; empty for operators, whose list has every organization's. */
      elsewhere: z.array(readerElsewhere),
    }),
  },
  'GET /api/patients/:id/accesses.csv': {
    permission: 'canManageUsers',
    summary: 'Download who has seen a patient (CSV): what the list has, all pages',
    audit: 'patient.accesses-export',
    params: byPatient,
    query: z.object({ teamId: id }),
    kind: 'download',
  },
  'POST /api/patients/:id/events': {
    permission: 'canEditPatientsAndEvents',
    summary: 'Enter an event manually, at a facility without a feed',
    audit: 'patient.enter-event',
    params: byPatient,
    body: z.object({
      status: z.enum(EVENT_CODES),
      eventDate: instantOrDay,
      dischargedTo: plainText(200).nullish(),
    }),
    answer: z.object({ patientId }),
  },
  'POST /api/cohort/:groupId/patients': {
    permission: 'canEditPatientsAndEvents',
    summary: 'Enter a patient and a first event manually, at a facility without a feed',
    audit: 'patient.enter',
    params: byGroup,
    body: z.object({
      firstName: plainText(100).trim().min(1),
      middleName: plainText(100).trim().nullish(),
      lastName: plainText(100).trim().min(1),
      nameSuffix: plainText(20).trim().nullish(),
      dateOfBirth: z.string().trim().max(10),
      gender: z.enum(['Male', 'Female', 'Other', 'Unknown']),
      recordNumber: plainText(60).trim().nullish(),
      address1: plainText(200).nullish(),
      city: plainText(100).nullish(),
      state: plainText(30).nullish(),
      zip: plainText(10).nullish(),
      homePhone: plainText(30).nullish(),
      ssnLast4: z
        .string()
        .regex(/^\d{4}$/)
        .nullish(),
      medicareId: plainText(20).nullish(),
      status: z.enum(EVENT_CODES),
      eventDate: instantOrDay,
      relationship,
    }),
    answer: z.object({ patientId }),
  },
} as const satisfies RouteTable;
