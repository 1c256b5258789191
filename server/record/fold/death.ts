/**
 * Makes a patient's death one event. Some senders write PID-30 into a message for each of the patient's past visits, so several visits
 * may report the same death; it stays with the visit that fits best. The state of every visit still says that the patient has died.
 */
import { isDeathDisposition } from '#contract/dispositions.ts';
import { eventTime } from './event-time.ts';
import type { Fact } from './fold-input.ts';
import type { FoldedEvent, FoldedVisit } from './folded-visit.ts';
import { compareEntries, type TimelineEntry, timelineEntry } from './timeline.ts';

interface ReportedDeath {
  visit: FoldedVisit;
  fit: number;
  /** The first fact that reports it. */
  firstReport: TimelineEntry;
}

/** Returns the visits that repeat a death which belongs to another visit of the same patient. `facts`: all of the dossier. */
export function visitsRepeatingDeath(visits: readonly FoldedVisit[], facts: readonly Fact[]): ReadonlySet<FoldedVisit> {
  const reporting = visits.filter(({ events }) => events.some(({ code }) => code === 'DECEASED'));
  const repeating = new Set<FoldedVisit>();
  if (reporting.length < 2) return repeating;
  const factOf = new Map(facts.map((fact) => [fact.id, fact]));
  const deaths = reporting.flatMap((visit) => deathOf(visit, factOf) ?? []);
  for (const ofPatient of Map.groupBy(deaths, ({ visit }) => visit.recordNumber).values()) {
    for (const { visit } of ofPatient.sort(bestFirst).slice(1)) repeating.add(visit);
  }
  return repeating;
}

function deathOf(visit: FoldedVisit, factOf: ReadonlyMap<string, Fact>): ReportedDeath | null {
  const event = visit.events.findLast(({ code }) => code === 'DECEASED');
  const reports = event?.factIds.flatMap((id) => {
    const fact = factOf.get(id);
    const at = fact && eventTime(fact);
    return at ? [timelineEntry(fact, at)] : [];
  });
  const [firstReport] = reports?.sort(compareEntries) ?? [];
  return event && firstReport ? { visit, firstReport, fit: fitOf(event, visit) } : null;
}

const ENDS_IN_DEATH = 2;

/** Best: a stay that itself ends in death (by PV1-36, or entered by staff). Then a stay during which the patient died, then any other. */
function fitOf(event: FoldedEvent, { state }: FoldedVisit): number {
  if (event.isManual || isDeathDisposition(event.disposition)) return ENDS_IN_DEATH;
  const { admittedAt, dischargedAt } = state;
  const hadBegun = !admittedAt || admittedAt.localDate <= event.at.localDate;
  return hadBegun && (!dischargedAt || event.at.instant <= dischargedAt.instant) ? 1 : 0;
}

/** Of several stays that end in death, the last: a patient who was admitted again had not died. Otherwise the one that reported it first. */
const bestFirst = (a: ReportedDeath, b: ReportedDeath): number =>
  b.fit - a.fit ||
  (a.fit === ENDS_IN_DEATH
    ? compareEntries(b.firstReport, a.firstReport)
    : compareEntries(a.firstReport, b.firstReport));
