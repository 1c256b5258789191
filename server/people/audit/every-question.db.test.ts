/** Calls every audited route of a team about one person, and looks for the entries, and for the person in them. */
import { expect, test, vi } from 'vitest';
import { TEAM_HEADER } from '#contract/constants.ts';
import { PERMISSION_FLAGS } from '#contract/permissions.ts';
import { type Route, type RouteKey, routes } from '#contract/routes.ts';
import { runExport } from '#server/insight/exports/run-export.ts';
import { sql } from '#server/platform/database/sql.ts';
import { signIn } from '#server/testing/app.ts';
import { request } from '#server/testing/client.ts';
import { ccda, mdm } from '#server/testing/documents.ts';
import { momentOf } from '#server/testing/factories.ts';
import { admission, feedOffice, matchedPing, quarantined, someSettings } from '#server/testing/feed-office.ts';
import type { TestPerson } from '#server/testing/hospital.ts';

const { app, hosp, home } = await feedOffice();
const { make, database } = app;
app.queue.start();

const [family, given] = ['Quackenbush', 'Zephyrine'];
const zephyrine: TestPerson = { family, given, birthDate: '1931-07-19', sex: 'F', zip: '14850' };
const HER = /quackenbush|zephyrine|1931|0719|07\/19/i;

const { organizationId } = home;
const program = await make.group({ organizationId });
const snf = await make.group({ organizationId, type: 'SNF', facilityType: 'SNF' });
const clinic = await make.group({ organizationId, type: 'ADMITTING', isPart2Facility: true });
const team = await make.team({ organizationId, groupIds: [home.facility, program.id, snf.id, clinic.id] });
const user = await make.user({ team, role: 'administrator', added: [...PERMISSION_FLAGS] });
const client = await signIn(app, user.username);

await hosp.list(program.id, { ...zephyrine, zip: '98101' });
const messageId = await hosp.send(admission({ record: 'MR-9', visit: 'V-9', person: zephyrine }));
const strayId = await quarantined(hosp, zephyrine);
const asked = await vi.waitFor(async () => {
  const { reviews } = await client.call('GET /api/feeds/reviews', { query: {} });
  expect(reviews).toHaveLength(1);
  return reviews[0];
}, 10_000);
await client.call('POST /api/feeds/reviews/:id', {
  params: { id: asked?.id ?? '' },
  body: { candidateId: asked?.candidates[0]?.id ?? '', version: asked?.version ?? '' },
});
await client.call('POST /api/feeds/reviews/:id/undo', { params: { id: asked?.id ?? '' } });
const [review] = (await client.call('GET /api/feeds/reviews', { query: {} })).reviews;
const seen = await make.ping({ groupId: program.id });

const upload = async (groupId: string, status: string): Promise<string> => {
  const { rows } = await database.pipeline.query<{ id: string }>(sql`
    insert into roster_uploads (group_id, status, username, file_name, created_at, applied_at)
    values (${groupId}, ${status}, 'rosa', 'a.csv', ${app.clock.now()}, ${status === 'DONE' ? app.clock.now() : null}) returning id`);
  return rows[0]?.id ?? '';
};
const [done, toConfirm, toCancel] = [
  await upload(program.id, 'DONE'),
  await upload(home.facility, 'AWAITING_CONFIRMATION'),
  await upload(snf.id, 'AWAITING_CONFIRMATION'),
];

/** What the exchanges, consents and emergency access depend on. */
const listed = await make.rosterPatient({
  groupId: program.id,
  state: 'WI',
  advance_care_documents: ['Living will'],
  opens_from: app.clock.now(),
});
await make.rosterPatient({ groupId: clinic.id, personId: listed.personId });
const longAgo = momentOf(new Date('2024-02-01T09:00:00Z'));
const foreign = await make.group({ type: 'HOS', facilityType: 'HOS' });
await make.encounter({
  groupId: foreign.id,
  personId: listed.personId,
  visit: { status: 'FINISHED', admittedAt: longAgo, dischargedAt: longAgo },
});
await database.pipeline.query('update organizations set allows_emergency_access = true');
const exchange = { url: 'https://exchange.example/open', fields: [{ name: 'zip', value: '{zip}' }] };
await client.call('PUT /api/admin/record-settings', {
  body: { pulse: { ...exchange, states: ['WI'] }, vynca: exchange },
});
const other = { params: { id: `${listed.id}_0` } };
const consent = await client.call('POST /api/patients/:id/consents', {
  ...other,
  body: { recipientGroupId: program.id, facilityGroupId: clinic.id },
});

const search = { userDefinedFacetPreferences: { query: 'Quackenbush Zephyrine', dateOfBirth: '1931-07-19' } };
const patient = { params: { id: seen.patientId } };
const contact = { contactName: 'Zephyrine Quackenbush', content: 'Zephyrine' };
const addInstruction = () =>
  client.call('POST /api/patients/:id/instructions', { ...patient, body: { kind: 'ADMIT', instruction: 'Zephyrine' } });
const record = {
  ...patient.params,
  recordId: (await client.call('POST /api/patients/:id/care-team', { ...patient, body: contact })).id,
};
const instruction = { ...patient.params, instructionId: (await addInstruction()).id };
const toEnd = { ...patient.params, instructionId: (await addInstruction()).id };
const attempt = {
  attemptedAt: app.clock.now().toISOString(),
  channel: 'CALL',
  outcome: 'NO_ANSWER',
  note: 'Zephyrine',
} as const;
const [attempted] = await client.call('POST /api/patients/:id/contact-attempts', {
  ...patient,
  body: { ...attempt, outcome: 'REACHED' },
});
const { rows: stays } = await database.pipeline.query<{ id: string }>(sql`
  select r.id || '_' || e.id as id from encounters e join roster_patients r on r.person_id = e.person_id and r.group_id = e.group_id
  where e.group_id = ${home.facility}`);
const stay = { params: { id: stays[0]?.id ?? '' } };
const byMatch = [
  await matchedPing(database.pipeline, hosp, program.id),
  await matchedPing(database.pipeline, hosp, program.id),
];
const link = { purpose: 'CONFIRM_DISCHARGE', recipient: 'quackenbush@mercy.example', hours: 24 } as const;
const { links } = await client.call('POST /api/patients/:id/facility-links', { ...stay, body: link });
const manual = { status: 'ADMIT', eventDate: '2026-11-18' };
const left = await make.ping({ groupId: program.id });
await database.pipeline.query(`update events set code = 'DISCHARGE' where id = $1`, [left.eventId]);
/** What the hospital wrote about the stay. */
const content = ccda({ record: 'MR-9', person: zephyrine, type: '18842-5', title: 'Discharge summary' });
await hosp.send(mdm('T02', { facility: 'HOME', record: 'MR-9', visit: 'V-9', person: zephyrine, content }));
const written = await vi.waitFor(async () => {
  const ccds = await client.call('GET /api/ccd/:id/ccds', stay);
  expect(ccds).toHaveLength(1);
  return ccds[0];
}, 10_000);
const uuid = written?.uuid ?? '';
const ofStay = { ...stay.params, encounterId: written?.encounterId ?? '' };

const colleague = await make.user({ team });
const toAssign = { patientId: seen.patientId, expectedVersion: '0' };
const snoozed = await make.ping({ groupId: program.id });
const toSnooze = { patientId: snoozed.patientId, expectedVersion: '0' };
const toUndo = { patientId: (await make.ping({ groupId: program.id })).patientId, expectedVersion: '0' };
const [assigned] = await client.call('POST /api/stays/assign', { body: { stays: [toUndo], userId: colleague.id } });
const expected = {
  groupId: home.facility,
  firstName: 'Zephyrine',
  lastName: 'Quackenbush',
  gender: 'Female',
  dob: '1931-07-19',
} as const;
const held = await client.call('POST /api/pre-admit/patients', { body: expected });
const heldToDelete = await client.call('POST /api/pre-admit/patients', {
  body: { ...expected, firstName: 'Zephyrine Ann' },
});
const { id: exportId } = await client.call('POST /api/export/initiate-encounters-export', { query: {} });
await runExport({ app: database.app, pipeline: database.pipeline, clock: app.clock.now }, exportId);
/** What to call each route with. A route that is not here is called without anything. */
const quarter = { params: { subName: 'readmissions' }, query: { from: '2026-07-01', to: '2026-09-30' } };
const INPUTS: Partial<Record<RouteKey, unknown>> = {
  'GET /api/patients/:id': patient,
  'GET /api/patients/:id/events/:eventId/explanation': { params: { id: seen.patientId, eventId: seen.eventId } },
  'POST /api/patients/:id/events/:eventId/take-apart': { params: byMatch[0]?.ping },
  'POST /api/feeds/messages/:id/take-apart': { params: { id: byMatch[1]?.messageId } },
  'GET /api/patients/:id/events/:eventId/evidence': { params: { id: left.patientId, eventId: left.eventId } },
  'GET /api/patients/:id/missing-pings': { ...patient, query: {} },
  'GET /api/patients/:id/follow-ups': patient,
  'GET /api/ccd/:id/ccds': stay,
  'GET /api/ccd/ccd_summary': { query: { uuid } },
  'GET /api/patients/:id/documents/:uuid': { params: { ...stay.params, uuid } },
  'GET /api/patients/:id/documents/:uuid/file': { params: { ...stay.params, uuid }, query: { teamId: team.id } },
  'GET /api/ccd/:id/discharge-info': { ...stay, query: { encounterId: ofStay.encounterId } },
  'GET /api/ccd/:id/discharge-summary': { ...stay, query: { uuid } },
  'GET /api/patients/:id/encounters/:encounterId/discharge-summary': { params: ofStay, query: { teamId: team.id } },
  'GET /api/patients/:id/accesses': { ...patient, query: {} },
  'GET /api/patients/:id/accesses.csv': { ...patient, query: { teamId: team.id } },
  'GET /api/patients/:id/encounters': { ...patient, query: {} },
  'GET /api/patients/:id/hha-coverage': { ...patient, query: {} },
  'GET /api/patients/:id/encounters/summary': patient,
  'GET /api/patients/:id/diagnosis-summary': patient,
  'GET /api/patients/:id/community-of-care': patient,
  'GET /api/patients/:id/hl7-based-programs': patient,
  'POST /api/prints': { body: { patientIds: [seen.patientId] } },
  'GET /api/patients/:id/pulse-link': other,
  'GET /api/patients/:id/vynca-link': other,
  'GET /api/patients/:id/consents': other,
  'POST /api/patients/:id/consents': { ...other, body: { recipientGroupId: snf.id, facilityGroupId: clinic.id } },
  'DELETE /api/patients/:id/consents/:consentId': { params: { ...other.params, consentId: consent.id } },
  'GET /api/patients/:id/emergency-access': other,
  'POST /api/patients/:id/emergency-access': {
    ...other,
    body: { reason: 'Zephyrine found unresponsive', isMedicalEmergency: true },
  },
  'POST /api/tags': { body: { name: 'Zephyrine' } },
  'GET /api/patients/:id/tags': patient,
  'PUT /api/patients/:id/tags': { ...patient, body: { tagIds: [] } },
  'GET /api/patients/:id/programs': patient,
  'GET /api/patients/:id/care-team': patient,
  'POST /api/patients/:id/care-team': { ...patient, body: contact },
  'PUT /api/patients/:id/care-team/:recordId': { params: record, body: { ...contact, version: '1' } },
  'DELETE /api/patients/:id/care-team/:recordId': { params: record },
  'GET /api/patients/:id/contact-attempts': patient,
  'POST /api/patients/:id/contact-attempts': { ...patient, body: attempt },
  'DELETE /api/patients/:id/contact-attempts/:attemptId': { params: { ...patient.params, attemptId: attempted?.id } },
  'GET /api/patients/:id/facility-links': stay,
  'POST /api/patients/:id/facility-links': { ...stay, body: link },
  'DELETE /api/patients/:id/facility-links/:linkId': { params: { ...stay.params, linkId: links[0]?.id ?? '' } },
  'GET /api/patients/:id/instructions': patient,
  'POST /api/patients/:id/instructions': { ...patient, body: { kind: 'ADMIT', instruction: 'Zephyrine' } },
  'PUT /api/patients/:id/instructions/:instructionId': {
    params: instruction,
    body: { instruction: 'Zephyrine', version: '1' },
  },
  'GET /api/patients/:id/instructions/:instructionId/form': { params: instruction, query: { teamId: team.id } },
  'POST /api/patients/:id/instructions/:instructionId/form': { params: instruction },
  'DELETE /api/patients/:id/instructions/:instructionId/form': { params: instruction },
  'DELETE /api/patients/:id/instructions/:instructionId': { params: toEnd },
  'POST /api/patients/search': { body: { ...search, pageNumber: 2 } },
  'POST /api/events/search': { body: search },
  'POST /api/pings': { body: search },
  'POST /api/pings-result-hashes': { body: search },
  'GET /api/pings/count/:kind': { params: { kind: 'open' } },
  'POST /api/patients/range-counts': { body: { parameters: search, facet: 'lengthOfStay', ranges: ['0:5'] } },
  'GET /api/spotlights/:subName': quarter,
  'GET /api/spotlights/:subName/patients': quarter,
  'POST /api/rising-risk/preview': { body: { visits: 2, days: 60, factor: 2, multiVisits: 6, multiMonths: 3 } },
  'POST /api/hl7-programs/preview': {
    body: {
      admittingFacilityId: null,
      admittingFacilityType: null,
      diagnosesDefinition: { codes: ['I50'], principalOnly: true },
      drgCodes: [],
      payer: null,
      dischargeSetting: null,
      dischargedTo: null,
      validityPeriod: 90,
    },
  },
  'POST /api/patients/similar-names': { body: { patientIds: [seen.patientId] } },
  'POST /api/typeahead/patients': { body: { query: 'quackenb' } },
  'POST /api/typeahead/:kind': { params: { kind: 'providers' }, body: { query: 'zeph', parameters: search } },
  'POST /api/patient-search-params/preview': { body: search },
  'POST /api/patients/:id/events/management-status/bulk': {
    ...patient,
    body: { eventIdentifiers: [seen.eventId], status: 'IN_PROGRESS' },
  },
  'POST /api/stays/assign': { body: { stays: [{ ...toAssign }], userId: user.id } },
  'POST /api/stays/snooze': {
    body: { stays: [{ ...toSnooze, eventIdentifiers: [snoozed.eventId] }], until: 'EVENT' },
  },
  'POST /api/stays/management-status': {
    body: {
      stays: [{ patientId: snoozed.patientId, eventIdentifiers: [snoozed.eventId], expectedStatusIds: ['0'] }],
      status: 'IN_PROGRESS',
    },
  },
  'GET /api/patients/:id/work-history': patient,
  'POST /api/patients/:id/viewing': patient,
  'DELETE /api/patients/:id/viewing': patient,
  'POST /api/hand-over': { body: { toUserId: colleague.id } },
  'POST /api/hand-over/undo': { body: { date: app.clock.now().toISOString() } },
  'POST /api/recently-done/undo': {
    body: { kind: 'work', patientId: toUndo.patientId, changeId: assigned?.work?.version },
  },
  'POST /api/patients/:id/events/seen': { ...patient, body: { until: '2026-11-20T15:00:00Z' } },
  'POST /api/patients/:id/events/management-status': {
    ...patient,
    body: { eventIdentifier: seen.eventId, status: 'IN_PROGRESS', resolutions: [] },
  },
  'POST /api/patients/:id/events/management-status-history': { ...patient, body: { eventIdentifier: seen.eventId } },
  'POST /api/cohort/:groupId/patients': {
    params: { groupId: snf.id },
    body: {
      firstName: 'Zephyrine',
      lastName: 'Quackenbush',
      dateOfBirth: '07/19/1931',
      gender: 'Female',
      relationship: 'TREATMENT',
      recordNumber: 'R-0',
      ...manual,
    },
  },
  'GET /api/feeds/messages': { query: { controlId: 'Quackenbush' } },
  'GET /api/feeds/messages/:id': { params: { id: messageId } },
  'POST /api/feeds/messages/:id/replay': { params: { id: messageId } },
  'POST /api/feeds/:id/replay': { params: { id: home.feedId } },
  'POST /api/feeds/messages/:id/dismiss': { params: { id: strayId }, body: { cause: 'TEST', note: 'Zephyrine' } },
  'POST /api/feeds/messages/:id/undismiss': { params: { id: strayId } },
  'POST /api/feeds/:id/try-settings': { params: { id: home.feedId }, body: someSettings(home.facility) },
  'POST /api/feeds/preview': { body: { feedId: home.feedId, text: admission({ record: 'MR-8', person: zephyrine }) } },
  'GET /api/feeds/reviews': { query: {} },
  'GET /api/feeds/reviews/decided': { query: {} },
  'POST /api/feeds/reviews/:id': { params: { id: review?.id }, body: { candidateId: null, version: review?.version } },
  'POST /api/feeds/reviews/:id/undo': { params: { id: review?.id } },
  'POST /api/rosters/:groupId/uploads': {
    params: { groupId: program.id },
    query: { relationship: 'COVERAGE', attested: 'true' },
  },
  'GET /api/rosters/:groupId/uploads': { params: { groupId: program.id }, query: {} },
  'POST /api/rosters/:groupId/sample': { params: { groupId: program.id } },
  'PUT /api/rosters/:groupId/headers': { params: { groupId: program.id }, body: { headers: [] } },
  'DELETE /api/rosters/:groupId/headers': { params: { groupId: program.id } },
  'GET /api/rosters/uploads/:jobId/changes': { params: { jobId: done }, query: { kind: 'ADDED' } },
  'GET /api/rosters/uploads/:jobId/problems': { params: { jobId: done }, query: { kind: 'ERROR' } },
  'POST /api/rosters/uploads/:jobId/undo': { params: { jobId: done } },
  'GET /api/rosters/:groupId/uploads/latest': { params: { groupId: program.id } },
  'GET /api/rosters/uploads/:jobId': { params: { jobId: done } },
  'GET /api/rosters/uploads/:jobId/errors.csv': { params: { jobId: done }, query: { teamId: team.id } },
  'POST /api/rosters/uploads/:jobId/confirm': { params: { jobId: toConfirm } },
  'POST /api/rosters/uploads/:jobId/cancel': { params: { jobId: toCancel } },
  'POST /api/pre-admit/patients': { body: { ...expected, firstName: 'Zephyrine', lastName: 'Quackenbush-Day' } },
  'DELETE /api/pre-admit/patients/:id': { params: { id: heldToDelete.id } },
  'GET /api/pre-admit/patients/:id/look-up': { params: { id: held.id } },
  'GET /api/export/patient-active-encounters': { query: { teamId: team.id } },
  'POST /api/export/initiate-encounters-export': { query: {} },
  'POST /api/export/initiate-list-export': { query: {}, body: search },
  'GET /api/export/jobs/:jobId/file': { params: { jobId: exportId }, query: { teamId: team.id } },
  'DELETE /api/export/jobs/:jobId': { params: { jobId: exportId } },
  'GET /api/live': { query: { teamId: team.id } },
};

function formFile(): RequestInit {
  const body = new FormData();
  body.set('file', new Blob(['%PDF-1.7 Zephyrine']), 'Quackenbush.pdf');
  return { method: 'POST', body };
}

const FILES: Partial<Record<RouteKey, () => RequestInit>> = {
  'POST /api/rosters/:groupId/uploads': rosterFile,
  'POST /api/rosters/:groupId/sample': rosterFile,
  'POST /api/patients/:id/instructions/:instructionId/form': formFile,
};

function rosterFile(): RequestInit {
  const body = new FormData();
  body.set('file', new Blob(['Member ID,First Name,Last Name\nQ-1,Zephyrine,Quackenbush\n']), 'Quackenbush.csv');
  return { method: 'POST', body };
}

async function entriesOf(response: Response) {
  const { rows } = await database.pipeline.query(
    `select action, route, user_id as "userId", team_id as "teamId", address, status from audit_entries where request_id = $1`,
    [response.headers.get('x-request-id')],
  );
  return rows;
}

const audited = (Object.entries(routes) as [RouteKey, Route][]).filter(
  ([, { audit, permission }]) => audit !== undefined && permission !== 'public',
);

/** What staff of a facility do by hand with a patient whom they entered. Each call is about a patient of its own. */
const BY_HAND: Partial<Record<RouteKey, object>> = {
  'POST /api/patients/:id/events': { body: { status: 'DISCHARGE', eventDate: '2026-11-19' } },
  'PATCH /api/patients/:id': { body: { lastName: 'Quackenbush-Osei' } },
  'PATCH /api/patients/:id/events/:eventId': { body: { eventDate: '2026-11-19' } },
  'DELETE /api/patients/:id/events/:eventId': {},
  'DELETE /api/patients/:id/encounters/:encounterId': {},
  'GET /api/patients/:id/encounters/:encounterId/three-day-waiver': { query: {} },
  'PUT /api/patients/:id/encounters/:encounterId/three-day-waiver': { body: { status: 'PENDING' } },
};

let residents = 0;

async function enterResident() {
  const { params, body } = INPUTS['POST /api/cohort/:groupId/patients'] as { params: never; body: object };
  residents += 1;
  const input = { params, body: { ...body, recordNumber: `R-${residents}` } as never };
  const { patientId: id } = await client.call('POST /api/cohort/:groupId/patients', input);
  const { currentPingEncounter: visit } = await client.call('GET /api/patients/:id', { params: { id } });
  return { id, encounterId: visit?.id, eventId: visit?.pings[0]?.eventIdentifier };
}

test.each(audited)('%s leaves one entry, with who asked what from where', async (key, { audit, kind }) => {
  const unnamed = kind === 'download' ? { query: { teamId: team.id, query: 'Quackenbush' } } : {};
  const input = BY_HAND[key] ? { ...BY_HAND[key], params: await enterResident() } : (INPUTS[key] ?? unnamed);
  const [path, init] = request(key, input);
  const inQuery = kind === 'stream' || kind === 'download';
  const response = await client.fetch(path, {
    ...(FILES[key]?.() ?? init),
    headers: { ...(init.headers as Record<string, string>), ...(inQuery ? { [TEAM_HEADER]: '' } : {}) },
  });
  expect([key, response.ok]).toEqual([key, true]);
  await response.body?.cancel();
  expect(await entriesOf(response)).toEqual([
    {
      action: audit,
      route: key,
      userId: user.id,
      teamId: team.id,
      address: '127.0.0.1',
      status: expect.toSatisfy((status) => status === null || status === response.status) as number,
    },
  ]);
});

test('no entry contains the name or the birth date that was asked for', async () => {
  const { rows } = await database.pipeline.query<{ entry: string }>(
    `select e::text as entry from audit_entries e where action <> 'sign-in'`,
  );
  expect(rows.length).toBeGreaterThan(audited.length);
  // Times and ids of requests are ours.
  const ids = /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g;
  const texts = rows.map(({ entry }) =>
    entry.replaceAll(ids, '').replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d[.\d]*\+00/g, ''),
  );
  expect(texts.filter((entry) => HER.test(entry.replaceAll(/"[\w-]{16}"/g, '')))).toEqual([]);
});
