import { z } from 'zod';
import { instant, patientId } from '../primitives.ts';
import {
  assignment,
  colleague,
  colleagueSearch,
  donePage,
  handedOver,
  handOver,
  ownStays,
  snooze,
  statusOutcomes,
  stayStatusChange,
  takenBack,
  undoHandOver,
  undoOf,
  workChange,
  workOutcomes,
} from '../worklist.ts';
import { MOST_COLLEAGUES } from '../worklist-words.ts';
import type { RouteTable } from './route.ts';

const byPatient = z.object({ id: patientId });

export const worklistRoutes = {
  'POST /api/colleagues': {
    permission: 'canViewPings',
    summary: 'List users of the team who may see its pings, by name: a stay can be given to them',
    body: colleagueSearch,
    answer: z.array(colleague).max(MOST_COLLEAGUES),
  },
  'POST /api/stays/assign': {
    permission: 'canManagePings',
    summary: 'Give stays to a user of the team, or to no one; each stay for itself, with an outcome of its own',
    audit: 'stay.assign',
    body: assignment,
    answer: workOutcomes,
  },
  'POST /api/stays/snooze': {
    permission: 'canManagePings',
    summary:
      'Let stays wait until a day or a new event, or end the wait; each stay for itself, with an outcome of its own',
    audit: 'stay.snooze',
    body: snooze,
    answer: workOutcomes,
    largeBody: true,
  },
  'POST /api/stays/management-status': {
    permission: 'canManagePings',
    summary: 'Change the management status of pings of many stays; each stay for itself, with an outcome of its own',
    audit: 'ping.status',
    body: stayStatusChange,
    answer: statusOutcomes,
    largeBody: true,
  },
  'GET /api/patients/:id/work-history': {
    permission: 'canViewPings',
    summary: 'List who has given the stay to whom, and when it waited, newest first',
    audit: 'stay.history',
    params: byPatient,
    answer: z.array(workChange),
  },
  'POST /api/patients/:id/viewing': {
    permission: 'canViewPings',
    summary:
      'Note that the user has the patient open for the next 40 seconds; returns the names of others on the team who have',
    audit: 'patient.viewing',
    params: byPatient,
    answer: z.array(z.string()),
  },
  'DELETE /api/patients/:id/viewing': {
    permission: 'canViewPings',
    summary: 'Note that the user has closed the patient',
    audit: 'patient.viewing',
    params: byPatient,
    status: 204,
  },
  'GET /api/hand-over': {
    permission: 'canManagePings',
    summary: 'Count the stays of the team that the user has taken',
    audit: 'stay.own',
    answer: ownStays,
  },
  'POST /api/hand-over': {
    permission: 'canManagePings',
    summary: 'Give all stays that the user has taken to another user of the team, all or none',
    audit: 'stay.hand-over',
    body: handOver,
    answer: handedOver,
  },
  'POST /api/hand-over/undo': {
    permission: 'canManagePings',
    summary: 'Take back the stays that the user handed over at that time, without those that someone has changed since',
    audit: 'stay.undo',
    body: undoHandOver,
    answer: takenBack,
  },
  'GET /api/recently-done': {
    permission: 'canManagePings',
    summary: 'List what the user did on the team in the last two days, newest first, a page at a time',
    audit: 'stay.done',
    query: z.object({ before: instant.optional() }),
    answer: donePage,
  },
  'POST /api/recently-done/undo': {
    permission: 'canManagePings',
    summary: 'Take back something that the user did, unless someone has changed it since',
    audit: 'stay.undo',
    body: undoOf,
    status: 204,
  },
} as const satisfies RouteTable;
