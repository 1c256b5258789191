/** Reads what a spotlight counts, for the people whom the groups listed in the period, and from the visits that the actor may read. */
import type { SpotlightName } from '#contract/spotlights.ts';
import type { Actor } from '#server/people/access/actor.ts';
import { type ActorTransaction, asActor, askAbout } from '#server/people/access/door.ts';
import { mayReadListing, mayReadPing } from '#server/people/access/policy.ts';
import { addDays } from '#server/platform/calendar/business-days.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { attemptsIn, attemptsOfPersons } from '#server/work/contact-attempts/queries.ts';
import { organizationRules } from '#server/work/patients/organization-rules.ts';
import { facilitiesOf, visitsOf } from '#server/work/patients/queries.ts';
import { ruleVisitOf } from '#server/work/patients/rule-visit-of.ts';
import { nightsOfStay } from '#server/work/patients/stay-length.ts';
import { CASES_OF_PERSON, type Case, type CountedFromVisits } from './cases.ts';
import type { Period } from './periods.ts';

/** Enough for numbers that don't change; more would keep the page waiting. */
const MOST_PEOPLE = 20_000;
const CHUNK = 250;
/** A stay that ended so many days before a period may have begun what counts in it. */
const READS_BACK = 60;
const MOST_PINGS = 200_000;

export interface Wanted {
  name: SpotlightName;
  /** From the beginning of the previous period to the end. */
  span: Period;
  groupId: string | undefined;
  /** Only these people; null for all. */
  personIds: readonly string[] | null;
}

export interface FoundCases {
  cases: Case[];
  /** Those whom the groups listed at some time in the span. */
  listed: readonly Listed[];
  /** How many there are in all: of more than 20,000 a fixed part is looked at. */
  all: number;
}

/** Someone on the lists of the groups. */
export interface Listed {
  personId: string;
  timeZone: string;
  /** The first and the last day (YYYY-MM-DD) on which a list had the person; what happened on days before and after is not counted. */
  from: string;
  until: string;
}

/** Returns the cases of the span. `db`: the app role's. */
export async function readCases(db: Database, actor: Actor, wanted: Wanted, now: Date): Promise<FoundCases> {
  const inTeam = <T>(fn: (tx: ActorTransaction) => Promise<T>): Promise<T> =>
    asActor(db, actor, 'canViewSpotlights', fn, { readOnly: true, byKeys: true });
  const { all, listed } = await inTeam((tx) => listedPeople(tx, wanted));
  const inTime = whileListed(listed);
  if (!isCountedFromVisits(wanted.name)) {
    const cases = await inTeam((tx) => casesOfPings(tx, wanted, listed));
    return { cases: cases.filter(inTime), listed, all };
  }
  const casesOf = CASES_OF_PERSON[wanted.name];
  const cases: Case[] = [];
  for (let from = 0; from < listed.length; from += CHUNK) {
    // A transaction for each part, so that none is open for long.
    const histories = await inTeam((tx) => historiesOf(tx, listed.slice(from, from + CHUNK), wanted.span, now));
    cases.push(...histories.flatMap(casesOf).filter(inTime));
  }
  return { cases, listed, all };
}

const isCountedFromVisits = (name: SpotlightName): name is CountedFromVisits => Object.hasOwn(CASES_OF_PERSON, name);

/** Returns whether a case is of a day on which its person was listed: a list that grows today must not change what was counted before. */
function whileListed(listed: readonly Listed[]): (one: Case) => boolean {
  const by = new Map(listed.map((person) => [person.personId, person]));
  return ({ personId, day }) => {
    const person = by.get(personId);
    return person !== undefined && person.from <= day && day <= person.until;
  };
}

/** Messages about a visit, which put its patient on a facility's list, may come so much later than the visit. */
const MESSAGES_COME_WITHIN = sql`interval '3 days'`;

/**
 * SQL: when the listing `r` began. A return within a year moves `listed_at` and leaves `opens_from`, 12 months before the first day, as it was. A
 * facility's list, which no file wrote, begins with the visit and not with its message (docs/decisions/0113).
 */
const LISTED_FROM = sql`
  least(r.listed_at, r.opens_from + interval '12 months') - case when r.content_hash is null then ${MESSAGES_COME_WITHIN} else interval '0' end`;

/**
 * Returns the people of the span, the same part each time, whoever asks. Those who have left since count for the time before: a facility lists its patients
 * for 90 days after a discharge, so that whoever is still there of an earlier period is there because of a return.
 */
async function listedPeople(tx: ActorTransaction, { groupId, personIds, span }: Wanted) {
  const { rows } = await tx.query<Listed & { all: number }>(sql`
    select person_id as "personId", time_zone as "timeZone", "from", until, count(*) over ()::int as all
    from (
      select r.person_id, (array_agg(g.time_zone order by r.id))[1] as time_zone, min((${LISTED_FROM}) at time zone g.time_zone)::date::text as "from",
        max(coalesce((r.left_at at time zone g.time_zone)::date, '9999-12-31'))::text as until
      from roster_patients r join groups g on g.id = r.group_id
      where ${mayReadListing(tx.groupIds)} and (${groupId ?? null}::bigint is null or r.group_id = ${groupId ?? null}::bigint)
        and (${personIds}::bigint[] is null or r.person_id = any (${personIds}::bigint[]))
      group by r.person_id) listed
    where "from" <= ${span.to} and until >= ${span.from}
    order by hashint8(person_id), person_id limit ${MOST_PEOPLE}`);
  return { all: rows[0]?.all ?? 0, listed: rows };
}

async function historiesOf(tx: ActorTransaction, people: readonly Listed[], { from }: Period, now: Date) {
  const ids = people.map(({ personId }) => personId);
  await askAbout(tx, ids);
  const [visits, attempts, { holidays }] = await Promise.all([
    visitsOf(tx, ids, [], new Date(`${addDays(from, -READS_BACK)}T00:00:00Z`)),
    attemptsOfPersons(tx, ids),
    organizationRules(tx),
  ]);
  const facilities = await facilitiesOf(tx, [...new Set(visits.map(({ groupId }) => groupId))]);
  const own = Map.groupBy(visits, ({ personId }) => personId);
  const attemptsBy = Map.groupBy(attempts, ({ personId }) => personId);
  return people.flatMap(({ personId, timeZone }) => {
    const rows = own.get(personId);
    if (!rows) return [];
    const counted = rows.map((visit) => ruleVisitOf(visit, facilities));
    const tried = attemptsIn(timeZone, attemptsBy.get(personId) ?? []);
    const nightsOf = (visitId: string): number | null => {
      const visit = rows.find(({ id }) => id === visitId);
      const place = visit && facilities.get(visit.groupId);
      return place ? nightsOfStay(visit.state, place.timeZone, now.getTime()) : null;
    };
    return [{ personId, timeZone, visits: counted, attempts: tried, holidays, nightsOf, now: now.getTime() }];
  });
}

interface PingTimes {
  personId: string;
  encounterId: string;
  facilityId: string;
  day: string;
  toResolve: number | null;
  ending: 'byPeople' | 'bySystem' | 'open';
  delay: number | null;
}

/**
 * Returns the pings that the groups got in the span about these people: by when people resolved them, or by how long after the event it was
 * received. An event entered by hand, or of a day without a time, has no delay.
 */
async function casesOfPings(
  tx: ActorTransaction,
  { name, span, groupId }: Wanted,
  people: readonly Listed[],
): Promise<Case[]> {
  const ids = people.map(({ personId }) => personId);
  const { rows } = await tx.query<PingTimes>(sql`
    select r.person_id as "personId", p.encounter_id as "encounterId", n.group_id as "facilityId",
      to_char(p.created_at at time zone g.time_zone, 'YYYY-MM-DD') as day,
      case when s.user_id is not null and s.status in ('RESOLVED', 'DISMISSED')
        then greatest(0, extract(epoch from s.changed_at - p.created_at)::float8 / 60) end as "toResolve",
      case when s.status is null or s.status not in ('RESOLVED', 'DISMISSED') then 'open'
        when s.user_id is null then 'bySystem' else 'byPeople' end as ending,
      case when not v.is_manual and v.event_precision <> 'day'
        then greatest(0, extract(epoch from v.received_at - v.event_at)::float8 / 60) end as delay
    from pings p
      join roster_patients r on r.id = p.roster_patient_id
      join groups g on g.id = p.group_id
      join events v on v.id = p.event_id
      join encounters n on n.id = p.encounter_id
      left join management_statuses s on s.id = p.status_id
    where p.group_id = any (${tx.groupIds}::bigint[]) and (${groupId ?? null}::bigint is null or p.group_id = ${groupId ?? null}::bigint)
      and p.created_at >= ${`${addDays(span.from, -1)}T00:00:00Z`} and p.created_at < ${`${addDays(span.to, 2)}T00:00:00Z`}
      and p.state <> 'CANCELLED' and r.person_id = any (${ids}::bigint[]) and ${mayReadPing}
    order by p.id desc limit ${MOST_PINGS}`);
  return rows.flatMap(({ toResolve, delay, ending, ...row }) => {
    if (name === 'alert-load') return { ...row, ending, value: 1 };
    if (name === 'time-to-resolve') return { ...row, value: toResolve };
    return delay === null ? [] : { ...row, value: delay };
  });
}
