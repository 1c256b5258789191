/** Compares the search with the access policy in SQL: the same rows, and no values of groups without the permission. */
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { FACET_NAMES, type SearchContext } from '#contract/facets.ts';
import type { Permission } from '#contract/permissions.ts';
import { searchParameters } from '#contract/search.ts';
import { type Actor, makeActor } from '#server/people/access/actor.ts';
import { type ActorTransaction, asActor } from '#server/people/access/door.ts';
import { mayReadEncounter, mayReadListing, mayReadPing } from '#server/people/access/policy.ts';
import { sql } from '#server/platform/database/sql.ts';
import { createLog } from '#server/platform/http/log.ts';
import { testDatabase } from '#server/testing/database.ts';
import { factories, momentOf } from '#server/testing/factories.ts';
import { LIST_PERMISSIONS, mayUseFacet, scopeKey, scopeOf } from './access-scope.ts';
import { patientKeys } from './row-keys.ts';
import { columnOfFacet } from './schema.ts';
import { prepare, type Search } from './search.ts';
import { SearchPool } from './search-threads.ts';

const database = await testDatabase();
const { app, pipeline } = database;
const NOW = new Date('2026-11-20T15:00:00Z');
const make = factories(pipeline, () => NOW);

const FLAGS = [
  'canViewPatients',
  'canViewPings',
  'canViewEventFeed',
  'canViewPatientTags',
  'canViewAllPatientDetails',
  'canViewCovid19Status',
] as const;

/** Persons and groups by index. Groups 0 and 1 are facilities, 2 and 3 programs. */
interface World {
  part2: [boolean, boolean];
  flags: Permission[][];
  /** `opens`: from so many days ago. */
  listings: { group: number; person: number; left: boolean; opens: number }[];
  encounters: {
    facility: number;
    person: number;
    covid: boolean;
    open: boolean;
    pings: { group: number; person: number }[];
  }[];
  consents: { person: number; facility: number; recipient: number; ended: boolean }[];
  /** Changes after the store is loaded. */
  changes: Change[];
}
type Change =
  | { kind: 'leave' | 'return'; listing: number }
  | { kind: 'consent'; consent: World['consents'][number] }
  | { kind: 'relink'; encounter: number; person: number }
  | { kind: 'relist'; listing: number; person: number }
  | { kind: 'end' | 'move'; encounter: number }
  | { kind: 'status'; encounter: number };

const PERSONS = 3;
const group = fc.nat({ max: 3 });
const facility = fc.nat({ max: 1 });
const person = fc.nat({ max: PERSONS - 1 });
const consent = fc.record({ person, facility, recipient: group, ended: fc.boolean() });
const index = fc.nat({ max: 5 });
const worlds: fc.Arbitrary<World> = fc.record({
  part2: fc.tuple(fc.boolean(), fc.boolean()),
  flags: fc.array(fc.subarray([...FLAGS]), { minLength: 4, maxLength: 4 }),
  listings: fc.uniqueArray(fc.record({ group, person, left: fc.boolean(), opens: fc.constantFrom(4, 8, 365) }), {
    minLength: 2,
    maxLength: 8,
    selector: (listing) => `${listing.group} ${listing.person}`,
  }),
  encounters: fc.array(
    fc.record({
      facility,
      person,
      covid: fc.boolean(),
      open: fc.boolean(),
      pings: fc.array(fc.record({ group, person }), { maxLength: 2 }),
    }),
    { minLength: 1, maxLength: 5 },
  ),
  consents: fc.array(consent, { maxLength: 4 }),
  changes: fc.array(
    fc.oneof(
      fc.record({ kind: fc.constantFrom('leave' as const, 'return' as const), listing: index }),
      fc.record({ kind: fc.constant('consent' as const), consent }),
      fc.record({ kind: fc.constant('relink' as const), encounter: index, person }),
      fc.record({ kind: fc.constant('relist' as const), listing: index, person }),
      fc.record({ kind: fc.constantFrom('end' as const, 'move' as const, 'status' as const), encounter: index }),
    ),
    { maxLength: 4 },
  ),
});

/** Found by chance, once in some hundred runs: a visit moves from a listed person to one whom nobody lists. */
const movedAway: World = {
  part2: [false, false],
  flags: [[], [], [], ['canViewEventFeed']],
  listings: [0, 3].map((group) => ({ group, person: 0, left: false, opens: 4 })),
  encounters: [{ facility: 0, person: 0, covid: false, open: false, pings: [] }],
  consents: [],
  changes: [{ kind: 'relink', encounter: 0, person: 1 }],
};

/** Found by chance: a visit moves from a person whom nobody lists to a listed one. */
const movedHere: World = {
  part2: [false, false],
  flags: [['canViewPatients'], [], [], []],
  listings: [2, 0].map((person) => ({ group: 0, person, left: false, opens: 4 })),
  encounters: [{ facility: 1, person: 1, covid: false, open: false, pings: [] }],
  consents: [],
  changes: [{ kind: 'relink', encounter: 0, person: 0 }],
};

const COVID = { code: 'U07.1', description: 'COVID-19', type: 'F' as const, priority: 1, codeSystem: 'I10' };

async function build(world: World) {
  const { id: organizationId } = await make.organization();
  const groups: string[] = [];
  for (const [n, type] of (['HOS', 'SNF', 'PROGRAM', 'PROGRAM'] as const).entries())
    groups.push((await make.group({ organizationId, type, isPart2Facility: world.part2[n] ?? false })).id);
  const persons = await Promise.all(Array.from({ length: PERSONS }, async () => (await make.person()).id));
  const groupOf = (n: number) => groups[n] ?? '';
  const personOf = (n: number) => persons[n] ?? '';
  const list = (of: { group: number; person: number; opens?: number }, left: boolean) =>
    make.rosterPatient({
      groupId: groupOf(of.group),
      personId: personOf(of.person),
      left_at: left ? NOW : null,
      opens_from: new Date(NOW.getTime() - (of.opens ?? 365) * 86_400_000),
      tags: [`tag ${of.group}`, 'tag of all'],
      city: `City ${of.group}`,
    });
  const listings: { id: string; memberId: string }[] = [];
  for (const listing of world.listings) listings.push(await list(listing, listing.left));
  const encounters: string[] = [];
  for (const [n, { facility, person, covid, open, pings }] of world.encounters.entries()) {
    const at = new Date(NOW.getTime() - (n + 1) * 3 * 86_400_000);
    const visit = {
      admittedAt: momentOf(at),
      diagnoses: covid ? [COVID] : [],
      ...(open ? {} : { status: 'FINISHED' as const, dischargedAt: momentOf(new Date(at.getTime() + 86_400_000)) }),
    };
    const encounter = await make.encounter({ groupId: groupOf(facility), personId: personOf(person), visit });
    encounters.push(encounter.id);
    const eventId = (await make.event({ encounterId: encounter.id, at })).id;
    for (const of of pings) {
      const { id } = await list(of, true);
      await make.ping({ groupId: groupOf(of.group), encounter, eventId, rosterPatientId: id, event_at: at });
    }
  }
  const consented = async ({ person, facility, recipient, ended }: World['consents'][number]) => {
    await pipeline.query(sql`
      insert into consents (person_id, facility_group_id, recipient_group_id, given_at, ended_at)
      values (${personOf(person)}, ${groupOf(facility)}, ${groupOf(recipient)}, ${NOW}, ${ended ? NOW : null})`);
  };
  for (const each of world.consents) await consented(each);
  const permissions = new Map(groups.map((id, n) => [id, new Set(world.flags[n])]));
  const actor = makeActor({
    userId: '1',
    username: 'rosa@tidings.test',
    displayName: 'Rosa Diaz',
    timeZone: 'America/New_York',
    isOperator: false,
    teamId: '1',
    organizationId,
    permissions,
  });

  async function happen(change: Change): Promise<void> {
    if (change.kind === 'consent') return consented(change.consent);
    const listing = 'listing' in change ? listings[change.listing % listings.length]?.id : undefined;
    const encounter = 'encounter' in change ? encounters[change.encounter % encounters.length] : undefined;
    const statement = {
      leave: () => sql`update roster_patients set left_at = ${NOW} where id = ${listing}`,
      return: () => sql`update roster_patients set left_at = null where id = ${listing}`,
      relist: () =>
        sql`update roster_patients set person_id = ${personOf((change as { person: number }).person)} where id = ${listing}`,
      // A link moves a record with its visits.
      relink: () => sql`
        with moved as (
          update encounters set person_id = ${personOf((change as { person: number }).person)} where id = ${encounter}
          returning source_patient_id, person_id)
        update source_patients s set person_id = moved.person_id from moved where s.id = moved.source_patient_id`,
      end: () => sql`
        update encounters set status = 'FINISHED', discharged_at = ${NOW},
          state = state || ${JSON.stringify({ status: 'FINISHED', dischargedAt: momentOf(NOW) })}::jsonb
        where id = ${encounter}`,
      move: () => sql`
        update encounters set state = state || ${JSON.stringify({ location: { pointOfCare: '4E', room: '1', bed: 'A', facility: null } })}::jsonb
        where id = ${encounter}`,
      status: () => sql`update pings set management_status = 'RESOLVED' where encounter_id = ${encounter}`,
    }[change.kind];
    await pipeline.query(statement());
  }
  return { actor, groups, listings, happen };
}

const pool = new SearchPool({ url: database.urls.app, log: createLog('silent'), threads: 1 });
const parameters = searchParameters.parse({
  pageSize: 100,
  userDefinedFacetPreferences: {
    preferenceMap: {
      managementStatus: ['NEW', 'IN_PROGRESS', 'RESOLVED', 'DISMISSED'].map((value) => ({
        field: 'managementStatus',
        value,
      })),
    },
  },
});

async function ask(actor: Actor, context: SearchContext, over: Partial<Search['parameters']> = {}) {
  const { preferenceMap } = parameters.userDefinedFacetPreferences;
  const own = context === 'PINGS' ? preferenceMap : {};
  const preferences = over.userDefinedFacetPreferences ?? {
    ...parameters.userDefinedFacetPreferences,
    preferenceMap: own,
  };
  const of = {
    actor,
    context,
    parameters: { ...parameters, ...over, userDefinedFacetPreferences: preferences },
    now: NOW,
    after: 'now',
  };
  const { scope, condition } = await prepare({ db: app }, of);
  const facets = FACET_NAMES.filter((facet) => ['activeTags', 'city', 'covid19', 'facilityName'].includes(facet));
  const shown = facets.filter((facet) => mayUseFacet(actor, scope, facet));
  const query = {
    ...condition,
    sort: [],
    offset: 0,
    limit: 1000,
    facets: shown.map((f) => columnOfFacet(context, f)),
    facetSize: 100,
  };
  const { answer } = await pool.ask<'search'>(scope, context, { kind: 'search', query }, of);
  const counts = Object.fromEntries(
    shown.map((facet) => [
      facet,
      Object.fromEntries(
        (answer.facets[columnOfFacet(context, facet)]?.values ?? []).map(({ value, count }) => [value, count]),
      ),
    ]),
  );
  return { keys: answer.keys.map(String), counts };
}

const sorted = (ids: readonly string[]) => [...ids].sort((a, b) => Number(a) - Number(b));

/** Returns the keys of a list's rows by the policy in SQL. */
async function keysBySql(tx: ActorTransaction, context: SearchContext): Promise<string[]> {
  const statement = {
    ALL: sql`select distinct r.person_id as id from roster_patients r where ${mayReadListing(tx.groupIds)} and r.left_at is null`,
    PINGS: sql`
      select distinct on (r.person_id, p.encounter_id) p.id from pings p join roster_patients r on r.id = p.roster_patient_id
      where ${mayReadListing(tx.groupIds)} and ${mayReadPing}
      order by r.person_id, p.encounter_id, p.state = 'CANCELLED', p.event_at desc, p.event_id desc, p.status_id desc nulls last, p.id desc`,
    EVENTS: sql`
      select v.id from events v join encounters e on e.id = v.encounter_id
      where ${mayReadEncounter(tx.groupIds)}
        and exists (select from roster_patients r where r.person_id = e.person_id and ${mayReadListing(tx.groupIds)})`,
  }[context];
  return (await tx.query<{ id: string }>(statement)).rows.map(({ id }) => id);
}

/** Counts the persons with each value, from the listings of the groups with the permission. */
async function countedBySql(actor: Actor, flag: Permission, persons: readonly string[], column: 'tags' | 'city') {
  const groupIds = actor.groupsWith('canViewPatients').filter((id) => actor.groupsWith(flag).includes(id));
  const { rows } = await pipeline.query<{ value: string; count: number }>(
    column === 'tags'
      ? sql`
        select value, count(distinct person_id)::int as count from roster_patients r cross join unnest(tags) as value
        where person_id = any (${persons}::bigint[]) and group_id = any (${groupIds}::bigint[]) and left_at is null group by value`
      : sql`
        select value, count(*)::int as count from (
          select distinct on (person_id) city as value from roster_patients
          where person_id = any (${persons}::bigint[]) and group_id = any (${groupIds}::bigint[])
          order by person_id, left_at is not null, id) as c
        group by value`,
  );
  return Object.fromEntries(rows.map(({ value, count }) => [value, count]));
}

async function compare(actor: Actor): Promise<void> {
  for (const context of ['ALL', 'PINGS', 'EVENTS'] as const) {
    if (!actor.can(LIST_PERMISSIONS[context])) continue;
    const found = await ask(actor, context);
    await asActor(app, actor, LIST_PERMISSIONS[context], async (tx) => {
      expect([context, sorted(found.keys)]).toEqual([context, sorted(await keysBySql(tx, context))]);
      const pages = await patientKeys(tx, context, found.keys.map(Number));
      expect(pages.length).toBe(found.keys.length);
      if (context !== 'ALL') return;
      const visits = pages.flatMap(({ encounterId }) => encounterId ?? []);
      const { rows } = await tx.query<{ name: string; count: number }>(sql`
        select g.name, count(*)::int from unnest(${visits}::bigint[]) as visit (id)
          join encounters e on e.id = visit.id join groups g on g.id = e.group_id group by g.name`);
      expect(found.counts['facilityName']).toEqual(Object.fromEntries(rows.map(({ name, count }) => [name, count])));
    });
    if (context !== 'ALL') continue;
    const persons = found.keys;
    const may = (flag: Permission) =>
      actor.groupsWith('canViewPatients').some((id) => actor.groupsWith(flag).includes(id));
    expect(found.counts['activeTags']).toEqual(
      may('canViewPatientTags') ? await countedBySql(actor, 'canViewPatientTags', persons, 'tags') : undefined,
    );
    expect(found.counts['city']).toEqual(
      may('canViewAllPatientDetails')
        ? await countedBySql(actor, 'canViewAllPatientDetails', persons, 'city')
        : undefined,
    );
    // Whether a diagnosis is active or expired has its own tests.
    const { covid19 } = found.counts;
    expect(covid19 && Object.values(covid19).reduce((sum, count) => sum + count, 0)).toEqual(
      may('canViewCovid19Status') ? await covidBySql(actor, persons) : undefined,
    );
  }
}

/** Counts the persons with the diagnosis in a visit that the actor may read with the permission. */
async function covidBySql(actor: Actor, persons: readonly string[]) {
  const groupIds = actor
    .groupsWith('canViewPatients')
    .filter((id) => actor.groupsWith('canViewCovid19Status').includes(id));
  const { rows } = await pipeline.query<{ count: number }>(sql`
    select count(distinct e.person_id)::int as count from encounters e
    where e.person_id = any (${persons}::bigint[]) and e.state -> 'diagnoses' @> '[{"code": "U07.1"}]' and ${mayReadEncounter(groupIds)}`);
  return rows[0]?.count ?? 0;
}

test('a search shows exactly what the policy allows, before and after changes', { timeout: 300_000 }, async () => {
  onTestFinished(() => pool.close());
  await fc.assert(
    fc.asyncProperty(worlds, async (world) => {
      const { actor, listings, happen } = await build(world);
      await compare(actor);
      for (const change of world.changes) await happen(change);
      await compare(actor);
      if (!actor.can('canViewPatients')) return;
      const details = actor.groupsWith('canViewAllPatientDetails');
      for (const { id, memberId } of listings) {
        const { rows } = await pipeline.query<{ person: string; found: boolean }>(sql`
          select r.person_id as person, r.group_id = any (${actor.groupsWith('canViewPatients').filter((g) => details.includes(g))}::bigint[])
            and exists (select from roster_patients l where l.person_id = r.person_id and l.left_at is null
              and l.group_id = any (${actor.groupsWith('canViewPatients')}::bigint[])) as found
          from roster_patients r where r.id = ${id}`);
        const preferences = { ...parameters.userDefinedFacetPreferences, preferenceMap: {}, query: memberId };
        const { keys } = await ask(actor, 'ALL', { userDefinedFacetPreferences: preferences });
        // 'M-1' is also a prefix of 'M-12', so only the requested patient is checked.
        expect(keys.includes(rows[0]?.person ?? '') && rows[0]?.found).toBe(rows[0]?.found);
        if (details.length === 0) expect(keys).toEqual([]);
      }
    }),
    { numRuns: 25, examples: [[movedAway], [movedHere]] },
  );
});

describe('a scope', () => {
  const actorWith = (flags: Record<string, Permission[]>) =>
    makeActor({
      userId: '1',
      username: 'rosa@tidings.test',
      displayName: 'Rosa Diaz',
      timeZone: 'America/New_York',
      isOperator: false,
      teamId: '1',
      organizationId: '1',
      permissions: new Map(Object.entries(flags).map(([id, held]) => [id, new Set(held)])),
    });
  const key = (flags: Record<string, Permission[]>) => scopeKey(scopeOf(actorWith(flags), 'ALL'));

  test('is shared by users who may see the same, and by users who never get a facet', () => {
    const held = [
      'canViewPatients',
      'canViewAllPatientDetails',
      'canViewCcds',
      'canViewCcdDischargeInfo',
      'canViewDischargeSummaries',
      'canViewCarePlans',
    ];
    const all = { 10: held, 9: held } as Record<string, Permission[]>;
    const tagged = {
      10: [...(all[10] ?? []), 'canViewPatientTags'],
      9: [...(all[9] ?? []), 'canViewPatientTags'],
    } as Record<string, Permission[]>;
    expect(key(all)).toBe('["1",["9","10"],{}]');
    expect(key(tagged)).toBe(key(all));
  });

  test('differs by permissions held for some of the groups, and by those that limit values held for none', () => {
    const read = ['canViewPatients', 'canViewCcds', 'canViewCcdDischargeInfo', 'canViewDischargeSummaries'];
    const part = { 1: [...read, 'canViewPatientTags'], 2: read } as Record<string, Permission[]>;
    expect(key(part)).toBe(
      '["1",["1","2"],{"canViewAllPatientDetails":[],"canViewCarePlans":[],"canViewPatientTags":["1"]}]',
    );
  });
});
