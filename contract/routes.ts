/**
 * The API in one table: method and path, who may call it, what goes in and what comes out. Server, client, documentation and the
 * test of every route × role × foreign team derive from it. A route that is not here does not exist.
 */
import { z } from 'zod';
import { applicationInfo, credentials, me, signInAnswer } from './accounts.ts';
import { EVENT_CODES } from './event-codes.ts';
import { feed, message, messageFilters, messagePreview } from './feeds.ts';
import { patient, patientResults } from './patients.ts';
import type { RoutePermission } from './permissions.ts';
import { managementStatusRecord, statusChange } from './pings.ts';
import { id, instantOrDay, patientId } from './primitives.ts';
import { rosterJob } from './rosters.ts';
import { searchParameters } from './search.ts';

interface Route {
  permission: RoutePermission;
  summary: string;
  params?: z.ZodType;
  query?: z.ZodType;
  body?: z.ZodType;
  /** What a 200 answers; absent where it is a stream, a download or nothing (204). */
  answer?: z.ZodType;
  /** 'stream' and 'download' take the team in the query; 'multipart' reads a file. */
  kind?: 'stream' | 'download' | 'multipart';
  status?: 200 | 202 | 204;
}

const byPatient = z.object({ id: patientId });
const byGroup = z.object({ groupId: id });
const byJob = z.object({ jobId: id });
const page = {
  pageNumber: z.coerce.number().int().min(1).default(1),
  pageSize: z.coerce.number().int().min(1).max(100).default(20),
};

export const routes = {
  // accounts
  'POST /api/authenticate': {
    permission: 'public',
    summary: 'Sign in by password',
    body: credentials,
    answer: signInAnswer,
  },
  'POST /api/logout': { permission: 'signed-in', summary: 'End the session', status: 204 },
  'GET /api/me': { permission: 'signed-in', summary: 'The current user, teams and permissions', answer: me },
  'PUT /api/users/default-team': {
    permission: 'signed-in',
    summary: 'Remember the selected team',
    query: z.object({ teamId: id }),
    status: 204,
  },
  'GET /api/application-info': {
    permission: 'public',
    summary: 'Version, names, contacts, limits',
    answer: applicationInfo,
  },

  // pings
  'POST /api/pings': {
    permission: 'canViewPings',
    summary: 'A page of the inbox: one row a person and encounter with pings',
    body: searchParameters,
    answer: patientResults,
  },
  'GET /api/pings/count/:kind': {
    permission: 'canViewPings',
    summary: 'How many pings are open (NEW, IN_PROGRESS) or resolved (RESOLVED, DISMISSED)',
    params: z.object({ kind: z.enum(['open', 'resolved']) }),
    answer: z.object({ count: z.number().int() }),
  },
  'POST /api/pings-result-hashes': {
    permission: 'canViewPings',
    summary: 'One hash a row of that page, in order, and one for the whole',
    body: searchParameters,
    answer: z.object({ hashes: z.array(z.string()), hash: z.string() }),
  },
  'POST /api/patients/:id/events/management-status': {
    permission: 'canManagePings',
    summary: 'Change the management status of a ping, for all groups of the team',
    params: byPatient,
    body: statusChange,
    answer: managementStatusRecord,
  },
  'POST /api/patients/:id/events/management-status-history': {
    permission: 'canViewPings',
    summary: 'The statuses that a ping has had, newest first',
    params: byPatient,
    body: z.object({ eventIdentifier: id }),
    answer: z.array(managementStatusRecord),
  },

  // patients
  'GET /api/patients/:id': {
    permission: 'canViewPatients',
    summary: 'One patient',
    params: byPatient,
    answer: patient,
  },
  'POST /api/patients/:id/events': {
    permission: 'canEditPatientsAndEvents',
    summary: 'Enter an event by hand (facilities without a feed)',
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
    summary: 'Enter a patient and his or her first event at a facility without a feed',
    params: byGroup,
    body: z.object({
      firstName: z.string().trim().min(1).max(100),
      middleName: z.string().trim().max(100).nullish(),
      lastName: z.string().trim().min(1).max(100),
      nameSuffix: z.string().trim().max(20).nullish(),
      dateOfBirth: z.string(),
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

  // live
  'GET /api/live': {
    permission: 'canViewPings',
    summary: 'Server-sent events of a team: pings, counts, roster progress',
    query: z.object({ teamId: id }),
    kind: 'stream',
  },

  // rosters
  'GET /api/rosters/template.csv': {
    permission: 'canUploadRoster',
    summary: 'The columns, with an example row',
    query: z.object({ teamId: id }),
    kind: 'download',
  },
  'POST /api/rosters/:groupId/uploads': {
    permission: 'canUploadRoster',
    summary: 'Upload a roster file (multipart, field "file")',
    params: byGroup,
    kind: 'multipart',
    answer: rosterJob,
    status: 202,
  },
  'GET /api/rosters/:groupId/uploads/latest': {
    permission: 'canUploadRoster',
    summary: 'The newest upload of a group, null where there is none',
    params: byGroup,
    answer: rosterJob.nullable(),
  },
  'GET /api/rosters/uploads/:jobId': {
    permission: 'canUploadRoster',
    summary: 'One upload',
    params: byJob,
    answer: rosterJob,
  },
  'GET /api/rosters/uploads/:jobId/errors.csv': {
    permission: 'canUploadRoster',
    summary: 'The rows with errors, one line an error',
    params: byJob,
    query: z.object({ teamId: id }),
    kind: 'download',
  },
  'POST /api/rosters/uploads/:jobId/confirm': {
    permission: 'canUploadRoster',
    summary: 'Apply it although it removes many',
    params: byJob,
    answer: rosterJob,
  },
  'POST /api/rosters/uploads/:jobId/cancel': {
    permission: 'canUploadRoster',
    summary: 'Do not apply it',
    params: byJob,
    answer: rosterJob,
  },

  // feeds
  'GET /api/feeds': { permission: 'canManageUsers', summary: 'Feeds and their health', answer: z.array(feed) },
  'GET /api/feeds/messages': {
    permission: 'canManageUsers',
    summary: 'Received messages, newest first',
    query: messageFilters,
    answer: z.object({ messages: z.array(message), total: z.number().int(), numPages: z.number().int() }),
  },
  'GET /api/feeds/messages/:id': {
    permission: 'canManageUsers',
    summary: 'One received message with its text',
    params: z.object({ id }),
    answer: message.extend({ text: z.string().nullable() }),
  },
  'POST /api/feeds/messages/:id/replay': {
    permission: 'canManageUsers',
    summary: 'Process a message again, after a setting was mended',
    params: z.object({ id }),
    answer: message,
  },
  'POST /api/feeds/preview': {
    permission: 'canManageUsers',
    summary: 'What would this message do? Changes nothing',
    body: z.object({ feedId: id, text: z.string().min(1).max(1_000_000) }),
    answer: messagePreview,
  },
  'GET /api/feeds/reviews': {
    permission: 'canManageUsers',
    summary: 'Identities that wait for a person to decide',
    query: z.object(page),
    answer: z.object({
      reviews: z.array(
        z.object({
          id,
          facilityName: z.string(),
          createdDate: z.string(),
          ruleId: z.string().nullable(),
          candidates: z.array(z.object({ personId: id, evidence: z.record(z.string(), z.unknown()) })),
        }),
      ),
      total: z.number().int(),
    }),
  },
  'POST /api/feeds/reviews/:id': {
    permission: 'canManageUsers',
    summary: 'Decide a review: link to one of its candidates, or keep apart',
    params: z.object({ id }),
    body: z.object({ personId: id.nullable() }),
    status: 204,
  },
  'POST /api/feeds/reviews/:id/undo': {
    permission: 'canManageUsers',
    summary: 'Take a decision back',
    params: z.object({ id }),
    status: 204,
  },
} as const satisfies Record<string, Route>;

export type Routes = typeof routes;
export type RouteKey = keyof Routes;

type In<T> = T extends z.ZodType ? z.input<T> : never;
type Field<R, K extends string> = R extends Record<K, infer S> ? S : never;

/** What a caller of a route hands in; only the parts that the route has. */
export type RouteInput<K extends RouteKey> = ([Field<Routes[K], 'params'>] extends [never]
  ? unknown
  : { params: In<Field<Routes[K], 'params'>> }) &
  ([Field<Routes[K], 'query'>] extends [never] ? unknown : { query: In<Field<Routes[K], 'query'>> }) &
  ([Field<Routes[K], 'body'>] extends [never] ? unknown : { body: In<Field<Routes[K], 'body'>> });

/** What a route answers; void where it answers nothing. */
export type RouteAnswer<K extends RouteKey> = [Field<Routes[K], 'answer'>] extends [never]
  ? void
  : z.output<Field<Routes[K], 'answer'> & z.ZodType>;
