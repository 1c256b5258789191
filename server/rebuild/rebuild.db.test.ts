/** Stored messages are read again. Facts of an older reader are made by changing what is stored. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Database } from '#server/platform/database/pool.ts';
import { type Sql, sql } from '#server/platform/database/sql.ts';
import { newPerson, pipelineScene } from '#server/testing/pipeline-scene.ts';
import { rebuild } from './rebuild.ts';

const { database, hosp, make, region, reprocess, clock } = await pipelineScene();
const db: Database = database.pipeline;

const run = (options: Partial<Parameters<typeof rebuild>[0]> = {}) =>
  rebuild({ database: db, clock, batchSize: 3, ...options });

const rowsOf = async (query: Sql) => (await db.query<Record<string, unknown>>(query)).rows;
/** Everything that messages brought about, but for what counts up. */
const world = async () => [
  await rowsOf(sql`select id, group_id, person_id, status, setting, state from encounters order by id`),
  await rowsOf(sql`select id, encounter_id, code, event_at, state, received_at from events order by id`),
  await rowsOf(sql`select * from pings order by id`),
  await rowsOf(sql`select * from management_statuses order by id`),
  await rowsOf(sql`select id, status, reason, attempts from messages order by id`),
  await rowsOf(sql`select id, person_id, demographics from source_patients order by id`),
];
const pings = () => rowsOf(sql`select id, event_id, group_id, state, is_current from pings order by id`);
const waitingForMail = () => rowsOf(sql`select id from change_log where kind = 'ping' order by id`);
const drgs = async (facility: string) =>
  (await rowsOf(sql`select state ->> 'drg' as drg from encounters where group_id = ${facility} order by id`)).map(
    (row) => row.drg,
  );

async function forgetDrg(facility: string, messageId: string): Promise<void> {
  await db.query(sql`update facts set adt = adt #- '{visit,drg}' where message_id = ${messageId}`);
  await db.query(sql`update encounters set state = state - 'drg' where group_id = ${facility}`);
}

/** A stay with a DRG, from before DRGs were read. Returns where it was and the id of its last message. */
async function oldStay() {
  const { facility, program, message, code } = await region();
  await hosp.send(message('A01', '202611200900'));
  const left = { discharged: '202611200930', disposition: '01' };
  const id = await hosp.send(`${message('A03', '202611200930', left)}DRG|291^Invented\r`);
  await forgetDrg(facility, id);
  return { facility, program, id, code };
}

test('a DRG that was not read when its message came is there afterwards, and nothing is sent again', async () => {
  const { facility, program } = await oldStay();
  const other = await oldStay();
  expect([await drgs(facility), await hosp.pings(program)]).toEqual([
    [null],
    ['ADMIT ACTIVE', 'DISCHARGE ACTIVE current'],
  ]);
  const before = [await pings(), await waitingForMail()];
  const { isFinished, read, changed, failed } = await run();
  expect({ isFinished, read, changed, failed }).toEqual({ isFinished: true, read: 4, changed: 2, failed: [] });
  expect([await drgs(facility), await drgs(other.facility)]).toEqual([['291'], ['291']]);
  expect([await pings(), await waitingForMail()]).toEqual(before);
  expect(await run()).toMatchObject({ changed: 0, unread: 0 });
  const audited = await rowsOf(
    sql`select action, user_id from audit_entries where action like 'messages.rebuild%' order by id`,
  );
  expect(audited).toEqual(
    ['start', 'end', 'start', 'end'].map((what) => ({ action: `messages.rebuild-${what}`, user_id: null })),
  );
});

test('a fact whose message has no text any more stays as it is', async () => {
  const { facility, id } = await oldStay();
  await db.query(sql`update facts set adt = jsonb_set(adt, '{visit,drg}', '"999"') where message_id = ${id}`);
  await db.query(sql`update messages set raw = null where id = ${id}`);
  const before = await rowsOf(sql`select adt from facts where message_id = ${id}`);
  expect(await run()).toMatchObject({ withoutText: 1, failed: [] });
  expect(await rowsOf(sql`select adt from facts where message_id = ${id}`)).toEqual(before);
  expect(await drgs(facility)).toEqual([null]);
});

test('a message that gives nothing by the present settings keeps its facts', async () => {
  const { facility, program, code } = await oldStay();
  await db.query(sql`delete from feed_facilities where identifier = ${code}`);
  expect(await run()).toMatchObject({ changed: 0, unread: 2 });
  expect(await hosp.events(facility)).toEqual(['ADMIT ACTIVE', 'DISCHARGE ACTIVE']);
  expect(await hosp.pings(program)).toEqual(['ADMIT ACTIVE', 'DISCHARGE ACTIVE current']);
});

test('an event that only today is read is in the record, and sends nothing', async () => {
  const { facility, program, message } = await region();
  const admission = await hosp.send(message('A01', '202611200900'));
  const left = { discharged: '202611200930', disposition: '01' };
  const id = await hosp.send(message('A03', '202611200930', left));
  // As if the discharge had been read as an update that says nothing.
  await db.query(sql`update facts set adt = jsonb_set(adt - 'visit', '{trigger}', '"A08"') || jsonb_build_object('visit',
    (adt -> 'visit') - '{dischargedAt,disposition}'::text[]) where message_id = ${id}`);
  await reprocess(admission);
  await db.query(sql`delete from pings where state = 'CANCELLED' and group_id = ${program}`);
  await db.query(
    sql`delete from events e using encounters n where n.id = e.encounter_id and n.group_id = ${facility} and e.state = 'CANCELLED'`,
  );
  expect([await hosp.events(facility), (await hosp.pings(program)).length]).toEqual([['ADMIT ACTIVE'], 1]);
  expect(await run()).toMatchObject({ changed: 1, failed: [] });
  expect(await hosp.events(facility)).toEqual(['ADMIT ACTIVE', 'DISCHARGE ACTIVE']);
  expect(await hosp.pings(program)).toEqual(['ADMIT ACTIVE current']);
});

test('an event in the place of one that teams were told of, and that is retracted, is sent', async () => {
  const { facility, program, message, code } = await region();
  const id = await hosp.send(message('A01', '202611200900'));
  const right = await make.group({ type: 'HOS', facilityType: 'HOS' });
  await db.query(sql`update feed_facilities set group_id = ${right.id} where identifier = ${code}`);
  expect(await run()).toMatchObject({ changed: 1 });
  expect(await hosp.events(facility)).toEqual(['ADMIT CANCELLED']);
  expect(await hosp.events(right.id)).toEqual(['ADMIT ACTIVE']);
  expect((await hosp.pings(program)).sort()).toEqual(['ADMIT ACTIVE current', 'ADMIT CANCELLED current']);
  expect(await hosp.message(id)).toMatchObject({ status: 'APPLIED' });
});

test('stopped after any batch, it goes on where it was, to the same end', async () => {
  const stays = [await oldStay(), await oldStay(), await oldStay()];
  const stop = new AbortController();
  let batches = 0;
  const first = await run({ signal: stop.signal, onProgress: () => ++batches === 2 && stop.abort() });
  expect(first.isFinished).toBe(false);
  const { rows } = await db.query<{ read: number }>('select read from rebuild_runs where finished_at is null');
  expect(rows).toEqual([{ read: 6 }]);
  await run();
  for (const { facility } of stays) expect(await drgs(facility)).toEqual(['291']);
  const counts = await rowsOf(sql`select count(*)::int as open from rebuild_runs where finished_at is null`);
  expect(counts).toEqual([{ open: 0 }]);
  const end = await world();
  for (const { facility, id } of stays) await forgetDrg(facility, id);
  expect(await run()).toMatchObject({ isFinished: true, changed: 3 });
  expect(await world()).toEqual(end);
});

test('a message that fails is left as it was and named, and the others are rebuilt', async () => {
  const [one, two] = [await oldStay(), await oldStay()];
  await database.owner.query(`create function tidings.refuse() returns trigger language plpgsql as $$ begin
    if new.message_id = ${one.id} then raise exception 'Ann Nguyen is not accepted'; end if; return new; end $$`);
  await database.owner.query(
    'create trigger refuse before insert on tidings.facts for each row execute function tidings.refuse()',
  );
  const { failed } = await run();
  await database.owner.query('drop trigger refuse on tidings.facts');
  expect(failed).toEqual([{ messageId: one.id, reason: expect.stringMatching(/^\w+ P0001$/) }]);
  expect([await drgs(one.facility), await drgs(two.facility)]).toEqual([[null], ['291']]);
});

const step = fc.record({
  trigger: fc.constantFrom('A01', 'A02', 'A03', 'A04', 'A08', 'A11', 'A13', 'A40'),
  minute: fc.integer({ min: 0, max: 59 }),
  visit: fc.constantFrom('V-1', 'V-2'),
  record: fc.constantFrom('MR-1', 'MR-2'),
  patientClass: fc.constantFrom('I', 'E', 'O'),
});

test('in a world that reads as before, nothing changes', async () => {
  await run();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
      const { message } = await region();
      const person = newPerson();
      for (const { trigger, minute, ...parts } of steps)
        await hosp.send(
          message(trigger, `2026112009${String(minute).padStart(2, '0')}`, {
            ...parts,
            ...(parts.record === 'MR-2' && { person }),
            ...(trigger === 'A40' && { priorRecord: 'MR-2' }),
            ...(trigger === 'A03' && { discharged: `2026112009${String(minute).padStart(2, '0')}`, disposition: '01' }),
          }),
        );
      const before = await world();
      expect(await run({ batchSize: 100 })).toMatchObject({ changed: 0, failed: [] });
      expect(await world()).toEqual(before);
    }),
    { numRuns: 12 },
  );
});
