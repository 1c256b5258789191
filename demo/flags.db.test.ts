/** Runs the demo region through the real intake: for its largest program, each value of each filter must match people. */
import { describe, expect, test } from 'vitest';
import { admitSourceLabel, dispositionLabel } from '#contract/dispositions.ts';
import { FLAG_LABELS } from '#contract/facet-labels.ts';
import type { FacilityType, GroupType } from '#contract/groups.ts';
import { RESOLUTIONS } from '#contract/management-status.ts';
import { sql } from '#server/platform/database/sql.ts';
import { createLog } from '#server/platform/http/log.ts';
import { againstExpected, expectedDays } from '#server/record/fold/expected-stay.ts';
import type { VisitState } from '#server/record/fold/visit-state.ts';
import { type PatientFlags, patientFlags } from '#server/record/rules/patient-flags.ts';
import { ruleVisit } from '#server/record/rules/rule-visit.ts';
import { testDatabase } from '#server/testing/database.ts';
import { neverFilled } from '#server/testing/filled-fields.ts';
import { previewProgram } from '#server/work/hl7-programs/preview.ts';
import { createDirectory, type DemoDirectory, idOf } from './directory.ts';
import { replayPast } from './past.ts';
import { seated } from './past-acts.ts';
import { demoWorldOptions, makeWorld } from './world/world.ts';
import { HL7_PROGRAMS } from './write-hl7-programs.ts';

const to = '2026-11-20T12:00:00.000Z';
const database = await testDatabase();

interface Row {
  personId: string;
  id: string;
  state: VisitState;
  groupId: string;
  name: string;
  type: GroupType;
  facilityType: FacilityType;
  homeState: string;
  presentedAt: string | null;
  inpatientFrom: string | null;
  diedAt: string | null;
  latestCode: string | null;
}

/** Returns the visits of the people that the group lists, by person and in order of admission. */
async function visitsOf(groupId: string): Promise<Map<string, Row[]>> {
  const { rows } = await database.pipeline.query<Row>(sql`
    select e.person_id as "personId", e.id, e.state, g.id as "groupId", g.name, g.type, g.facility_type as "facilityType",
      g.state as "homeState",
      (select min(v.event_at) from events v
        where v.encounter_id = e.id and v.state <> 'CANCELLED' and v.code = 'PRESENTED') as "presentedAt",
      (select min(v.event_at) from events v where v.encounter_id = e.id and v.state <> 'CANCELLED'
        and v.code in ('ADMIT', 'TRANSFER') and v.setting = 'INPATIENT') as "inpatientFrom",
      (select min(v.event_at) from events v
        where v.encounter_id = e.id and v.state <> 'CANCELLED' and v.code = 'DECEASED') as "diedAt",
      (select v.code from events v where v.encounter_id = e.id and v.state <> 'CANCELLED'
        order by v.event_at desc, v.id desc limit 1) as "latestCode"
    from encounters e join groups g on g.id = e.group_id
    where exists (select from roster_patients r where r.person_id = e.person_id and r.group_id = ${groupId})
    order by e.admitted_at, e.id`);
  return Map.groupBy(rows, (row) => row.personId);
}

const instant = (at: string | null) => (at === null ? null : Date.parse(at));

function flagsOf(rows: Row[]): PatientFlags {
  const visits = rows.map(({ id, state, groupId, type, facilityType, presentedAt, inpatientFrom, diedAt }) =>
    ruleVisit({
      id,
      state,
      facility: { id: groupId, type, facilityType, timeZone: 'America/New_York' },
      presentedAt: instant(presentedAt),
      inpatientFrom: instant(inpatientFrom),
      diedAt: instant(diedAt),
    }),
  );
  return patientFlags(visits, Date.parse(to), 'America/New_York');
}

function expectedStayOf(state: VisitState | undefined): string | null {
  if (!state?.admittedAt) return null;
  const lastDay = state.dischargedAt?.localDate ?? to.slice(0, 10);
  const days = (Date.parse(lastDay) - Date.parse(state.admittedAt.localDate)) / 86_400_000;
  return `expectedStay ${againstExpected(days, expectedDays(state))}`;
}

/** Returns a person's values as `facet VALUE`. Values that belong to a visit come from the latest one. */
function valuesOf(rows: Row[]): string[] {
  const flags = flagsOf(rows);
  const visit = flags.visits.get(rows.at(-1)?.id ?? '');
  return [
    flags.hospitalUse && `hospitalUse ${flags.hospitalUse}`,
    flags.covid19 && `covid19 ${flags.covid19}`,
    flags.hhaServices && `hhaServices ${flags.hhaServices}`,
    ...flags.risingRisk.map((risk) => `risingRisk ${risk}`),
    visit?.readmissionRisk && 'readmissionRisk YES',
    visit?.recentInpatientStay && 'recentInpatientStay YES',
    visit?.recentSnfStay && 'skilledNursing30Day YES',
    expectedStayOf(rows.at(-1)?.state),
    ...(visit?.encounterTags ?? []).map((tag) => `encounterTags ${tag}`),
  ].filter((value) => typeof value === 'string');
}

/** Facets of features that do not exist yet. */
// They follow from documents and care records, not from visits.
const NOT_COMPUTED = new Set(['dueWork', 'needsAction', 'waiting', 'dischargeSummary', 'storyInformation']);
const EXPECTED = Object.entries(FLAG_LABELS)
  .filter(([facet]) => !NOT_COMPUTED.has(facet))
  .flatMap(([facet, values]) => Object.keys(values).map((value) => `${facet} ${value}`));

/** Fields whose source does not exist yet. Remove a field from the list with its source. */
const NEVER_FILLED: readonly string[] = [];

describe('the demo region', async () => {
  const world = makeWorld(demoWorldOptions(to));
  let directory: DemoDirectory;
  let people: Row[][];
  let aco: string;

  test('is processed', async () => {
    directory = await createDirectory(database.pipeline, world.region, new Date(world.options.from));
    await replayPast({ ...database, log: createLog('silent'), publicUrl: 'http://127.0.0.1' }, world, directory);
    aco = idOf(directory.groups, 'lakeshore-aco');
    people = [...(await visitsOf(aco)).values()];
    expect(people.length).toBeGreaterThan(500);
  }, 400_000);

  test('has at least five people for every computed flag', () => {
    const counts = new Map(EXPECTED.map((value) => [value, 0]));
    for (const value of people.flatMap(valuesOf)) counts.set(value, (counts.get(value) ?? 0) + 1);
    const rare = [...counts].filter(([, count]) => count < 5);
    expect(rare).toEqual([]);
    expect([...counts.keys()].sort()).toEqual([...EXPECTED].sort());
  });

  test.each<[string, number, (row: Row) => string | null | undefined]>([
    ['current status', 8, (row) => row.latestCode],
    ['facility', 6, (row) => row.name],
    ['facility state', 2, (row) => row.homeState],
    ['facility type', 4, (row) => row.facilityType],
    ['setting', 7, (row) => row.state.setting],
    ['floor or unit', 12, (row) => row.state.location?.pointOfCare],
    ['admitted from', 6, (row) => admitSourceLabel(row.state.admitSource)],
    ['discharged to', 5, (row) => dispositionLabel(row.state.disposition)],
    ['diagnosis', 20, (row) => row.state.diagnoses[0]?.code],
  ])('has, for %s, at least %i values with five people each', (_, least, valueOf) => {
    const latest = people.map((rows) => valueOf(rows.at(-1) as Row)).filter((value) => typeof value === 'string');
    expect(common(latest).length).toBeGreaterThanOrEqual(least);
  });

  test.each([
    ['care_gaps', 7],
    ['advance_care_documents', 4],
    ['billing_agencies', 4],
    ['programs', 3],
    ['practices', 6],
    ['care_coordinators', 3],
    ['tags', 7],
    ['insurance', 4],
    ['array[provider_last_name]', 8],
    ['array[city]', 14],
    ['array[gender]', 2],
  ])("has at least five people on the program's roster for each value of %s", async (column, least) => {
    const { rows } = await database.pipeline.query<{ value: string }>(
      `select unnest(${column}) as value from roster_patients where group_id = $1 and left_at is null`,
      [aco],
    );
    const values = rows.map(({ value }) => value);
    expect(common(values)).toHaveLength(least);
    expect(new Set(values).size).toBe(least);
  });

  test('has tags of its teams, each on at least five people', async () => {
    const { rows } = await database.pipeline.query<{ value: string }>(
      'select t.name as value from patient_tags p join tags t on t.id = p.tag_id',
    );
    const values = rows.map(({ value }) => value);
    expect(common(values).sort()).toEqual([...new Set(values)].sort());
    expect(new Set(values).size).toBe(9);
  });

  test('has care teams with and without care plans, instructions of both kinds, and forms', async () => {
    const { rows } = await database.pipeline.query<{ value: string }>(`
      select 'contact' as value from care_team_records where content is null
      union all select 'plan' from care_team_records where content is not null
      union all select kind from care_instructions
      union all select 'form' from care_files f join care_file_chunks c on c.file_id = f.id and length(c.bytes) = f.size`);
    const values = rows.map(({ value }) => value);
    expect(common(values).sort()).toEqual(['ADMIT', 'DISCHARGE', 'contact', 'form', 'plan']);
    const { rows: shared } = await database.pipeline.query<{ n: number }>(`
      select count(distinct r.person_id)::int as n from care_team_records c join roster_patients r on r.id = c.roster_patient_id
      join roster_patients other on other.person_id = r.person_id and other.group_id <> r.group_id and other.left_at is null`);
    expect(shared[0]?.n).toBeGreaterThan(5);
  });

  test('has consents that are in force, consents that ended, and more patients without one', async () => {
    const { rows } = await database.pipeline.query<{ inForce: number; ended: number; without: number; pings: number }>(`
      select count(*) filter (where c.ended_at is null and c.id is not null)::int as "inForce",
        count(*) filter (where c.ended_at is not null)::int as ended, count(*) filter (where c.id is null)::int as without,
        (select count(*)::int from pings p join encounters e on e.id = p.encounter_id join groups f on f.id = e.group_id
          where f.is_part2_facility) as pings
      from roster_patients r join groups g on g.id = r.group_id and g.is_part2_facility
        left join consents c on c.roster_patient_id = r.id`);
    const { inForce = 0, ended = 0, without = 0, pings = 0 } = rows[0] ?? {};
    expect([inForce >= 5, ended >= 5, without >= 10, pings >= 10]).toEqual([true, true, true, true]);
  });

  test('has emergency accesses of both kinds, each of which opened visits and mailed an administrator', async () => {
    const { rows } = await database.pipeline.query<{ medical: boolean; opened: boolean; letters: number }>(`
      select is_medical_emergency as medical, cardinality(facility_group_ids) > 0 as opened,
        (select count(*)::int from outbox where subject = 'Emergency access to patient records') as letters
      from emergency_accesses order by is_medical_emergency`);
    expect(rows.map(({ medical, opened }) => [medical, opened])).toEqual([
      [false, true],
      [true, true],
    ]);
    expect(rows[0]?.letters).toBeGreaterThanOrEqual(2);
  });

  test('has three-day waivers of each status, under both rules', async () => {
    const { rows } = await database.pipeline.query<{ value: string }>(`
      select distinct unnest(array[status, rule]) as value from (
        select distinct on (encounter_id) status, rule from three_day_waivers order by encounter_id, id desc) last`);
    const values = rows.map(({ value }) => value).sort();
    expect(values).toEqual(['APPROVED', 'MSSP', 'NOT_APPROVED', 'PENDING', 'TEAM']);
  });

  test('has people in each HL7-based program of its organizations', async () => {
    for (const { seat, programs } of HL7_PROGRAMS) {
      const actor = await seated(database.app, directory, seat);
      for (const { hl7BasedProgramName: name, ...conditions } of programs((key) => idOf(directory.groups, key))) {
        const { now, year } = await previewProgram(database.app, actor, conditions, new Date(to));
        expect([name, now >= 5, year >= now]).toEqual([name, true, true]);
      }
    }
  });

  test('fills every field of the specification', async () => {
    const region = { region: world.region, directory };
    const found = await neverFilled(database.app, region, { now: new Date(to), most: 60, expected: NEVER_FILLED });
    expect(found).toEqual(NEVER_FILLED);
  }, 200_000);

  test('has pings resolved for every reason', async () => {
    const { rows } = await database.pipeline.query<{ value: string }>(
      'select unnest(resolutions) as value from management_statuses',
    );
    expect(common(rows.map(({ value }) => value)).sort()).toEqual([...RESOLUTIONS].sort());
  });
});

function common(values: string[]): string[] {
  return [...Map.groupBy(values, (value) => value)].filter(([, found]) => found.length >= 5).map(([value]) => value);
}
