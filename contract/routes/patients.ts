import { z } from 'zod';
import { accessedPatient, patientAccess, readerElsewhere } from '../accesses.ts';
import { LARGEST_PAGE_SIZE } from '../constants.ts';
import { exchangeLink } from '../exchange-links.ts';
import { eventChange, newEvent, newPatient, patientChange } from '../manual-entries.ts';
import { patientDetails } from '../patient-details.ts';
import { id, patientId, teamOfDownload } from '../primitives.ts';
import { WAIVER_RULES } from '../waiver-conditions.ts';
import { threeDayWaiver, waiverChange } from '../waivers.ts';
import { pageQuery, type RouteTable } from './route.ts';

const byPatient = z.object({ id: patientId });
const byGroup = z.object({ groupId: id });
const byEncounter = byPatient.extend({ encounterId: id });
/** `isListed`: whether the facility still lists the patient. Without any visit it does not. */
const changed = z.object({ patientId, isListed: z.boolean() });

export const patientsRoutes = {
  'GET /api/patients/:id': {
    permission: ['canViewPatients', 'canViewPings'],
    summary: 'Get a patient; with canViewPings alone, one about whom a group got a ping',
    audit: 'patient.view',
    params: byPatient,
    answer: patientDetails,
  },
  'POST /api/prints': {
    permission: ['canViewPatients', 'canViewPings'],
    summary: 'Record that a page with these patients was printed',
    audit: 'patient.print',
    body: z.strictObject({ patientIds: z.array(patientId).min(1).max(LARGEST_PAGE_SIZE) }),
    status: 204,
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
      /** Null for administrators who may not view patients in a group that lists the patient or did. */
      patient: accessedPatient.nullable(),
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
    query: z.object(teamOfDownload),
    kind: 'download',
  },
  'PATCH /api/patients/:id': {
    permission: 'canEditPatientsAndEvents',
    summary: 'Correct a patient whom staff entered manually; after 30 days with canEditOldManualPatientsAndEvents',
    audit: 'patient.change',
    params: byPatient,
    body: patientChange,
    answer: changed,
  },
  'POST /api/patients/:id/events': {
    permission: 'canEditPatientsAndEvents',
    summary: 'Enter an event manually, at a facility without a feed',
    audit: 'patient.enter-event',
    params: byPatient,
    body: newEvent,
    answer: z.object({ patientId }),
  },
  'PATCH /api/patients/:id/events/:eventId': {
    permission: 'canEditPatientsAndEvents',
    summary: 'Correct an event that staff entered manually',
    audit: 'patient.change-event',
    params: byPatient.extend({ eventId: id }),
    body: eventChange,
    answer: changed,
  },
  'DELETE /api/patients/:id/events/:eventId': {
    permission: 'canEditPatientsAndEvents',
    summary: 'Delete an event that staff entered manually: it stays in the history as canceled',
    audit: 'patient.delete-event',
    params: byPatient.extend({ eventId: id }),
    answer: changed,
  },
  'DELETE /api/patients/:id/encounters/:encounterId': {
    permission: 'canEditPatientsAndEvents',
    summary: 'Delete a visit that staff entered manually: it stays in the history as canceled',
    audit: 'patient.delete-encounter',
    params: byEncounter,
    answer: changed,
  },
  'GET /api/patients/:id/encounters/:encounterId/three-day-waiver': {
    permission: 'canViewPatients',
    summary:
      "Get the three-day waiver of a stay at a skilled nursing facility, with the check of the patient's eligibility",
    audit: 'waiver.view',
    params: byEncounter,
    query: z.object({ rule: z.enum(WAIVER_RULES).optional() }),
    answer: threeDayWaiver,
  },
  'PUT /api/patients/:id/encounters/:encounterId/three-day-waiver': {
    permission: 'canUpdateThreeDayWaiver',
    summary: 'Set the status of a three-day waiver',
    audit: 'waiver.change',
    params: byEncounter,
    body: waiverChange,
    answer: threeDayWaiver,
  },
  'POST /api/cohort/:groupId/patients': {
    permission: 'canEditPatientsAndEvents',
    summary: 'Enter a patient and a first event manually, at a facility without a feed',
    audit: 'patient.enter',
    params: byGroup,
    body: newPatient,
    answer: z.object({ patientId }),
  },
} as const satisfies RouteTable;
