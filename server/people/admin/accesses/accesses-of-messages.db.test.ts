/** Messages, entries by hand and refused calls in the list of who has seen a patient. */
import { expect, test } from 'vitest';
import type { PatientAccess } from '#contract/accesses.ts';
import { sql } from '#server/platform/database/sql.ts';
import { refusal } from '#server/testing/administration.ts';
import { type Client, signIn } from '#server/testing/app.ts';
import { admission, feedOffice } from '#server/testing/feed-office.ts';
import { manualEntry } from '#server/testing/manual-entry.ts';

const { app, hosp, home, away, operator } = await feedOffice();
const { make, database } = app;

const accessesOf = async (client: Client, patientId: string): Promise<PatientAccess[]> =>
  (await client.call('GET /api/patients/:id/accesses', { params: { id: patientId }, query: {} })).accesses;
/** Returns what was done about a patient, without looks at this list. */
const kindsOf = async (client: Client, patientId: string) =>
  (await accessesOf(client, patientId)).map(({ kind }) => kind).filter((kind) => kind !== 'audited');

/** Returns the id of the patient of the home facility with this record number. */
async function patientWith(record: string): Promise<string> {
  const { rows } = await database.pipeline.query<{ id: string }>(
    sql`select id from roster_patients where group_id = ${home.facility} and member_id = ${record}`,
  );
  return `${rows[0]?.id}_0`;
}

test('a message that was read in quarantine counts as soon as it is applied, and so do its replay and previews', async () => {
  const feedId = await hosp.feed(home.organizationId, { EAST: home.facility }, { sendingFacility: 'WEST' });
  const text = admission({ record: 'MR-Q', visit: 'VQ-1', facility: 'WEST' });
  const params = { id: await hosp.send(text) };
  expect(await hosp.message(params.id)).toMatchObject({ status: 'QUARANTINED' });
  await home.admin.call('GET /api/feeds/messages/:id', { params });
  await home.admin.call('POST /api/feeds/messages/:id/replay', { params });

  await database.owner.query(
    sql`insert into feed_facilities (feed_id, identifier, group_id) values (${feedId}, 'WEST', ${home.facility})`,
  );
  const replayed = await home.admin.call('POST /api/feeds/messages/:id/replay', { params });
  expect(replayed.status).toBe('APPLIED');
  const patient = await patientWith('MR-Q');
  expect(await kindsOf(home.admin, patient)).toEqual(['replayed', 'replayed', 'message']);
  expect(await refusal(accessesOf(away.admin, patient))).toBe('NOT_FOUND');

  const previewed = await operator.call('POST /api/feeds/preview', { body: { feedId, text } });
  expect(previewed).toMatchObject({ outcome: 'facts' });
  expect(previewed).not.toHaveProperty('patientIds');
  expect(await kindsOf(operator, patient)).toEqual(['previewed', 'refused', 'replayed', 'replayed', 'message']);
  expect(await kindsOf(home.admin, patient)).toEqual(['replayed', 'replayed', 'message']);
});

test('a patient who was entered by hand shows who did, also if that took too long to answer', async () => {
  const { organizationId } = home;
  const snf = await make.group({ organizationId, type: 'SNF', facilityType: 'SNF' });
  const team = await make.team({ organizationId, groupIds: [snf.id] });
  const { username } = await make.user({ team, role: 'administrator', added: ['canEditPatientsAndEvents'] });
  const client = await signIn(app, username);
  const { enter, processing } = manualEntry(app);
  const person = { family: 'Ravenscroft', given: 'Odile', birthDate: '1939-02-11', sex: 'F', zip: '14850' } as const;

  const { patientId } = await processing(enter(client, snf.id, person));
  expect(await kindsOf(client, patientId)).toEqual(['entered']);

  const slow = { ...person, family: 'Winterbourne', given: 'Cosima', birthDate: '1948-09-23' };
  expect(await refusal(enter(client, snf.id, slow))).toBe('NOT_READY');
  await app.queue.drain();
  const { rows } = await database.pipeline.query<{ id: string }>(
    sql`select id from roster_patients where group_id = ${snf.id} and last_name = 'Winterbourne'`,
  );
  expect(await kindsOf(client, `${rows[0]?.id}_0`)).toEqual(['entered']);
}, 60_000);

test('refused calls about a patient are shown with the address, to administrators of the caller only about their own ids', async () => {
  const { personId, rosterPatientId, patientId, eventId } = await make.ping({ groupId: home.facility });
  const outsider = await make.team({ organizationId: home.organizationId });
  const nurse = await make.user({ team: outsider });
  const client = await signIn(app, nurse.username);
  const params = { id: patientId };
  const status = { eventIdentifier: eventId, status: 'IN_PROGRESS' as const, resolutions: [] };
  expect(await refusal(client.call('GET /api/patients/:id', { params }))).toBe('NOT_FOUND');
  expect(await refusal(client.call('POST /api/patients/:id/events/management-status', { params, body: status }))).toBe(
    'NOT_FOUND',
  );
  expect((await client.fetch(`/api/patients/${rosterPatientId}_0/accesses`)).status).toBe(403);
  const elsewhere = await make.rosterPatient({ groupId: away.facility, personId });
  expect(await refusal(client.call('GET /api/patients/:id', { params: { id: `${elsewhere.id}_0` } }))).toBe(
    'NOT_FOUND',
  );

  const seen = (await accessesOf(home.admin, patientId)).filter(({ kind }) => kind === 'refused');
  expect(seen.map(({ by, team, address }) => [by?.id, team?.id, address])).toEqual(
    [1, 2, 3].map(() => [nurse.id, outsider.id, '127.0.0.1']),
  );
  expect((await kindsOf(operator, patientId)).filter((kind) => kind === 'refused')).toHaveLength(4);
});
