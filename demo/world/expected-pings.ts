import type { EventCode, Setting } from '#contract/event-codes.ts';
import { type Chapter, presentationIn } from './chapter.ts';
import { DAY, toMinute } from './clock.ts';
import { HANGING_AFTER, type TrueEvent, truthOf, type Visit, type VisitTruth } from './visit.ts';

/** One event as one group must be told it, once everything has arrived. */
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
   * Why the group lists the person: its roster, or its own encounters (from the first one until 90 days after the last discharge, judged at
   * the time of the event; who comes to be listed during a visit elsewhere brings the newest event of that visit).
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

/** What stands, and CLOSED where the clock has ended the visit by `now`. */
function eventsBy(visit: Visit, truth: VisitTruth, now: number): TrueEvent[] {
  if (truth.closesAt === null || Date.parse(truth.closesAt) > now) return truth.events;
  const at = toMinute(visit.initial.startedAt + HANGING_AFTER);
  return [...truth.events, { code: 'CLOSED', at, precision: 'minute', setting: 'EMERGENCY', step: -1 }];
}

/**
 * Whether a matcher may say who it is. A registration with another social security number stands on a person of its own until somebody
 * has decided, and so long everybody who is the same otherwise is one of two (domain.md §10: two candidates go to review).
 */
function isCertain(seed: string, chapter: Chapter, person: number, facility: string): boolean {
  if (presentationIn(seed, chapter, person, facility).identity === 'review') return false;
  const facilities = chapter.visits
    .filter(({ steps }) => steps.some(({ state }) => state.person === person))
    .map((visit) => visit.facility);
  return facilities.every((other) => presentationIn(seed, chapter, person, other).reviewReason !== 'other SSN');
}

/**
 * The pings of a household's visits: each event that stands × each group that lists the person, the facility itself excepted. Visits whose
 * person a matcher must leave to review bring none. `now`, in milliseconds: emergency visits that hang by then are closed.
 */
export function pingsOf(seed: string, chapter: Chapter, now: number): ExpectedPing[] {
  const certain = chapter.visits
    .map((visit) => ({ visit, truth: truthOf(visit) }))
    .filter(({ visit, truth }) => isCertain(seed, chapter, truth.person, visit.facility));
  const listings = facilityListings(certain);
  return certain.flatMap(({ visit, truth }) =>
    eventsBy(visit, truth, now).flatMap((event): ExpectedPing[] => {
      const instant = Date.parse(event.at);
      const byRoster = chapter.rows.filter((row) => row.person === truth.person).map((row) => row.group as string);
      const byFacility = listings
        .filter((listing) => listing.person === truth.person && listing.from <= instant && instant <= listing.until)
        .map((listing) => listing.group);
      const told = (group: string, via: ExpectedPing['via']): ExpectedPing => ({
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
      const beginnings = listings
        .filter((listing) => listing.person === truth.person && begins(listing, listings))
        .filter(({ from }) => instant <= from && isNewestOfOpenVisit(event, truth, from));
      const others = [...byFacility, ...beginnings.map(({ group }) => group)].filter(
        (group) => group !== visit.facility,
      );
      return [
        ...byRoster.map((group) => told(group, 'roster')),
        ...[...new Set(others)].map((group) => told(group, 'facility')),
      ];
    }),
  );
}

/** Whether the facility did not list the person just before. */
function begins(listing: Listing, all: readonly Listing[]): boolean {
  return !all.some(
    (other) =>
      other.group === listing.group &&
      other.person === listing.person &&
      other.from < listing.from &&
      listing.from <= other.until,
  );
}

/** Who comes to be listed during a visit elsewhere brings a ping for that visit: its newest event. */
function isNewestOfOpenVisit(event: TrueEvent, truth: VisitTruth, at: number): boolean {
  const end = truth.dischargedAt ?? truth.deceasedAt ?? truth.closesAt;
  const isOver = truth.status === 'COMPLETED' || (end !== null && Date.parse(end) <= at);
  const newest = truth.events.filter((each) => Date.parse(each.at) <= at).at(-1);
  return !isOver && newest === event;
}
