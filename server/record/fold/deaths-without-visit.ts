/**
 * Deaths (PID-30) that a message reports outside any visit: no visit was open at its time and it names none, or only one that was canceled before. The death
 * becomes an event of the patient's last visit, or of a record of its own. At the other facilities of the feed that know the patient it is
 * an event only of a stay that was open.
 */
import { DAY } from '#contract/durations.ts';
import type { Moment } from '#server/intake/hl7/adt-facts.ts';
import { deathBeforeStays } from './death-before-stays.ts';
import { deathKey, deathStatement } from './death-statements.ts';
import { eventTime, isBefore } from './event-time.ts';
import type { Fact } from './fold-input.ts';
import { isDeletedAfter, isDeletion } from './folded-demographics.ts';
import type { FoldedVisit, VisitFold } from './folded-visit.ts';
import { canceledContents } from './outcomes.ts';
import { compareEntries, type TimelineEntry, timelineEntry, withoutRepeats } from './timeline.ts';
import { levelOf, mayBeginVisit, type VisitGroup } from './visit-grouping.ts';
import { identifiersOf, isWithoutVisit, usableNumber } from './visit-identifiers.ts';
import { isOpenStatus, isOutpatient } from './visit-state.ts';
import { isAboutIdentifiers, isCancel } from './visit-triggers.ts';

const YEAR = 365 * DAY;

/** The facts that report a patient's death, and the visit that the event belongs to; null for a record of its own. */
export interface ReportedDeath {
  recordNumber: string;
  visit: FoldedVisit | null;
  facts: Fact[];
}

/** `visits`: the patient's visits at the facility, folded. `facts`: all of the facility's in the dossier. */
export function deathsWithoutVisit(visits: readonly FoldedVisit[], facts: readonly Fact[]): ReportedDeath[] {
  const assigned = new Set(visits.flatMap(({ factIds }) => factIds));
  const inCanceled = new Set(visits.flatMap(({ state, factIds }) => (state.status === 'CANCELLED' ? factIds : [])));
  const canceled = canceledContents({ facts, visits });
  const reports = facts
    .filter((fact) => isReport(fact) && !fact.sentElsewhere)
    .flatMap((fact) => {
      if (!assigned.has(fact.id)) return [fact];
      if (!inCanceled.has(fact.id)) return [];
      // By its time alone, an update was put with a visit that didn't take place.
      if (levelOf(fact) === 'none' && !mayBeginVisit(fact)) return [fact];
      return canceled.has(fact.adt.contentHash) ? [] : [deathStatement(fact)];
    });
  if (reports.length === 0) return [];
  const { recordOf } = identifiersOf(withoutRepeats(facts));
  const deletions = Map.groupBy(facts.filter(isDeletion), ({ adt }) => recordOf(adt.patient.recordNumber));
  const counted = reports.filter(
    (fact) => !isDeletedAfter(fact, deletions.get(recordOf(fact.adt.patient.recordNumber)) ?? []),
  );
  const byRecord = Map.groupBy(counted, ({ adt }) => recordOf(adt.patient.recordNumber));
  const inOrder = [...byRecord].sort(([a], [b]) => (a < b ? -1 : 1));
  return inOrder.flatMap(([recordNumber, ofPatient]) => {
    const own = visits.filter((visit) => visit.recordNumber === recordNumber);
    const isKnown = own.some(({ events }) => events.some(({ code }) => code === 'DECEASED'));
    // A placeholder record number stands for many patients.
    if (isKnown || usableNumber(recordNumber) === null) return [];
    return [{ recordNumber, visit: lastVisit(own, firstOf(ofPatient)), facts: ofPatient }];
  });
}

/**
 * Returns the facts of a visit without reports of a death that were put with it by their time alone, a day or more after it ended. A transfer to
 * another facility or an update ended it, which isn't known before the visit is folded.
 */
export function withoutLaterDeaths({ facts }: VisitGroup, { state }: FoldedVisit): Fact[] {
  const end = state.status === 'FINISHED' ? Date.parse(state.dischargedAt?.instant ?? '') : Number.NaN;
  const isLater = (fact: Fact) =>
    isReport(fact) && isWithoutVisit(fact.adt) && levelOf(fact) === 'none' && orderedAt(fact) > end + DAY;
  return facts.filter((fact) => !isLater(fact));
}

const orderedAt = (fact: Fact): number => timelineEntry(fact, eventTime(fact) as Moment).orderedAt;

/**
 * Returns the stays that were open when another facility of the feed reported the patient's death, by their keys, with the reports.
 * `visits`: the visits at this facility, folded. `facts`: all that it has, with those sent elsewhere.
 */
export function deathsDuringStays(visits: readonly FoldedVisit[], facts: readonly Fact[]): Map<string, Fact[]> {
  const reports = facts.filter((fact) => fact.sentElsewhere && isReport(fact));
  const during = new Map<string, Fact[]>();
  if (reports.length === 0) return during;
  const { recordOf } = identifiersOf(withoutRepeats(facts));
  for (const report of reports) {
    const record = recordOf(report.adt.patient.recordNumber);
    const at = eventTime(report) as Moment;
    const open = visits.filter((visit) => visit.recordNumber === record && isOpenAt(visit, at)).sort(latestFirst)[0];
    if (open) during.set(open.key, [...(during.get(open.key) ?? []), report]);
  }
  return during;
}

/** Whether a stay had begun and not ended. */
function isOpenAt({ state, events }: FoldedVisit, at: Moment): boolean {
  const { status, admittedAt, dischargedAt } = state;
  const begun = admittedAt ?? events[0]?.at;
  if (!begun || isBefore(at, begun) || isOutpatient(state)) return false;
  if (isOpenStatus(status)) return true;
  return status === 'FINISHED' && dischargedAt !== null && !isBefore(dischargedAt, at);
}

const begunAt = ({ state, events }: FoldedVisit): string => (state.admittedAt ?? events[0]?.at)?.instant ?? '';
const latestFirst = (a: FoldedVisit, b: FoldedVisit): number =>
  begunAt(a) > begunAt(b) || (begunAt(a) === begunAt(b) && a.key < b.key) ? -1 : 1;

const isReport = (fact: Fact): boolean => {
  const { trigger, patient } = fact.adt;
  if (patient.deceased !== true || isAboutIdentifiers(trigger) || isCancel(trigger)) return false;
  return trigger !== 'CLOSE' && eventTime(fact) !== null;
};

const firstOf = (reports: readonly Fact[]): TimelineEntry =>
  reports.map((fact) => timelineEntry(fact, eventTime(fact) as Moment)).sort(compareEntries)[0] as TimelineEntry;

/** Returns the patient's last visit that had begun by the death and ended in the year before it; listings may not open an older one. */
function lastVisit(visits: readonly FoldedVisit[], { fact, at }: TimelineEntry): FoldedVisit | null {
  const states = visits.map(({ state }) => state);
  const died = deathBeforeStays(fact, states) ?? at;
  const candidates = visits.flatMap((visit) => {
    const { status, admittedAt, dischargedAt } = visit.state;
    const begun = admittedAt ?? dischargedAt ?? visit.events[0]?.at;
    const end = dischargedAt ?? begun;
    if (status === 'CANCELLED' || status === 'PLANNED' || !begun || !end) return [];
    const isOpen = status !== 'FINISHED';
    if (isBefore(died, begun) || (!isOpen && Date.parse(died.instant) - Date.parse(end.instant) > YEAR)) return [];
    return [{ visit, begun: Date.parse(begun.instant) }];
  });
  candidates.sort((a, b) => b.begun - a.begun || (a.visit.key < b.visit.key ? -1 : 1));
  return candidates[0]?.visit ?? null;
}

/** Returns the facts of a patient's death as a visit of their own. */
export const deathAsVisit = ({ recordNumber, facts }: ReportedDeath): VisitGroup => ({
  key: deathKey(recordNumber),
  recordNumber,
  visitNumbers: [],
  accountNumbers: [],
  facts,
});

/** There was no stay: it is over, and dated by the death. */
export function asDeathOnly<Fold extends VisitFold>(fold: Fold): Fold {
  const at = fold.events.find(({ code }) => code === 'DECEASED')?.at ?? null;
  return { ...fold, flags: [], state: { ...fold.state, status: 'FINISHED', admittedAt: null, dischargedAt: at } };
}
