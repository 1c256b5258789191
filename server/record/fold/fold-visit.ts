/**
 * Stage two of the fold: the facts of one visit → its state and events. Orders the facts (`timeline.ts`), removes what cancels retract
 * (`cancels.ts`), and applies the rest one by one (`apply-fact.ts`).
 */

import type { EventCode } from '#contract/event-codes.ts';
import type { Moment } from '#server/intake/hl7/adt-facts.ts';
import { endByAdmission } from './admitted-under-another-number.ts';
import { withCanceledDischarge } from './after-canceled-discharge.ts';
import { applyFact } from './apply-fact.ts';
import { type Cancellations, matchCancels, repeatsOfPendingDischarge } from './cancels.ts';
import { withCorrectionsLast } from './corrected-discharges.ts';
import { isStatement } from './death-statements.ts';
import { dateDeath, isDatedByReport } from './death-time.ts';
import { repeatsOfCanceledDeath } from './deaths-taken-back.ts';
import { isBefore } from './event-time.ts';
import type { Fact, FoldFacility } from './fold-input.ts';
import type { VisitFlag, VisitFold } from './folded-visit.ts';
import { canceledOutcome, cancelOutcome, noNewEvent, withDeathCorrected } from './outcomes.ts';
import { seriesOf } from './series.ts';
import { type TimelineEntry, timelineOf, withoutRepeats } from './timeline.ts';
import { finishEvents, newVisitDraft, type Phase, type VisitDraft } from './visit-draft.ts';
import { datedKey, isOpenStatus, type VisitState, type VisitStatus } from './visit-state.ts';
import { isCancel, provesVisit, RETRACTIONS } from './visit-triggers.ts';

interface FoldVisitOptions {
  /** False: the patient's death is an event of another visit. */
  reportsDeath?: boolean;
  /** The end of the stay before, if the visit number was used again (`separate-stays.ts`). */
  earlierEnd?: Moment | null;
  /** When the patient was admitted under another number (`admitted-under-another-number.ts`). */
  nextAdmission?: Moment | null | undefined;
}

/** `facts`: all of the visit, in any order. */
export function foldVisit(facts: readonly Fact[], facility: FoldFacility, options: FoldVisitOptions = {}): VisitFold {
  const { visit, timeline, cancellations, remaining, isRetracted } = draftVisit(facts, facility, options);
  dateDeath(visit);
  const arrivedAt = arrivalBefore(visit);
  const { registeredAt } = visit;
  const isRegisteredBefore = registeredAt && visit.state.admittedAt && isBefore(registeredAt, visit.state.admittedAt);
  const datedByReceipt = eventsDatedByReceipt(visit, remaining);
  const status = isRetracted ? 'CANCELLED' : STATUS[visit.phase];
  const state: VisitState = {
    ...visit.state,
    // That of an outpatient visit that a stay went on from.
    ...(OPEN.has(status) && { dischargedAt: null }),
    ...(arrivedAt && { arrivedAt }),
    ...(isRegisteredBefore && { registeredAt }),
    ...seriesOf(visit),
    ...(datedByReceipt.length > 0 && { datedByReceipt }),
    ...(isDatedByReport(visit) && { isDeathDatedByReport: true }),
    ...(isInpatientUndated(visit) && { isInpatientUndated: true }),
    ...(isRetracted && visit.phase === 'planned' && { onlyPlanned: true }),
    status,
  };
  return {
    state,
    events: isRetracted ? [] : finishEvents(visit.events),
    flags: flagsOf(visit, cancellations, state),
    outcomes: outcomesOf(facts, visit, timeline, cancellations, isRetracted),
    deathsTakenBack: visit.deathsTakenBack,
  };
}

/** A visit to which all facts that hold were applied. */
interface DraftedVisit {
  visit: VisitDraft;
  timeline: TimelineEntry[];
  cancellations: Cancellations;
  /** What no cancel retracted. */
  remaining: TimelineEntry[];
  isRetracted: boolean;
}

export function draftVisit(
  facts: readonly Fact[],
  facility: FoldFacility,
  { reportsDeath = true, earlierEnd = null, nextAdmission = null }: FoldVisitOptions = {},
): DraftedVisit {
  const timeline = timelineOf(withoutRepeats(facts));
  const cancellations = matchCancels(timeline.filter(isCancelable));
  const reports = timeline.filter(({ fact }) => !isCancel(fact.adt.trigger));
  const remaining = reports.filter((entry) => !cancellations.canceledBy.has(entry));
  const isRetracted =
    (timeline.some(isRetraction) || isReturned(timeline, cancellations)) && !remaining.some(isProofOfVisit);

  const visit = newVisitDraft(facility, reportsDeath, cancellations.canceledEnds);
  visit.earlierEnd = earlierEnd;
  visit.nextAdmission = nextAdmission;
  const canceledExpectations = repeatsOfPendingDischarge(timeline, cancellations);
  for (const { fact } of repeatsOfCanceledDeath(timeline, cancellations))
    visit.deathsTakenBack.add(fact.adt.contentHash);
  // In a visit that didn't take place, it was put by its time alone, and is reported elsewhere (`deaths-without-visit.ts`).
  for (const { fact } of isRetracted ? [] : cancellations.canceledBy.keys())
    if (isStatement(fact.id)) visit.deathsTakenBack.add(fact.adt.contentHash);
  // A retracted visit keeps its details, so that people can see what was retracted.
  const holding = withCorrectionsLast(withCanceledDischarge(remaining, timeline, cancellations));
  for (const entry of isRetracted ? reports : holding) applyFact(visit, entry, canceledExpectations.has(entry));
  if (nextAdmission) endByAdmission(visit);
  admitBeforeDischarge(visit, timeline);
  return { visit, timeline, cancellations, remaining, isRetracted };
}

const STATUS: Record<Phase, VisitStatus> = {
  none: 'IN_PROGRESS',
  planned: 'PLANNED',
  single: 'FINISHED',
  open: 'IN_PROGRESS',
  'on-leave': 'ON_LEAVE',
  ended: 'FINISHED',
};

const OPEN = new Set<VisitStatus>(['PLANNED', 'IN_PROGRESS', 'ON_LEAVE']);

const isRetraction = ({ fact }: TimelineEntry): boolean => RETRACTIONS.has(fact.adt.trigger);
const isProofOfVisit = ({ fact }: TimelineEntry): boolean => !fact.elsewhere && provesVisit(fact.adt.trigger);

/** Cancels of this visit can't retract arrivals at another facility, but they can retract transfers to it. */
const isCancelable = ({ fact }: TimelineEntry): boolean =>
  !fact.elsewhere || fact.adt.trigger === 'A02' || fact.adt.trigger === 'A12';

/** Whether the transfer that brought the patient here from another facility was canceled. */
const isReturned = (timeline: readonly TimelineEntry[], { canceledBy }: Cancellations): boolean =>
  timeline.some(({ fact }) => fact.elsewhere) &&
  [...canceledBy.keys()].some(({ fact }) => !fact.elsewhere && fact.adt.trigger === 'A02');

/** Keeps the admission from being later than the discharge: another message may repeat a PV1-44 that was not credible. */
function admitBeforeDischarge({ state, start, flags }: VisitDraft, timeline: readonly TimelineEntry[]): void {
  if (!timeline.some(({ fact }) => fact.adt.disbelieved)) return;
  flags.add('TIME_NOT_BELIEVED');
  const { admittedAt, dischargedAt } = state;
  if (!admittedAt || !dischargedAt || !isBefore(dischargedAt, admittedAt)) return;
  state.admittedAt = start && !isBefore(dischargedAt, start.at) ? start.at : dischargedAt;
}

const isInpatientUndated = ({ state, events }: VisitDraft): boolean => {
  const beginnings = events.filter(({ code }) => BEGINNINGS.has(code));
  return (
    state.setting === 'INPATIENT' && beginnings.length > 0 && beginnings.every(({ setting }) => setting !== 'INPATIENT')
  );
};
const BEGINNINGS = new Set<EventCode>(['PRESENTED', 'ADMIT', 'TRANSFER']);

/** Returns the first arrival of the stay if it was before the admission. A visit as an outpatient is no part of the stay. */
function arrivalBefore({ arrivals, state }: VisitDraft): Moment | null {
  const first = arrivals.find(({ code }) => code !== 'VISIT');
  return first && state.admittedAt && isBefore(first.at, state.admittedAt) ? first.at : null;
}

/** Also those that took the time of what followed them (`timeline.ts`, "correctReceiptTimes"). */
function eventsDatedByReceipt({ events }: VisitDraft, timeline: readonly TimelineEntry[]): string[] {
  const dated = timeline.filter(({ fact, at }) => fact.adt.disbelieved && !ownTimes(fact).includes(at));
  const found = events.filter(({ at, factIds }) =>
    dated.some((entry) => entry.at === at && factIds.includes(entry.fact.id)),
  );
  return [...new Set(found.map(({ code, at }) => datedKey(code, at.instant)))].sort();
}

const ownTimes = ({ adt }: Fact): (Moment | null | undefined)[] => [
  adt.occurredAt,
  adt.recordedAt,
  adt.sentAt,
  adt.visit?.admittedAt,
  adt.visit?.dischargedAt,
];

function flagsOf(visit: VisitDraft, { targets }: Cancellations, { status, setting }: VisitState): VisitFlag[] {
  const { flags } = visit;
  if ([...targets].some(([{ fact }, canceled]) => !fact.elsewhere && canceled.length === 0))
    flags.add('CANCEL_WITHOUT_TARGET');
  const isStay = isOpenStatus(status) || visit.phase === 'ended';
  if (status !== 'CANCELLED' && isStay && !visit.start) flags.add('ADMISSION_UNKNOWN');
  if (status !== 'CANCELLED' && setting === 'UNKNOWN') flags.add('SETTING_UNKNOWN');
  return [...flags].sort();
}

function outcomesOf(
  facts: readonly Fact[],
  visit: VisitDraft,
  timeline: readonly TimelineEntry[],
  { canceledBy, targets }: Cancellations,
  isRetracted: boolean,
): Map<string, string> {
  const outcomes = new Map<string, string>();
  const isDead = visit.events.some(({ code }) => code === 'DECEASED');
  const asItIs = (outcome: string): string => (isDead ? outcome : withDeathCorrected(outcome));
  for (const entry of timeline) {
    const { id, adt, elsewhere } = entry.fact;
    if (elsewhere) continue;
    const cancel = canceledBy.get(entry);
    if (cancel) outcomes.set(id, canceledOutcome(cancel.fact.adt.trigger));
    else if (isCancel(adt.trigger)) outcomes.set(id, cancelOutcome(targets.get(entry)));
    else outcomes.set(id, isRetracted ? noNewEvent('the visit was canceled') : asItIs(visit.outcomes.get(id) ?? ''));
  }
  const dated = new Set(timeline.map(({ fact }) => fact.adt.contentHash));
  for (const { id, adt, elsewhere } of facts) {
    if (outcomes.has(id) || elsewhere) continue;
    outcomes.set(id, noNewEvent(dated.has(adt.contentHash) ? 'repeats another message' : 'no readable time'));
  }
  return outcomes;
}
