import type { EventCode, Setting } from '#contract/event-codes.ts';
import { type Chapter, registrationIn } from './chapter.ts';
import { DAY, toMinute } from './clock.ts';
import { TREATMENT_FACILITY } from './treatment.ts';
import { HANGING_AFTER, type TrueEvent, truthOf, type Visit, type VisitTruth } from './visit.ts';

/** One event as sent to one group: what the product must have sent once every message has arrived. */
export interface ExpectedPing {
  visit: string;
  facility: string;
  person: number;
  group: string;
  code: EventCode;
  /** As in `TrueEvent`. */
  at: string;
  precision: 'minute' | 'day';
  setting: Setting;
  /**
   * Why the group lists the person at the time of the event: its roster, or its own encounters (from the first one until 90 days after the
   * last discharge). If the listing begins during a visit elsewhere, the group gets that visit's newest event.
   */
  via: 'roster' | 'facility';
}

const LISTED_AFTER_DISCHARGE = 90 * DAY;

interface Listing {
  group: string;
  person: number;
  from: number;
  until: number;
}

function facilityListings(visits: readonly { visit: Visit; truth: VisitTruth }[]): Listing[] {
  return visits
    .filter(({ truth }) => truth.status !== 'CANCELLED')
    .map(({ visit, truth }) => {
      const isOpen = (truth.status === 'OPEN' || truth.status === 'ON_LEAVE') && truth.closesAt === null;
      const end = truth.dischargedAt ?? truth.deceasedAt ?? truth.closesAt ?? truth.startedAt;
      const until = isOpen ? Number.POSITIVE_INFINITY : Date.parse(end) + LISTED_AFTER_DISCHARGE;
      return { group: visit.facility, person: truth.person, from: visit.initial.startedAt, until };
    });
}

/** Returns the visit's true events, with CLOSED if the clock has ended the visit by `now`. */
function eventsBy(visit: Visit, truth: VisitTruth, now: number): TrueEvent[] {
  if (truth.closesAt === null || Date.parse(truth.closesAt) > now) return truth.events;
  const at = toMinute(visit.initial.startedAt + HANGING_AFTER);
  return [...truth.events, { code: 'CLOSED', at, precision: 'minute', setting: 'EMERGENCY', step: -1 }];
}

/** Whether a matcher can link the facility's patient without a review. */
const isCertain = (seed: string, chapter: Chapter, person: number, facility: string): boolean =>
  registrationIn(seed, chapter, person, facility).identity !== 'review';

/**
 * Returns the pings of a household's visits: each true event for each group that lists the person, except the facility itself. Visits
 * whose person waits for review have none, and neither have those at the Part 2 facility: no patient of a world has consented. Emergency visits that were left open for 48 hours by `now` (milliseconds) are closed.
 */
export function pingsOf(seed: string, chapter: Chapter, now: number): ExpectedPing[] {
  const certain = chapter.visits
    .map((visit) => ({ visit, truth: truthOf(visit) }))
    .filter(({ visit, truth }) => isCertain(seed, chapter, truth.person, visit.facility));
  const listings = facilityListings(certain);
  const disclosed = certain.filter(({ visit }) => visit.facility !== TREATMENT_FACILITY);
  return disclosed.flatMap(({ visit, truth }) =>
    eventsBy(visit, truth, now).flatMap((event): ExpectedPing[] => {
      const instant = Date.parse(event.at);
      const byRoster = chapter.rows.filter((row) => row.person === truth.person).map((row) => row.group as string);
      const byFacility = listings
        .filter((listing) => listing.person === truth.person && listing.from <= instant && instant <= listing.until)
        .map((listing) => listing.group);
      const pingFor = (group: string, via: ExpectedPing['via']): ExpectedPing => ({
        visit: visit.id,
        facility: visit.facility,
        person: truth.person,
        group,
        code: event.code,
        at: event.at,
        precision: event.precision,
        setting: event.setting,
        via,
      });
      const newListings = listings
        .filter((listing) => listing.person === truth.person && isNewlyListed(listing, listings))
        .filter(({ from }) => instant <= from && isNewestOfOpenVisit(event, truth, from));
      const others = [...byFacility, ...newListings.map(({ group }) => group)].filter(
        (group) => group !== visit.facility,
      );
      return [
        ...byRoster.map((group) => pingFor(group, 'roster')),
        ...[...new Set(others)].map((group) => pingFor(group, 'facility')),
      ];
    }),
  );
}

/** Whether the facility did not list the person just before. */
function isNewlyListed(listing: Listing, all: readonly Listing[]): boolean {
  return !all.some(
    (other) =>
      other.group === listing.group &&
      other.person === listing.person &&
      other.from < listing.from &&
      listing.from <= other.until,
  );
}

/** Whether the event is the newest of a visit that is open at `at`: the one that a new listing is sent. */
function isNewestOfOpenVisit(event: TrueEvent, truth: VisitTruth, at: number): boolean {
  const end = truth.dischargedAt ?? truth.deceasedAt ?? truth.closesAt;
  const isOver = truth.status === 'COMPLETED' || (end !== null && Date.parse(end) <= at);
  const newest = truth.events.filter((each) => Date.parse(each.at) <= at).at(-1);
  return !isOver && newest === event;
}
