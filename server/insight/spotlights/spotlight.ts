/** A spotlight's answer, and the patients behind it. */
import type {
  CALENDAR_PERIODS,
  Spotlight,
  SpotlightName,
  SpotlightPerson,
  SpotlightUnit,
} from '#contract/spotlights.ts';
import { type Actor, makeActor } from '#server/people/access/actor.ts';
import { asActor } from '#server/people/access/door.ts';
import { addDays } from '#server/platform/calendar/business-days.ts';
import { localDateOf } from '#server/platform/calendar/time-zone.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { loadPatients } from '#server/work/patients/load.ts';
import { facilitiesOf } from '#server/work/patients/queries.ts';
import type { Case } from './cases.ts';
import { type Counted, compare, figureOf, hideSubtractable, isRate, mayBeShown } from './figures.ts';
import { before, checkPeriod, daysOf, isIn, isIncomplete, monthsOf, type Period } from './periods.ts';
import { type FoundCases, readCases } from './read-cases.ts';

const UNITS: Record<SpotlightName, SpotlightUnit> = {
  readmissions: 'SHARE',
  'plan-readmissions': 'SHARE',
  'admissions-and-ed-use': 'RATE',
  'length-of-stay': 'MEDIAN_DAYS',
  'follow-up': 'SHARE',
  'alert-load': 'LOAD',
  'time-to-resolve': 'MEDIAN_MINUTES',
  'feed-timeliness': 'MEDIAN_MINUTES',
};

export interface SpotlightDeps {
  /** Connected as the app role. */
  db: Database;
  actor: Actor;
  now: Date;
}

export interface SpotlightQuestion extends Period {
  name: SpotlightName;
  calendar?: (typeof CALENDAR_PERIODS)[number] | undefined;
  groupId?: string | undefined;
  /** Only these people; null for all. */
  personIds: readonly string[] | null;
}

/** Returns the spotlight of a period. Errors: BAD_REQUEST, NOT_FOUND for a group for which the actor doesn't hold canViewSpotlights. */
export async function readSpotlight(
  { db, actor, now }: SpotlightDeps,
  question: SpotlightQuestion,
): Promise<Spotlight> {
  const { name } = question;
  const [period, previous] = [{ from: question.from, to: question.to }, before(question, question.calendar)];
  const today = localDateOf(now.getTime(), actor.timeZone);
  checkPeriod(period, today);
  const span = { from: previous.from, to: period.to };
  const found = await readCases(
    db,
    actor,
    { name, span, groupId: question.groupId, personIds: question.personIds },
    now,
  );
  const unit = UNITS[name];
  const counted = (cases: readonly Case[], of: Period): Counted => ({
    values: cases.map(({ value }) => value),
    people: listedIn(found, of),
    days: daysOf(of),
  });
  const within = (of: Period) => found.cases.filter(({ day }) => isIn(day, of));
  const cases = within(period);
  const [now_, then] = [counted(cases, period), counted(within(previous), previous)];
  const shown = (of: Period) => ({ ...of, isIncomplete: isIncomplete(name, of, today) });
  const months = monthsOf(period).map((month) => {
    const own = counted(within(month), month);
    return { ...shown(month), counted: own, figure: figureOf(unit, own) };
  });
  const open = unit === 'SHARE' ? now_.values.filter((value) => value === null).length : 0;
  return {
    name,
    unit,
    asOf: now.toISOString(),
    period: shown(period),
    figure: figureOf(unit, now_),
    previous: { ...shown(previous), figure: figureOf(unit, then) },
    comparison: isRate(unit) && !isKnown(previous, found.cases) ? 'TOO_FEW' : compare(unit, now_, then),
    months: hideSubtractable(unit, months).map(({ counted: _, ...month }) => month),
    facilities: await byFacility({ db, actor }, unit, cases, (own) => counted(own, period)),
    people: orFew(now_.people),
    open: orFew(open),
    endings: name === 'alert-load' ? endingsOf(cases) : null,
    share: found.all > found.listed.length ? found.listed.length / found.all : null,
  };
}

const orFew = (count: number): number | null => (mayBeShown(count) ? count : null);

/** Returns how the pings ended; null if one of the numbers, which the others give away, is too small to be shown. */
function endingsOf(cases: readonly Case[]): Spotlight['endings'] {
  const endings = { byPeople: 0, bySystem: 0, open: 0 };
  for (const { ending } of cases) if (ending) endings[ending] += 1;
  return Object.values(endings).every(mayBeShown) ? endings : null;
}

/** In days: where people come to hospitals at all, no longer time passes without a visit. */
const LONGEST_CALM = 31;

/** Whether visits are known from the beginning of the period: before the first feed, there seem to be none. */
const isKnown = ({ from }: Period, cases: readonly Case[]): boolean =>
  cases.some(({ day }) => day <= addDays(from, LONGEST_CALM));

/** Returns how many people the groups listed on some day of the period. */
const listedIn = ({ listed }: FoundCases, { from, to }: Period): number =>
  listed.filter((person) => person.from <= to && person.until >= from).length;

async function byFacility(
  { db, actor }: Pick<SpotlightDeps, 'db' | 'actor'>,
  unit: SpotlightUnit,
  cases: readonly Case[],
  counted: (cases: readonly Case[]) => Counted,
): Promise<Spotlight['facilities']> {
  const by = Map.groupBy(cases, ({ facilityId }) => facilityId);
  const names = await asActor(db, actor, 'canViewSpotlights', (tx) => facilitiesOf(tx, [...by.keys()]), {
    readOnly: true,
  });
  const rows = [...by].map(([id, own]) => ({
    id,
    name: names.get(id)?.name ?? '',
    counted: counted(own),
    figure: figureOf(unit, counted(own)),
  }));
  const listed = hideSubtractable(unit, rows);
  const isHidden = ({ figure }: (typeof rows)[number]) => figure.value === null;
  // The list alone would tell that each has one.
  if (listed.every(isHidden) && cases.length <= listed.length) return [];
  // Hidden ones by name: their place among the others would tell how many they have.
  return listed
    .toSorted(
      (a, b) =>
        Number(isHidden(a)) - Number(isHidden(b)) ||
        (isHidden(a) ? a.name.localeCompare(b.name) : b.counted.values.length - a.counted.values.length),
    )
    .map(({ id, name, figure }) => ({ id, name, figure }));
}

interface PeopleQuestion extends SpotlightQuestion {
  facilityId?: string | undefined;
  /** Only cases that count in the numerator of a SHARE. */
  onlyHits: boolean;
  pageNumber: number;
  pageSize: number;
}

/**
 * Returns the patients behind a number, the latest case first. Those of groups for which the actor doesn't hold canViewPatients are left out.
 * Errors: as `readSpotlight`.
 */
export async function peopleBehind({ db, actor, now }: SpotlightDeps, question: PeopleQuestion) {
  const { name, facilityId, onlyHits, pageNumber, pageSize, groupId, personIds, ...period } = question;
  checkPeriod(period, localDateOf(now.getTime(), actor.timeZone));
  const span = { from: period.from, to: period.to };
  const { cases }: FoundCases = await readCases(db, asViewer(actor), { name, span, groupId, personIds }, now);
  const wanted = cases
    .filter((each) => isIn(each.day, span) && (facilityId === undefined || each.facilityId === facilityId))
    .filter(({ value }) => value !== null && (UNITS[name] !== 'SHARE' || !onlyHits || value === 1))
    .toSorted((a, b) => b.day.localeCompare(a.day) || Number(b.encounterId) - Number(a.encounterId));
  const shown = wanted.slice((pageNumber - 1) * pageSize, pageNumber * pageSize);
  return {
    patients: await namesOf({ db, actor, now }, shown),
    total: wanted.length,
    numPages: Math.ceil(wanted.length / pageSize),
  };
}

/** The actor in those groups whose patients they may view: the number of others, too, is not told. */
const asViewer = (actor: Actor): Actor =>
  makeActor({
    ...actor,
    permissions: new Map([...actor.permissions].filter(([, flags]) => flags.has('canViewPatients'))),
  });

async function namesOf({ db, actor, now }: SpotlightDeps, cases: readonly Case[]): Promise<SpotlightPerson[]> {
  if (cases.length === 0) return [];
  const keys = cases.map(({ personId, encounterId }) => ({ personId, encounterId }));
  return asActor(
    db,
    actor,
    'canViewPatients',
    async (tx) => {
      const patients = await loadPatients(tx, keys, now);
      const facilities = await facilitiesOf(tx, [...new Set(cases.map(({ facilityId }) => facilityId))]);
      const by = new Map(patients.map((patient) => [patient.id.split('_')[1], patient]));
      return cases.flatMap(({ encounterId, facilityId, day, value }) => {
        const patient = by.get(encounterId);
        if (!patient || value === null) return [];
        const { id, firstName, lastName, dateOfBirth, listings } = patient;
        const withId = listings.filter(({ memberId }) => memberId);
        return [
          {
            patientId: id,
            firstName,
            lastName,
            dateOfBirth,
            // As lists show it: of a current listing if there is one.
            memberId: (withId.find(({ leftAt }) => !leftAt) ?? withId[0])?.memberId ?? null,
            facilityName: facilities.get(facilityId)?.name ?? '',
            day,
            value,
          },
        ];
      });
    },
    { readOnly: true, byKeys: true },
  );
}
