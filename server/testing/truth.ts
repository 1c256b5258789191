/**
 * Describes the visits and pings of a generated world, and those in the database, as lines of text in the same format. A test compares
 * the two, and a difference names the visit.
 */
import type { DemoDirectory } from '#demo/directory.ts';
import { ROSTER_GROUPS } from '#demo/world/rosters.ts';
import type { VisitStatus, VisitTruth } from '#demo/world/visit.ts';
import { expectedPings, type World } from '#demo/world/world.ts';
import type { Queryable } from '#server/platform/database/pool.ts';

interface VisitSummary {
  status: string;
  setting: string;
  admitted: string | null;
  discharged: string | null;
  /** The expected day of discharge. */
  expected: string | null;
  disposition: string | null;
  unit: string | null;
  payer: string | null;
  record: string;
  /** `code time setting`, in order. Times to the minute, or the day if staff entered no time. */
  events: string[];
}

const STATUS: Record<VisitStatus, string> = {
  OPEN: 'IN_PROGRESS',
  ON_LEAVE: 'ON_LEAVE',
  DISCHARGED: 'FINISHED',
  DECEASED: 'FINISHED',
  COMPLETED: 'FINISHED',
  CANCELLED: 'CANCELLED',
};

const minute = (at: string | null) => at && at.slice(0, 16);

/** Returns the number by which the product knows each visit; some senders send only an account number. */
function numbersOf(world: World): Map<string, string> {
  const byAccount = new Set(
    world.region.feeds
      .filter(({ dialect }) => dialect.visitKey === 'PID-18')
      .flatMap(({ facilities }) => Object.values(facilities)),
  );
  return new Map(
    world.visits.map(({ id, facility, steps }) => {
      const last = steps.at(-1)?.state;
      return [id, (byAccount.has(facility) ? last?.accountNumber : last?.visitNumber) ?? ''];
    }),
  );
}

/** Returns the true visits at the end of the world, including those closed automatically by then. */
export function trueVisits(world: World): string[] {
  const numbers = numbersOf(world);
  const visits = new Map(world.visits.map((visit) => [visit.id, visit]));
  return world.truth.visits.map((truth) => {
    const visit = visits.get(truth.visit);
    const company = visit?.isManual ? (visit.steps.at(-1)?.state.payer.company ?? null) : null;
    return line(`${truth.facility} ${numbers.get(truth.visit)}`, summaryOf(truth, world.options.to, company));
  });
}

const line = (visit: string, { events, ...summary }: VisitSummary): string =>
  `${visit} ${JSON.stringify(summary)} ${events.sort().join(', ')}`;

function summaryOf(visit: VisitTruth, now: string, company: string | null): VisitSummary {
  const isManual = company !== null;
  const isClosed = visit.closesAt !== null && visit.closesAt <= now;
  // Staff of a facility without a feed enter days, no unit, and the payer's name.
  const time = (at: string | null) => (isManual ? at && null : minute(at));
  const events = visit.events.map((event) => `${event.code} ${minute(event.at)} ${event.setting}`);
  if (isClosed) events.push(`CLOSED ${minute(visit.closesAt)} EMERGENCY`);
  return {
    status: isClosed ? 'FINISHED' : STATUS[visit.status],
    setting: visit.setting,
    admitted: time(visit.admittedAt),
    discharged: time(visit.dischargedAt),
    expected: visit.expectedDischarge,
    disposition: visit.disposition,
    unit: isManual ? null : visit.unit,
    payer: isManual ? company : visit.payer,
    record: visit.recordNumber,
    events,
  };
}

const VISITS = `
select g.id as "groupId", coalesce(en.visit_number, en.state #>> '{accountNumbers,0}') as number, en.status, en.setting,
  case when en.admitted_precision <> 'day' then en.admitted_at end as admitted,
  case when en.discharged_precision <> 'day' then en.discharged_at end as discharged,
  coalesce((en.state #>> '{expectedDischargeAt,localDate}')::date,
    (en.state #>> '{admittedAt,localDate}')::date + (en.state ->> 'estimatedDays')::int)::text as expected,
  en.state ->> 'disposition' as disposition, en.state #>> '{location,pointOfCare}' as unit,
  coalesce(en.state #>> '{payers,0,code}', en.state #>> '{payers,0,company}') as payer, s.record_number as record,
  coalesce((select jsonb_agg(jsonb_build_array(e.code, e.event_precision, e.event_at at time zone 'UTC', e.event_day, e.setting))
    from events e where e.encounter_id = en.id and e.state <> 'CANCELLED'), '[]') as events
from encounters en join groups g on g.id = en.group_id join source_patients s on s.id = en.source_patient_id
where exists (select from facts f where f.encounter_id = en.id)`;

type VisitRow = Omit<VisitSummary, 'events'> & {
  groupId: string;
  number: string | null;
  events: [code: string, precision: string, at: string, day: string, setting: string][];
};

/** Returns the stored visits, leaving out encounters whose facts all moved to another encounter. */
export async function storedVisits(db: Queryable, directory: DemoDirectory): Promise<string[]> {
  const keyOf = keysById(directory);
  const { rows } = await db.query<VisitRow>(VISITS);
  return rows.map(({ groupId, number, events, status, setting, admitted, discharged, ...rest }) =>
    line(`${keyOf.get(groupId)} ${number}`, {
      status,
      setting,
      admitted: minute(admitted),
      discharged: minute(discharged),
      expected: rest.expected,
      disposition: rest.disposition,
      unit: rest.unit,
      payer: rest.payer,
      record: rest.record,
      events: events.map(
        ([code, precision, at, day, where]) => `${code} ${precision === 'day' ? day : minute(at)} ${where}`,
      ),
    }),
  );
}

const keysById = ({ groups }: DemoDirectory) => new Map([...groups].map(([key, id]) => [id, key]));

/**
 * Returns the expected pings as `facility visit event time group`. `groups`: 'programs' list people by a roster, and their pings don't
 * depend on the order of arrival. A facility lists people from their first visit on, so its pings do.
 */
export function truePings(world: World, groups: 'programs' | 'all'): string[] {
  const numbers = numbersOf(world);
  return expectedPings(world)
    .filter(({ group }) => groups === 'all' || isProgram(group))
    .map(({ visit, facility, code, at, group }) => `${facility} ${numbers.get(visit)} ${code} ${minute(at)} ${group}`)
    .sort();
}

const isProgram = (group: string) => (ROSTER_GROUPS as readonly string[]).includes(group);

const PINGS = `
select en.group_id as "facilityId", coalesce(en.visit_number, en.state #>> '{accountNumbers,0}') as number, e.code,
  case e.event_precision when 'day' then e.event_day::text else to_char(e.event_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI') end as at,
  p.group_id as "groupId"
from pings p join events e on e.id = p.event_id join encounters en on en.id = e.encounter_id
where p.state <> 'CANCELLED'`;

/** Returns the stored pings that aren't canceled. */
export async function storedPings(
  db: Queryable,
  directory: DemoDirectory,
  groups: 'programs' | 'all',
): Promise<string[]> {
  const keyOf = keysById(directory);
  const { rows } = await db.query<{ facilityId: string; number: string; code: string; at: string; groupId: string }>(
    PINGS,
  );
  return rows
    .filter(({ groupId }) => groups === 'all' || isProgram(keyOf.get(groupId) ?? ''))
    .map(
      ({ facilityId, number, code, at, groupId }) =>
        `${keyOf.get(facilityId)} ${number} ${code} ${at} ${keyOf.get(groupId)}`,
    )
    .sort();
}

/** Returns what is in only one of two lists, so that a failing test stays readable. */
export function differences(
  expected: readonly string[],
  found: readonly string[],
): { missing: string[]; unexpected: string[] } {
  const count = (list: readonly string[]) => Map.groupBy(list, (each) => each);
  const [expectedCounts, foundCounts] = [count(expected), count(found)];
  const more = (a: Map<string, string[]>, b: Map<string, string[]>) =>
    [...a].flatMap(([each, { length }]) => Array<string>(Math.max(0, length - (b.get(each)?.length ?? 0))).fill(each));
  return { missing: more(expectedCounts, foundCounts), unexpected: more(foundCounts, expectedCounts) };
}
