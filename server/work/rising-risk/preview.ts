/** What another rule of rising risk would have listed over the past year. Counts only. */
import { DAY } from '#contract/durations.ts';
import type { RisingRiskRule, RulePreview } from '#contract/rising-risk.ts';
import type { Actor } from '#server/people/access/actor.ts';
import { type ActorTransaction, asActor } from '#server/people/access/door.ts';
import { mayReadListing } from '#server/people/access/policy.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { type PersonRisks, personRisks } from '#server/record/rules/rising-risk.ts';
import { organizationRules } from '#server/work/patients/organization-rules.ts';
import { facilitiesOf, visitsOf } from '#server/work/patients/queries.ts';
import { ruleVisitOf } from '#server/work/patients/rule-visit-of.ts';

/** Enough for counts that say what a rule does; a larger roster would keep the page waiting. */
const MOST_PEOPLE = 5000;
const CHUNK = 250;
const WEEK = 7 * DAY;
const WEEKS = 52;
/** The year that is looked at, and the year that each look compares with. */
const READS_BACK = (WEEKS * 7 + 365 + 30) * DAY;

interface Listed {
  current: boolean[];
  wanted: boolean[];
}

/** Compares the rule that holds with `wanted`, for the people whom the actor's groups list now. `db`: the app role's. */
export async function previewRule(db: Database, actor: Actor, wanted: RisingRiskRule, now: Date): Promise<RulePreview> {
  const inTeam = <T>(fn: (tx: ActorTransaction) => Promise<T>) =>
    asActor(db, actor, 'canViewRiskingRisk', fn, { readOnly: true });
  const { people, chosen, current } = await inTeam(async (tx) => ({
    ...(await listedPeople(tx)),
    current: (await organizationRules(tx)).riskRule,
  }));
  const times = Array.from({ length: WEEKS + 1 }, (_, week) => now.getTime() - (WEEKS - week) * WEEK);
  const tally = new Tally(times);
  for (let from = 0; from < chosen.length; from += CHUNK) {
    // A transaction for each part, so that none is open for long.
    const risks = await inTeam((tx) => risksOf(tx, chosen.slice(from, from + CHUNK), now));
    for (const one of risks)
      tally.add(one, { current: listedAt(one, times, current), wanted: listedAt(one, times, wanted) });
  }
  return { people, checked: chosen.length, ...tally.counts() };
}

const listedAt = (risks: PersonRisks, times: readonly number[], rule: RisingRiskRule): boolean[] =>
  times.map((at) => risks.at(at, rule).length > 0);

interface Chosen {
  personId: string;
  timeZone: string;
}

/** Returns how many people there are, and those to look at: the same part each time, whoever asks. */
async function listedPeople(tx: ActorTransaction): Promise<{ people: number; chosen: Chosen[] }> {
  const { rows } = await tx.query<Chosen & { people: number }>(sql`
    select person_id as "personId", time_zone as "timeZone", count(*) over ()::int as people
    from (
      select distinct on (r.person_id) r.person_id, g.time_zone from roster_patients r join groups g on g.id = r.group_id
      where r.left_at is null and ${mayReadListing(tx.groupIds)} order by r.person_id, r.id) listed
    order by hashint8(person_id), person_id limit ${MOST_PEOPLE}`);
  return { people: rows[0]?.people ?? 0, chosen: rows };
}

async function risksOf(tx: ActorTransaction, people: readonly Chosen[], now: Date): Promise<PersonRisks[]> {
  const since = new Date(now.getTime() - READS_BACK);
  const ids = people.map(({ personId }) => personId);
  const visits = await visitsOf(tx, ids, [], since);
  const facilities = await facilitiesOf(tx, [...new Set(visits.map(({ groupId }) => groupId))]);
  const own = Map.groupBy(visits, ({ personId }) => personId);
  return people.flatMap(({ personId, timeZone }) => {
    const rows = own.get(personId);
    return rows
      ? [
          personRisks(
            rows.map((visit) => ruleVisitOf(visit, facilities)),
            now.getTime(),
            timeZone,
          ),
        ]
      : [];
  });
}

/** Adds up who was listed when. */
class Tally {
  readonly #times: readonly number[];
  readonly #weeks: { current: number; wanted: number }[];
  readonly #now = { both: 0, added: 0, dropped: 0 };
  readonly #year = { current: 0, wanted: 0 };
  #firstAt: number | null = null;

  constructor(times: readonly number[]) {
    this.#times = times;
    this.#weeks = times.map(() => ({ current: 0, wanted: 0 }));
  }

  add({ firstAt }: PersonRisks, { current, wanted }: Listed): void {
    if (firstAt !== null) this.#firstAt = Math.min(firstAt, this.#firstAt ?? firstAt);
    for (const [at, week] of this.#weeks.entries()) {
      week.current += Number(current[at]);
      week.wanted += Number(wanted[at]);
    }
    this.#year.current += Number(current.includes(true));
    this.#year.wanted += Number(wanted.includes(true));
    const [is, would] = [current.at(-1), wanted.at(-1)];
    if (is && would) this.#now.both += 1;
    else if (would) this.#now.added += 1;
    else if (is) this.#now.dropped += 1;
  }

  counts(): Omit<RulePreview, 'people' | 'checked'> {
    const weeks = this.#weeks.map((week, n) => ({ at: new Date(this.#times[n] as number).toISOString(), ...week }));
    const firstVisitAt = this.#firstAt === null ? null : new Date(this.#firstAt).toISOString();
    return { firstVisitAt, now: this.#now, year: this.#year, weeks };
  }
}
