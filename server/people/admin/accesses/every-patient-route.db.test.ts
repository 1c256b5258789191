/** Every call about one patient is in the audit log with the person, so that the list of who has seen the patient is complete. */
import { expect, test } from 'vitest';
import { type Route, type RouteKey, routes } from '#contract/routes.ts';
import { sql } from '#server/platform/database/sql.ts';
import { signIn, startApp } from '#server/testing/app.ts';
import { request } from '#server/testing/client.ts';

const app = await startApp();
const { make } = app;

const OF_PATIENT = (Object.keys(routes) as RouteKey[]).filter((key) => key.includes('/api/patients/:id'));

test('every route of a patient names an audit action about patients, or about the event of a ping', () => {
  const unnamed = OF_PATIENT.filter((key) => (routes[key] as Route).audit === undefined);
  expect(unnamed).toEqual([]);
  expect(OF_PATIENT.length).toBeGreaterThan(10);
});

test.each(OF_PATIENT.filter((key) => key.startsWith('GET ')))('%s leaves an entry with the person', async (key) => {
  const { id: organizationId } = await make.organization();
  const { id: groupId } = await make.group({ organizationId });
  const team = await make.team({ organizationId, groupIds: [groupId] });
  const client = await signIn(app, (await make.user({ team, role: 'administrator' })).username);
  const { patientId, rosterPatientId, eventId } = await make.ping({ groupId });
  const query = (routes[key] as Route).kind === 'download' ? { teamId: team.id } : {};
  const uuid = '00000000-0000-4000-8000-000000000000';
  const params = { id: patientId, encounterId: patientId.split('_')[1] ?? '', eventId, instructionId: '1', uuid };
  const { status } = await client.fetch(...request(key, { params, query }));
  const { rows } = await app.database.pipeline.query<{ action: string }>(sql`
    select action from audit_entries
    where team_id = ${team.id} and subject = 'patient'
      and (patient_ids @> array[${rosterPatientId}::bigint] or action = 'access.refused' and subject_id = ${rosterPatientId}::bigint)`);
  // A form, a document, a link or a Part 2 facility that is not there is refused, which is on record too.
  expect(rows).toEqual([
    { action: status === 404 || status === 403 ? 'access.refused' : (routes[key] as Route).audit },
  ]);
});
