/** Random rows and random filters: the same total, page and counts as plain SQL over the same rows, before and after changes. */
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { type Facet, hasFacet, type SearchContext, TERM_FACETS } from '#contract/facets.ts';
import { PERMISSION_FLAGS } from '#contract/permissions.ts';
import {
  type SearchParameters,
  type SearchParametersInput,
  SORT_KEYS,
  type SortKey,
  searchParameters,
} from '#contract/search.ts';
import { makeActor } from '#server/people/access/actor.ts';
import { asGroups } from '#server/people/access/door.ts';
import { sql } from '#server/platform/database/sql.ts';
import { createLog } from '#server/platform/http/log.ts';
import type { VisitState } from '#server/record/fold/visit-state.ts';
import { testDatabase } from '#server/testing/database.ts';
import { factories, momentOf } from '#server/testing/factories.ts';
import { searchInSql } from '#server/testing/search-sql.ts';
import { scopeOf } from './access-scope.ts';
import type { Row } from './columns/table.ts';
import { orderOf } from './row-order.ts';
import { factsByPerson } from './rows/group-facts.ts';
import { personIds, readFacts } from './rows/queries.ts';
import { rowsOf } from './rows/rows.ts';
import { columnOfFacet } from './schema.ts';
import { prepare } from './search.ts';
import { SearchPool } from './search-threads.ts';

const database = await testDatabase();
const { app, owner, pipeline } = database;
const NOW = new Date('2026-11-20T15:00:00Z');
const DAY = 86_400_000;
const make = factories(pipeline, () => NOW);
const pool = new SearchPool({ url: database.urls.app, log: createLog('silent'), threads: 1 });

/** A small random generator with a fixed seed, so that failures are repeatable. */
let seed = 7;
const random = (below: number): number => {
  seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fff_ffff;
  return (seed >> 8) % below;
};
const pick = <T>(list: readonly T[]): T => list[random(list.length)] as T;
const some = <T>(list: readonly T[]): T[] => list.filter(() => random(3) === 0);
const dayAgo = (most: number) => new Date(NOW.getTime() - random(most * 24) * (DAY / 24));

const PROGRAMS = ['Lantern', 'Harbor', 'Élan', 'Zinnia'];
const NAMES = ['Adler', 'Birch', 'Clay', 'Dunn', "O'Shea", 'Äther'];
const CITIES = ['Fairhaven', 'Alder Bay', null];
const CODES = ['I50.9', 'U07.1', 'E11.9', 'J44'];

const { id: organizationId } = await make.organization();
const groupIds = [(await make.group({ organizationId })).id, (await make.group({ organizationId })).id];
const facilities = [
  await make.group({ type: 'HOS', name: 'Mercy', state: 'NY' }),
  await make.group({ type: 'SNF', name: 'Birchwood', state: 'MI' }),
];
const actor = makeActor({
  userId: '1',
  username: 'rosa@tidings.test',
  displayName: 'Rosa Diaz',
  timeZone: 'America/New_York',
  organizationId,
  isOperator: false,
  teamId: '1',
  permissions: new Map(groupIds.map((id) => [id, new Set(PERMISSION_FLAGS)])),
});
const listings: string[] = [];
const encounters: string[] = [];

async function addListing(groupId: string, personId: string): Promise<string> {
  const [first, last] = [pick(NAMES), pick(NAMES)];
  const key = (name: string) =>
    name
      .normalize('NFD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .replace(/[^a-z]+/g, ' ');
  const { id } = await make.rosterPatient({
    groupId,
    personId,
    first_name: first,
    last_name: last,
    sort_first: key(first),
    sort_last: key(last),
    date_of_birth:
      random(8) === 0
        ? null
        : new Date(Date.UTC(1930 + random(70), random(12), 1 + random(28))).toISOString().slice(0, 10),
    gender: pick(['Female', 'Male', 'Other']),
    city: pick(CITIES),
    programs: some(PROGRAMS),
    practices: some(['Alder', 'Bay']),
    tags: some(['Diabetes', 'Falls']),
    care_gaps: some(['Eye exam', 'Flu shot']),
    left_at: random(10) === 0 ? NOW : null,
  });
  return id;
}

/** Returns the expected discharge of a patient admitted then: a date, a number of days, both, or neither. */
function expectation(at: Date): Pick<VisitState, 'expectedDischargeAt' | 'estimatedDays'> {
  return {
    expectedDischargeAt: random(2) === 0 ? momentOf(new Date(at.getTime() + (random(30) - 3) * DAY)) : null,
    estimatedDays: random(2) === 0 ? random(30) : null,
  };
}

for (let n = 0; n < 50; n += 1) {
  const { id: personId } = await make.person();
  const own = [];
  for (const groupId of groupIds) if (random(3) > 0) own.push({ groupId, id: await addListing(groupId, personId) });
  listings.push(...own.map(({ id }) => id));
  for (let visits = random(4); visits > 0; visits -= 1) {
    const at = dayAgo(90);
    const isOver = random(2) === 0;
    const visit = {
      admittedAt: momentOf(at),
      diagnoses: some(CODES).map((code) => ({ code, description: null, type: null, priority: null, codeSystem: null })),
      admitSource: pick(['1', '7', null]),
      location: { pointOfCare: pick(['3W', 'ICU', null]), room: pick(['1', '2']), bed: null, facility: null },
      setting: pick(['INPATIENT', 'EMERGENCY', 'SNF'] as const),
      ...expectation(at),
      ...(isOver
        ? { status: 'FINISHED' as const, dischargedAt: momentOf(new Date(at.getTime() + random(9) * DAY)) }
        : {}),
    };
    const encounter = await make.encounter({ groupId: pick(facilities).id, personId, visit });
    encounters.push(encounter.id);
    const event = await make.event({ encounterId: encounter.id, code: pick(['ADMIT', 'PRESENTED', 'DISCHARGE']), at });
    for (const { groupId, id } of own) {
      const status = pick(['NEW', 'IN_PROGRESS', 'RESOLVED'] as const);
      await make.ping({ groupId, encounter, eventId: event.id, rosterPatientId: id, event_at: at, status });
    }
  }
}

await owner.query(
  `create table rows (context text, key bigint, singles jsonb, multis jsonb, numbers jsonb, sort_texts jsonb, words jsonb)`,
);
await owner.query('grant select on rows to tidings_app');

/** Writes the rows as the loader makes them into a plain table. */
async function writeRows(): Promise<void> {
  const scope = scopeOf(actor, 'ALL');
  const options = { scope, withEvents: true, now: NOW.getTime(), noteDiagnosis: () => {} };
  const persons = await asGroups(app, scope, async (tx) => {
    const ids = await personIds(tx);
    return factsByPerson(ids, await readFacts(tx, ids, { all: true }));
  });
  const loaded = persons.map((facts) => rowsOf(facts, options));
  const all: [SearchContext, Row, Row | null][] = loaded.flatMap(({ person, pings, events }) => [
    ...(person ? [['ALL', person, null] as [SearchContext, Row, null]] : []),
    ...pings.map((row): [SearchContext, Row, Row | null] => ['PINGS', row, person]),
    ...events.map((row): [SearchContext, Row, Row | null] => ['EVENTS', row, person]),
  ]);
  await owner.query('truncate rows');
  for (const [context, row, parent] of all) {
    const both = (part: 'singles' | 'multis' | 'numbers' | 'sortTexts' | 'words') =>
      JSON.stringify({ ...parent?.[part], ...row[part] });
    await owner.query(sql`
      insert into rows values (${context}, ${row.key}, ${both('singles')}, ${both('multis')}, ${both('numbers')}, ${both('sortTexts')}, ${both('words')})`);
  }
}

/** Returns events whose stay compares differently with its expected length than PostgreSQL computes from the folded visits. */
async function differentlyCompared(): Promise<unknown[]> {
  const { rows } = await owner.query(sql`
    with stays as (
      select v.id, coalesce((e.state -> 'dischargedAt' ->> 'localDate')::date, (${NOW}::timestamptz at time zone g.time_zone)::date)
          - (e.state -> 'admittedAt' ->> 'localDate')::date as days,
        coalesce((e.state -> 'expectedDischargeAt' ->> 'localDate')::date - (e.state -> 'admittedAt' ->> 'localDate')::date,
          (e.state ->> 'estimatedDays')::int) as expected,
        e.state ->> 'status' in ('IN_PROGRESS', 'ON_LEAVE') or e.state ->> 'dischargedAt' is not null as known
      from events v join encounters e on e.id = v.encounter_id join groups g on g.id = e.group_id)
    select key, singles ->> 'expectedStay' as model, days, expected from rows join stays on stays.id = rows.key
    where context = 'EVENTS' and singles ->> 'expectedStay' is distinct from case
      when not known then null when expected is null or expected < 0 then 'NO_BENCHMARK'
      when greatest(days, 0) > expected then 'OVER' else 'WITHIN' end`);
  return rows;
}

/** Returns what the search answers, in the form of `searchInSql`. */
async function search(context: SearchContext, parameters: SearchParameters, facets: readonly Facet[]) {
  const of = { actor, context, parameters, now: NOW, after: 'now' };
  const { scope, condition } = await prepare({ db: app }, of);
  const { pageNumber, pageSize } = parameters;
  const page = { sort: orderOf(parameters, context, NOW), offset: (pageNumber - 1) * pageSize, limit: pageSize };
  const query = {
    ...condition,
    ...page,
    facets: facets.map((facet) => columnOfFacet(context, facet)),
    facetSize: 1000,
  };
  const { answer } = await pool.ask<'search'>(scope, context, { kind: 'search', query }, of);
  const counts: Record<string, Record<string, number>> = {};
  for (const facet of facets) {
    const values = answer.facets[columnOfFacet(context, facet)]?.values ?? [];
    counts[facet] = Object.fromEntries(
      values.filter(({ count }) => count > 0).map(({ value, count }) => [value, count]),
    );
  }
  return { total: answer.total, keys: answer.keys, counts };
}

const VALUES: Partial<Record<Facet, readonly string[]>> = {
  program: PROGRAMS,
  practice: ['Alder', 'Bay'],
  activeTags: ['Diabetes', 'Falls'],
  careGaps: ['Eye exam', 'Flu shot'],
  gender: ['Female', 'Male', 'No value'],
  city: ['Fairhaven', 'Alder Bay'],
  currentStatus: ['ADMIT', 'PRESENTED', 'DISCHARGE'],
  facilityName: ['Mercy', 'Birchwood'],
  setting: ['INPATIENT', 'EMERGENCY'],
  diagnoses: CODES,
  priorDiagnoses: CODES,
  floorUnit: ['3W', 'ICU'],
  expectedStay: ['OVER', 'WITHIN', 'NO_BENCHMARK'],
  managementStatus: ['NEW', 'RESOLVED'],
};
const RANGES: Partial<Record<Facet, number>> = {
  age: 100,
  eventDate: 90,
  visitDuration: 60,
  lengthOfStay: 60,
  dischargedDaysAgo: 90,
};

const terms = fc.constantFrom(...(Object.keys(VALUES) as Facet[])).chain((facet) =>
  fc
    .uniqueArray(fc.record({ value: fc.constantFrom(...(VALUES[facet] ?? [])), negated: fc.boolean() }), {
      minLength: 1,
      maxLength: 3,
      selector: ({ value }) => value,
    })
    .map((values) => [facet, values.map((each) => ({ field: facet, ...each }))] as const),
);
const ranges = fc.constantFrom(...(Object.keys(RANGES) as Facet[])).chain((facet) =>
  fc
    .tuple(fc.nat({ max: RANGES[facet] }), fc.nat({ max: 40 }), fc.constantFrom('both', 'begin', 'end'), fc.boolean())
    .map(([begin, size, which, negated]) => {
      const value = `${which === 'end' ? '' : begin}:${which === 'begin' ? '' : begin + size}`;
      return [facet, [{ field: facet === 'eventDate' ? 'eventDaysAgo' : facet, value, negated }]] as const;
    }),
);
const asked = fc.record({
  context: fc.constantFrom('ALL' as const, 'PINGS' as const, 'EVENTS' as const),
  filters: fc.array(fc.oneof({ weight: 3, arbitrary: terms }, ranges), { maxLength: 4 }),
  query: fc.constantFrom('', '', '', 'ad', 'bi c', 'os', 'she', 'at', 'm', 'zz'),
  openPatientsOnly: fc.boolean(),
  visibleTo: fc.option(fc.subarray(groupIds, { minLength: 1 }), { nil: undefined }),
  sortBy: fc.subarray(
    SORT_KEYS.filter((key): key is SortKey => key !== 'RELEVANCE'),
    { minLength: 1, maxLength: 2 },
  ),
  sortOrder: fc.option(fc.constantFrom('ASC' as const, 'DESC' as const), { nil: undefined }),
  pageNumber: fc.integer({ min: 1, max: 3 }),
  pageSize: fc.constantFrom(5, 10, 20),
});

async function change(): Promise<void> {
  const listing = pick(listings);
  const encounter = pick(encounters);
  const statements = [
    sql`update roster_patients set programs = ${some(PROGRAMS)}, city = ${pick(CITIES)} where id = ${listing}`,
    sql`update roster_patients set left_at = case when left_at is null then ${NOW}::timestamptz end where id = ${listing}`,
    sql`update pings set management_status = ${pick(['NEW', 'RESOLVED'])} where encounter_id = ${encounter}`,
    sql`update encounters set status = 'CANCELLED', state = state || '{"status": "CANCELLED"}' where id = ${encounter}`,
    sql`update encounters set state = state || ${JSON.stringify({ diagnoses: some(CODES).map((code) => ({ code, description: null, type: null, priority: null })) })}::jsonb where id = ${encounter}`,
    sql`update encounters set state = state || ${JSON.stringify(expectation(dayAgo(90)))}::jsonb where id = ${encounter}`,
    sql`update events set state = 'CANCELLED' where encounter_id = ${encounter}`,
    sql`update encounters set person_id = (select person_id from roster_patients where id = ${listing}) where id = ${encounter}`,
  ];
  await pipeline.query(pick(statements));
}

test('total, page and counts equal those of plain SQL, before and after changes', { timeout: 300_000 }, async () => {
  onTestFinished(() => pool.close());
  for (let round = 0; round < 2; round += 1) {
    await writeRows();
    expect(await differentlyCompared()).toEqual([]);
    await fc.assert(
      fc.asyncProperty(asked, async ({ context, filters, query, openPatientsOnly, ...rest }) => {
        const fitting = filters.filter(([facet]) => hasFacet(context, facet));
        // Without a status filter the inbox would show only new pings.
        const given = context === 'PINGS' ? [['managementStatus', ANY_STATUS] as const, ...fitting] : fitting;
        const input: SearchParametersInput = {
          ...rest,
          userDefinedFacetPreferences: { query, openPatientsOnly, preferenceMap: Object.fromEntries(given) },
        };
        const parameters = searchParameters.parse(input);
        const facets = TERM_FACETS.filter((facet) => hasFacet(context, facet));
        const expected = await searchInSql({ owner, groupIds }, context, parameters, facets);
        expect(await search(context, parameters, facets)).toEqual(expected);
      }),
      { numRuns: 60, seed: 11 + round },
    );
    for (let n = 0; n < 60; n += 1) await change();
  }
});

const ANY_STATUS = ['NEW', 'IN_PROGRESS', 'RESOLVED', 'DISMISSED'].map((value) => ({
  field: 'managementStatus',
  value,
  negated: false,
}));
