/**
 * Series of outpatient visits under one number: the account of someone who comes for dialysis, wound care or therapy (PV1-2 R), or a registration (A04)
 * that is repeated on another day. It is one visit that keeps the date it began. Each further day is a contact, without an event: a team that was
 * notified of the first one would get a ping every week.
 */
import type { Moment } from '#server/intake/hl7/adt-facts.ts';
import { isBefore, isBelieved, isSameMinute } from './event-time.ts';
import type { Fact } from './fold-input.ts';
import { noNewEvent } from './outcomes.ts';
import type { TimelineEntry } from './timeline.ts';
import { clearEnd, type PreviousState, type VisitDraft } from './visit-draft.ts';
import { settingOf, type VisitState } from './visit-state.ts';

/** PV1-2 is R, a recurring patient (table 0004). */
const isRecurring = ({ adt }: Fact): boolean => adt.visit?.classCode?.toUpperCase() === 'R';

/** Whether the fact is about an outpatient as far as it says. Urgent care is no series: each visit is news. */
const isOfOutpatient = ({ facility }: VisitDraft, fact: Fact): boolean =>
  (settingOf(fact, facility) ?? 'OUTPATIENT') === 'OUTPATIENT';

/**
 * Counts the contact that an outpatient's arrival reports. Returns the outcome if it continues a series; null for the first contact, and for what repeats
 * or corrects one of the same day.
 */
export function noteContact(visit: VisitDraft, entry: TimelineEntry, previous: PreviousState): string | null {
  const { contacts, state, phase } = visit;
  if (phase !== 'none' && phase !== 'planned' && phase !== 'single') return null;
  if (!isOfOutpatient(visit, entry.fact)) return null;
  visit.isRecurring ||= isRecurring(entry.fact);
  const at = contactAt(entry, previous);
  const isKnown = contacts.some(({ localDate }) => localDate === at.localDate);
  const isFirst = contacts.length === 0;
  if (!isKnown) contacts.push(at);
  // An update may have said before when the account of a recurring patient was opened.
  const hasBegun = visit.isRecurring && phase === 'single' && previous.admittedAt !== null;
  if (isKnown || (isFirst && !hasBegun)) return null;
  state.admittedAt = previous.admittedAt;
  state.setting = 'OUTPATIENT';
  if (state.dischargedAt && isBefore(state.dischargedAt, at)) clearEnd(visit);
  return noNewEvent('another visit in a series');
}

/** The PV1-44 of a recurring patient may be that of the first contact: then only EVN-2 says when this one was. */
function contactAt({ at, fact }: TimelineEntry, { admittedAt }: PreviousState): Moment {
  if (!isRecurring(fact) || !isSameMinute(at, admittedAt) || isSameMinute(at, fact.adt.occurredAt)) return at;
  const written = fact.adt.recordedAt ?? fact.adt.sentAt;
  return written && isBelieved(fact, 'recorded') && isBelieved(fact, 'sent') ? written : at;
}

/** Whether the PV1-44 of a message about a series is that of a later contact: the series began before. */
export function isOfLaterContact(visit: VisitDraft, fact: Fact, admitted: Moment): boolean {
  const { admittedAt } = visit.state;
  return (
    admittedAt !== null && admittedAt.localDate < admitted.localDate && isSeries(visit) && isOfOutpatient(visit, fact)
  );
}

const isSeries = ({ contacts, isRecurring: recurs, phase }: VisitDraft): boolean =>
  phase === 'single' && (recurs || contacts.length > 1);

/** Returns the series for the state of a visit that is one. */
export function seriesOf(visit: VisitDraft): Pick<VisitState, 'series'> {
  const { contacts } = visit;
  const last = contacts.reduce<Moment | null>((latest, at) => (latest && !isBefore(latest, at) ? latest : at), null);
  if (last === null || !isSeries(visit)) return {};
  return { series: { contacts: contacts.length, lastAt: last } };
}
