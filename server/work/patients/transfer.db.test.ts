/** Where a patient was transferred to, from the messages to the pages of a team that lists the patient. */
import { expect, test, vi } from 'vitest';
import { sql } from '#server/platform/database/sql.ts';
import { signIn, startApp } from '#server/testing/app.ts';
import { adt, hospital } from '#server/testing/hospital.ts';
import { newPerson } from '#server/testing/pipeline-scene.ts';
import { filtering } from '#server/testing/search.ts';

const app = await startApp();
const { make, database, clock } = app;
const { pipeline: db } = database;
const hosp = hospital(database, clock.now, make);

/** The search follows changes; the first search also starts its thread. */
const soon = (look: () => Promise<void>) => vi.waitFor(look, 20_000);

/** Two facilities with one feed, and a team that lists the patient whom the first transfers to the second, named Alder Recovery. */
async function scene({ isPart2Facility }: { isPart2Facility: boolean }) {
  const first = await make.group({ type: 'HOS' });
  const second = await make.group({ type: 'HOS', name: 'Alder Recovery', isPart2Facility });
  const [from, to] = [`F-${first.id}`, `F-${second.id}`];
  await hosp.feed(first.organizationId, { [from]: first.id, [to]: second.id });
  const team = await make.team();
  const [program = ''] = team.groupIds;
  const client = await signIn(app, (await make.user({ team })).username);
  const person = newPerson();
  const listing = await hosp.list(program, person);
  const about = { record: 'MR-1', visit: 'V-1', facility: from, person, admitted: '202611200900' };
  await hosp.send(adt('A01', { ...about, at: '202611200900' }));
  const transfer = () => hosp.send(adt('A02', { ...about, at: '202611200930', placedAt: to }));
  const consent = () =>
    db.query(sql`
      insert into consents (person_id, facility_group_id, recipient_group_id, given_at)
      select person_id, ${second.id}, ${program}, ${clock.now()} from roster_patients where id = ${listing}`);
  const { rows } = await db.query<{ id: string }>(sql`select id from encounters where group_id = ${first.id}`);
  /** Returns what the team reads about the stay at the first facility, and everything that the team was sent to show it. */
  const shown = async () => {
    const patient = await client.call('GET /api/patients/:id', { params: { id: `${listing}_${rows[0]?.id}` } });
    const inbox = await client.call('POST /api/pings', { body: filtering({ managementStatus: 'NEW' }) });
    const row = inbox.patients.find(({ id }) => id === patient.id);
    const { currentPing: ping, currentPingEncounter: stay } = patient;
    expect(row?.currentPing).toEqual(ping);
    const facet = inbox.facets.dischargedTo?.options.map(({ label }) => label);
    const sent = JSON.stringify([patient, row, inbox.facets]);
    return {
      stay: [ping?.status, ping?.dischargedTo, stay?.dischargeTo, stay?.dischargeDisposition, ...(facet ?? [])],
      names: [to, 'Alder Recovery'].filter((text) => sent.includes(text)),
    };
  };
  return { transfer, consent, shown, second: second.id };
}

test('a transfer names the facility by its name, not by the code that the feed uses', async () => {
  const { transfer, shown } = await scene({ isPart2Facility: false });
  await transfer();
  await soon(async () =>
    expect(await shown()).toEqual({
      stay: ['DISCHARGE', 'Alder Recovery', 'Alder Recovery', 'Another hospital', 'Alder Recovery'],
      names: ['Alder Recovery'],
    }),
  );
});

test('a transfer to a Part 2 facility is a discharge without a destination, unless a consent is in force', async () => {
  const { transfer, consent, shown } = await scene({ isPart2Facility: true });
  await transfer();
  await soon(async () => expect(await shown()).toEqual({ stay: ['DISCHARGE', null, null, null], names: [] }));
  await consent();
  await soon(async () =>
    expect((await shown()).stay).toEqual([
      'DISCHARGE',
      'Alder Recovery',
      'Alder Recovery',
      'Another hospital',
      'Alder Recovery',
    ]),
  );
});

test('a facility that comes under Part 2 disappears from earlier transfers', async () => {
  const { transfer, shown, second } = await scene({ isPart2Facility: false });
  await transfer();
  await soon(async () => expect((await shown()).names).toEqual(['Alder Recovery']));
  await db.query(sql`update groups set is_part2_facility = true where id = ${second}`);
  await soon(async () => expect(await shown()).toEqual({ stay: ['DISCHARGE', null, null, null], names: [] }));
});
