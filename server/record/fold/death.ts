/**
 * A person dies once: a sender that writes PID-30 into a message for each past visit of the patient says it once a visit, and it is told
 * once, of the visit that it fits best. Every visit's state says that the patient has died.
 */
import { eventTime } from './event-time.ts';
import type { FoldedVisit } from './fold.ts';
import type { Fact } from './fold-input.ts';
import { compareDated, type Dated, dateFact } from './timeline.ts';
import { DIED } from './visit-state.ts';
import type { FoldedEvent } from './visit-walk.ts';

interface Death {
  visit: FoldedVisit;
  fit: number;
  /** The first fact that says so. */
  said: Dated;
}

/** Of the patients' visits that tell a death all but the one that does so best. `facts`: all of the dossier. */
export function deathsToldElsewhere(visits: readonly FoldedVisit[], facts: readonly Fact[]): ReadonlySet<FoldedVisit> {
  const telling = visits.filter(({ events }) => events.some(({ code }) => code === 'DECEASED'));
  const elsewhere = new Set<FoldedVisit>();
  if (telling.length < 2) return elsewhere;
  const factOf = new Map(facts.map((fact) => [fact.id, fact]));
  const deaths = telling.flatMap((visit) => deathOf(visit, factOf) ?? []);
  for (const ofPatient of Map.groupBy(deaths, ({ visit }) => visit.recordNumber).values()) {
    for (const { visit } of ofPatient.sort(bestFirst).slice(1)) elsewhere.add(visit);
  }
  return elsewhere;
}

function deathOf(visit: FoldedVisit, factOf: ReadonlyMap<string, Fact>): Death | null {
  const event = visit.events.findLast(({ code }) => code === 'DECEASED');
  const dated = event?.factIds.flatMap((id) => {
    const fact = factOf.get(id);
    const at = fact && eventTime(fact);
    return at ? [dateFact(fact, at)] : [];
  });
  const [said] = dated?.sort(compareDated) ?? [];
  return event && said ? { visit, said, fit: fitOf(event, visit) } : null;
}

const ENDS_IN_DEATH = 2;

/** A stay that ends in death by its own word (PV1-36, or by hand); one during which the patient died; any other. */
function fitOf(event: FoldedEvent, { state }: FoldedVisit): number {
  if (event.isManual || DIED.has(event.disposition ?? '')) return ENDS_IN_DEATH;
  const { admittedAt, dischargedAt } = state;
  const hadBegun = !admittedAt || admittedAt.localDate <= event.at.localDate;
  return hadBegun && (!dischargedAt || event.at.instant <= dischargedAt.instant) ? 1 : 0;
}

/** Of several stays that end in death the last one: who was admitted again had not died. Of others the one that said it first. */
const bestFirst = (a: Death, b: Death): number =>
  b.fit - a.fit || (a.fit === ENDS_IN_DEATH ? compareDated(b.said, a.said) : compareDated(a.said, b.said));
