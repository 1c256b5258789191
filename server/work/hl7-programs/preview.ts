/** Who an HL7-based program would have enrolled over the past year, among the people that the team lists now. */
import { DAY } from '#contract/durations.ts';
import type { ProgramConditions, ProgramPreview } from '#contract/hl7-programs.ts';
import type { Actor } from '#server/people/access/actor.ts';
import { type ActorTransaction, asActor } from '#server/people/access/door.ts';
import { mayReadListing } from '#server/people/access/policy.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { payerName } from '#server/record/fold/visit-state.ts';
import {
  drgCodeOf,
  type Enrollment,
  enrollmentBy,
  enrollments,
  isDischargedAlive,
  type Program,
  type ProgramStay,
} from '#server/record/rules/hl7-programs.ts';
import { loadPatients } from '#server/work/patients/load.ts';
import { programStayOf } from '#server/work/patients/programs.ts';
import { deathsOf, type FacilityRow, facilitiesOf, visitsOf } from '#server/work/patients/queries.ts';
import { ruleVisitOf } from '#server/work/patients/rule-visit-of.ts';

/** Enough for counts that say what a definition does; a larger roster would keep the page waiting. */
const MOST_PEOPLE = 5000;
const CHUNK = 250;
const YEAR = 365 * DAY;
const MONTHS = 13;
const MOST_EXAMPLES = 10;
const MOST_PAYERS = 10;

/** `db`: the app role's. */
export async function previewProgram(
  db: Database,
  actor: Actor,
  conditions: ProgramConditions,
  now: Date,
): Promise<ProgramPreview> {
  const inTeam = <T>(fn: (tx: ActorTransaction) => Promise<T>) =>
    asActor(db, actor, 'canViewPatients', fn, { readOnly: true });
  const program = { ...conditions, id: '0', organizationId: '0', name: '', admittingFacilityName: null };
  const { people, chosen } = await inTeam(listedPeople);
  const tally = new Tally(program, now.getTime());
  for (let from = 0; from < chosen.length; from += CHUNK) {
    // A transaction for each part, so that none is open for long.
    await inTeam((tx) => addPart(tx, chosen.slice(from, from + CHUNK), tally, now));
  }
  const seesInsurance = actor.groupsWith('canViewAllPatientDetails').length > 0;
  return {
    people,
    checked: chosen.length,
    ...tally.counts(),
    payers: seesInsurance ? tally.payers() : [],
    examples: await inTeam((tx) => examplesOf(tx, tally.latest(), now)),
  };
}

/** Returns how many people there are, and those to look at: the same part each time, whoever asks. */
async function listedPeople(tx: ActorTransaction): Promise<{ people: number; chosen: string[] }> {
  const { rows } = await tx.query<{ personId: string; people: number }>(sql`
    select person_id as "personId", count(*) over ()::int as people
    from (
      select distinct r.person_id from roster_patients r
      where r.left_at is null and ${mayReadListing(tx.groupIds)}) listed
    order by hashint8(person_id), person_id limit ${MOST_PEOPLE}`);
  return { people: rows[0]?.people ?? 0, chosen: rows.map(({ personId }) => personId) };
}

async function addPart(tx: ActorTransaction, personIds: string[], tally: Tally, now: Date): Promise<void> {
  const visits = await visitsOf(tx, personIds, [], new Date(now.getTime() - YEAR - 30 * DAY));
  const facilities = await facilitiesOf(tx, [...new Set(visits.map(({ groupId }) => groupId))]);
  const deaths = await deathsOf(tx, personIds);
  for (const [personId, own] of Map.groupBy(visits, (visit) => visit.personId)) {
    const stays = own.map((visit) => {
      const facility = facilities.get(visit.groupId) as FacilityRow;
      return programStayOf(visit, ruleVisitOf(visit, facilities), facility.timeZone);
    });
    tally.add(personId, stays, facilities, deaths.has(personId));
  }
}

interface Found {
  personId: string;
  enrollment: Enrollment;
  facility: FacilityRow;
}

/** Adds up which discharges of the past year would have enrolled someone. */
class Tally {
  readonly #program: Program;
  readonly #now: number;
  readonly #found: Found[] = [];
  readonly #counts = { now: 0, year: 0, withDrg: 0, inpatientDischarges: 0 };
  #firstDischargeAt = Number.POSITIVE_INFINITY;
  #firstDrgAt = Number.POSITIVE_INFINITY;

  constructor(program: Program, now: number) {
    this.#program = program;
    this.#now = now;
  }

  add(personId: string, stays: readonly ProgramStay[], facilities: Map<string, FacilityRow>, hasDied: boolean): void {
    const before = this.#found.length;
    for (const stay of stays) {
      const at = stay.visit.dischargedAt;
      if (at === null || at > this.#now || !isDischargedAlive(stay)) continue;
      const hasDrg = drgCodeOf(stay.drg) !== null;
      this.#firstDischargeAt = Math.min(this.#firstDischargeAt, at);
      if (hasDrg) this.#firstDrgAt = Math.min(this.#firstDrgAt, at);
      if (at <= this.#now - YEAR) continue;
      const isInpatient = stay.visit.setting === 'INPATIENT';
      this.#counts.inpatientDischarges += Number(isInpatient);
      this.#counts.withDrg += Number(isInpatient && hasDrg);
      const enrollment = enrollmentBy(stay, this.#program);
      const facility = facilities.get(stay.visit.facilityId);
      if (enrollment && facility) this.#found.push({ personId, enrollment, facility });
    }
    this.#counts.year += Number(this.#found.length > before);
    this.#counts.now += enrollments(stays, [this.#program], { now: this.#now, hasDied }).now.length;
  }

  counts(): Omit<ProgramPreview, 'people' | 'checked' | 'payers' | 'examples'> {
    const byMonth = Map.groupBy(this.#found, ({ enrollment }) => enrollment.validFrom.slice(0, 7));
    const discharges = (month: string) => byMonth.get(month)?.length ?? 0;
    return {
      ...this.#counts,
      discharges: this.#found.length,
      months: monthsUntil(this.#now).map((month) => ({ month, discharges: discharges(month) })),
      firstDischargeAt: instantOf(this.#firstDischargeAt),
      firstDrgAt: instantOf(this.#firstDrgAt),
    };
  }

  payers(): ProgramPreview['payers'] {
    const named = Map.groupBy(this.#found, ({ enrollment: { stay } }) =>
      stay.payer ? (payerName({ ...stay.payer, memberId: null }) ?? '') : '',
    );
    return [...named]
      .filter(([payer]) => payer !== '')
      .map(([payer, found]) => ({ payer, discharges: found.length }))
      .sort((a, b) => b.discharges - a.discharges || (a.payer < b.payer ? -1 : 1))
      .slice(0, MOST_PAYERS);
  }

  /** The latest discharge of each of the first few people, the newest first. */
  latest(): Found[] {
    const at = ({ enrollment }: Found) => enrollment.stay.visit.dischargedAt as number;
    const newest = this.#found.toSorted((a, b) => at(b) - at(a) || Number(a.personId) - Number(b.personId));
    const byPerson = new Map<string, Found>();
    for (const found of newest) if (!byPerson.has(found.personId)) byPerson.set(found.personId, found);
    return [...byPerson.values()].slice(0, MOST_EXAMPLES);
  }
}

const instantOf = (at: number): string | null => (Number.isFinite(at) ? new Date(at).toISOString() : null);

/** Returns the last thirteen months as YYYY-MM, the oldest first. */
function monthsUntil(now: number): string[] {
  const [year = 0, month = 0] = new Date(now).toISOString().split('-').map(Number);
  return Array.from({ length: MONTHS }, (_, n) =>
    new Date(Date.UTC(year, month - 1 - (MONTHS - 1 - n), 1)).toISOString().slice(0, 7),
  );
}

async function examplesOf(
  tx: ActorTransaction,
  found: readonly Found[],
  now: Date,
): Promise<ProgramPreview['examples']> {
  const keys = found.map(({ personId, enrollment }) => ({ personId, encounterId: enrollment.stay.visit.id }));
  const patients = await loadPatients(tx, keys, now);
  const shown = new Map(patients.map((patient) => [patient.id.split('_')[1], patient]));
  return found.flatMap(({ enrollment, facility }) => {
    const { stay, validFrom, validTo } = enrollment;
    const patient = shown.get(stay.visit.id);
    if (!patient) return [];
    const { id, firstName, lastName, dateOfBirth } = patient;
    const name = `${lastName.toUpperCase()}, ${firstName}`;
    return {
      patientId: id,
      name,
      dateOfBirth,
      facilityName: facility.name,
      isPart2: facility.isPart2Facility,
      dischargedOn: validFrom,
      drg: stay.drg,
      validTo,
    };
  });
}
