import { EVENT_CODES, type EventCode } from '#contract/event-codes.ts';
import { DAY } from '#demo/world/clock.ts';
import type { VisitTruth } from '#demo/world/visit.ts';
import type { World } from '#demo/world/world.ts';

/** How much a world contains of what its tests ask for. */
interface WorldCounts {
  people: number;
  visits: number;
  /** Events that are still true at the end of the world, including CLOSED by the clock. */
  events: Record<EventCode, number>;
  /** A40, A42, A44 and A50. */
  merges: number;
  /** A11, A12, A13 and A52. */
  cancels: number;
  /** Inpatient stays that begin within 30 days of the discharge from another. */
  readmissions: number;
  nursingStays: number;
  /** Visits without a diagnosis. */
  missingDiagnoses: number;
  lateMessages: number;
  /** Messages about patients whose match must be reviewed by a person. */
  toReview: number;
  twins: number;
  /** Visits of a twin. */
  twinVisits: number;
  duplicates: number;
  reusedControlIds: number;
  openVisits: number;
}

function countReadmissions(visits: readonly VisitTruth[]): number {
  const stays = visits.filter((visit) =>
    visit.events.some((event) => event.code === 'ADMIT' && event.setting === 'INPATIENT'),
  );
  return stays.filter((stay) =>
    stays.some((earlier) => {
      if (
        earlier.person !== stay.person ||
        earlier === stay ||
        earlier.status !== 'DISCHARGED' ||
        !earlier.dischargedAt
      )
        return false;
      const gap = Date.parse(stay.admittedAt) - Date.parse(earlier.dischargedAt);
      return gap >= 0 && gap <= 30 * DAY;
    }),
  ).length;
}

function countEvents(world: World): Record<EventCode, number> {
  const counts = Object.fromEntries(EVENT_CODES.map((code) => [code, 0])) as Record<EventCode, number>;
  for (const visit of world.truth.visits) {
    for (const event of visit.events) counts[event.code]++;
    if (visit.closesAt && Date.parse(visit.closesAt) <= Date.parse(world.options.to)) counts.CLOSED++;
  }
  return counts;
}

/** Counts what a world contains. */
export function countWorld(world: World): WorldCounts {
  const { visits, identities } = world.truth;
  const first = world.messages.filter((message) => !message.isDuplicate);
  const withTrigger = (...triggers: string[]) => first.filter((message) => triggers.includes(message.trigger)).length;
  const inReview = new Set(
    identities.filter((known) => known.identity === 'review').map((known) => `${known.person} ${known.facility}`),
  );
  const twins = new Set(world.people.filter((person) => person.traits.includes('twin')).map((person) => person.id));
  const personOf = new Map(visits.map((visit) => [visit.visit, visit.person]));
  return {
    people: world.people.length,
    visits: visits.length,
    events: countEvents(world),
    merges: withTrigger('A40', 'A42', 'A44', 'A50'),
    cancels: withTrigger('A11', 'A12', 'A13', 'A52'),
    readmissions: countReadmissions(visits),
    nursingStays: visits.filter((visit) => visit.setting === 'SNF').length,
    missingDiagnoses: visits.filter((visit) => visit.diagnoses.length === 0).length,
    lateMessages: first.filter((message) => message.isLate).length,
    toReview: first.filter((message) => inReview.has(`${personOf.get(message.visit)} ${message.facility}`)).length,
    twins: twins.size,
    twinVisits: visits.filter((visit) => twins.has(visit.person)).length,
    duplicates: world.messages.length - first.length,
    reusedControlIds: first.length - new Set(first.map((message) => `${message.feed} ${message.controlId}`)).size,
    openVisits: visits.filter((visit) => visit.status === 'OPEN' || visit.status === 'ON_LEAVE').length,
  };
}
