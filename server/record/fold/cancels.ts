/**
 * Which facts each cancel retracts (A11 cancels an admission, A13 a discharge …). A cancel retracts the latest target that is not
 * retracted yet and that its sender wrote before it. Its time of arrival doesn't count, so a cancel may arrive before its target.
 */
import { HANGING_AFTER, minuteOf, reportedEnd } from './event-time.ts';
import type { Fact } from './fold-input.ts';
import { byTimeWritten } from './folded-demographics.ts';
import { isWrittenBefore, precedence, type TimelineEntry, timelineOf, withoutRepeats } from './timeline.ts';
import {
  CANCELS,
  type CancelRule,
  DELETES,
  isCancel,
  isOurs,
  isSnapshot,
  PLANS,
  provesVisit,
  RETRACT,
  RETRACTIONS,
  STARTS,
} from './visit-triggers.ts';

export type CanceledEnd = 'retracted' | 'repeated';

export interface Cancellations {
  /** Retracted entry → the cancel that retracted it. */
  canceledBy: Map<TimelineEntry, TimelineEntry>;
  /** Cancel → the entries it retracted: empty while its target hasn't arrived, absent if it repeats another cancel. */
  targets: Map<TimelineEntry, TimelineEntry[]>;
  /** Updates (A08, A31) whose discharge an A13 retracted, or that repeat a retracted one later. What else they say holds. */
  canceledEnds: Map<TimelineEntry, CanceledEnd>;
}

/** Returns the cancellations among the facts of one visit. `timeline` must be in the order of `timelineOf`. */
export function matchCancels(timeline: readonly TimelineEntry[]): Cancellations {
  const cancellations: Cancellations = { canceledBy: new Map(), targets: new Map(), canceledEnds: new Map() };
  retractEntries(timeline, cancellations);
  const seen = new Set<string>();
  const cancels = timeline.filter(({ fact: { adt } }) => adt.trigger in CANCELS);
  for (const cancel of cancels) {
    const key = repeatKey(cancel);
    const rule = CANCELS[cancel.fact.adt.trigger];
    if (!rule || (key && seen.has(key))) continue;
    if (key) seen.add(key);
    const targets = targetsOf(cancel, rule, timeline, cancellations);
    for (const target of targets) cancellations.canceledBy.set(target, cancel);
    const ends = cancel.fact.adt.trigger === 'A13' ? cancelEnds(cancel, targets, timeline, cancellations) : [];
    cancellations.targets.set(cancel, [...targets, ...ends]);
  }
  for (const entry of timeline.filter(deletesEnd)) takeBackEnds(entry, timeline, cancellations);
  retractVisit(timeline, cancellations);
  return cancellations;
}

/**
 * Retracts the manual entries that others name. They are named one by one, so no order or time counts. Of two users who changed the same entry at
 * the same time, the later one's change stays.
 */
function retractEntries(timeline: readonly TimelineEntry[], { canceledBy, targets }: Cancellations): void {
  const retracting = timeline.filter(({ fact }) => fact.adt.retracts);
  const replacedBy = new Map<string, TimelineEntry>();
  for (const by of retracting.sort((a, b) => byTimeWritten(a.fact, b.fact))) {
    const named = new Set(by.fact.adt.retracts);
    const retracted = timeline.filter(
      (entry) => entry !== by && isOurs(entry.fact.adt.trigger) && named.has(entry.fact.adt.controlId),
    );
    for (const controlId of named) {
      const earlier = replacedBy.get(controlId);
      if (earlier && earlier.fact.manualCode) retracted.push(earlier);
      replacedBy.set(controlId, by);
    }
    for (const entry of retracted) canceledBy.set(entry, by);
    if (by.fact.adt.trigger === RETRACT) targets.set(by, retracted);
  }
}

/**
 * A cancel that is sent again must not retract a second target. The same EVN-2 means that it is the same cancel; if EVN-2 has only
 * minutes, the patient class must match too.
 */
function repeatKey({ fact: { adt } }: TimelineEntry): string | null {
  const { trigger, recordedAt, occurredAt, visit } = adt;
  if (!recordedAt || recordedAt.precision === 'day') return null;
  const setting = recordedAt.precision === 'minute' ? visit?.setting : '';
  return [trigger, recordedAt.instant, occurredAt?.instant, setting].join();
}

function targetsOf(
  cancel: TimelineEntry,
  rule: CancelRule,
  timeline: readonly TimelineEntry[],
  { canceledBy }: Cancellations,
): TimelineEntry[] {
  for (const triggers of [rule.targets, rule.fallback ?? []]) {
    const candidates = timeline.filter((entry) => triggers.includes(entry.fact.adt.trigger) && !canceledBy.has(entry));
    const target = latestTarget(cancel, candidates);
    if (target) return [target, ...repeatsOf(target, cancel, rule, timeline, candidates)];
  }
  return [];
}

/** The EVN-6 of a cancel is the time of the event that it cancels, so a target that matches it to the minute is preferred. */
function latestTarget(cancel: TimelineEntry, candidates: readonly TimelineEntry[]): TimelineEntry | undefined {
  const canceledTime = cancel.fact.adt.occurredAt;
  for (const grades of [['time', 'control'], ['disputed'], ['tied']]) {
    const earlier = candidates.filter((entry) => grades.includes(precedence(entry, cancel) ?? 'after'));
    const named = canceledTime && earlier.findLast((entry) => minuteOf(entry.at) === minuteOf(canceledTime));
    const target = named ?? earlier.at(-1);
    if (target) return target;
  }
  return undefined;
}

function repeatsOf(
  target: TimelineEntry,
  cancel: TimelineEntry,
  rule: CancelRule,
  timeline: readonly TimelineEntry[],
  candidates: readonly TimelineEntry[],
): TimelineEntry[] {
  const isEarlier = (entry: TimelineEntry) => entry !== target && precedence(entry, cancel) === 'time';
  const repeats = new Set(candidates.filter((entry) => isEarlier(entry) && isSame(entry, target)));
  if (rule.backTo) {
    for (let i = timeline.indexOf(target) - 1; i >= 0; i--) {
      const entry = timeline[i];
      if (!entry || rule.backTo.includes(entry.fact.adt.trigger)) break;
      if (candidates.includes(entry) && isEarlier(entry) && isSameKind(entry, target)) repeats.add(entry);
    }
  }
  return [...repeats];
}

/**
 * The registration in the ED (A04, class E) and the admission (A01, class I) of one visit are not repeats of each other, nor are visits under one number: an
 * outpatient's of several days, and two to the ED (`series.ts`, `separate-stays.ts`).
 */
function isSameKind(a: TimelineEntry, b: TimelineEntry): boolean {
  if (!STARTS.has(a.fact.adt.trigger)) return true;
  const setting = a.fact.adt.visit?.setting;
  if (setting !== b.fact.adt.visit?.setting) return false;
  if (setting === 'OUTPATIENT') return a.at.localDate === b.at.localDate;
  return setting !== 'EMERGENCY' || Math.abs(Date.parse(a.at.instant) - Date.parse(b.at.instant)) <= HANGING_AFTER;
}

function isSame(a: TimelineEntry, b: TimelineEntry): boolean {
  const [x, y] = [a.fact.adt, b.fact.adt];
  return (
    x.trigger === y.trigger &&
    minuteOf(a.at) === minuteOf(b.at) &&
    x.visit?.setting === y.visit?.setting &&
    x.visit?.disposition === y.visit?.disposition &&
    x.visit?.location?.pointOfCare === y.visit?.location?.pointOfCare
  );
}

/**
 * Retracts the discharges that updates of the same stay report: those written before the A13, which are returned, and later ones with a
 * PV1-45 that was retracted, because some senders keep it.
 */
function cancelEnds(
  cancel: TimelineEntry,
  discharges: readonly TimelineEntry[],
  timeline: readonly TimelineEntry[],
  { canceledEnds }: Cancellations,
): TimelineEntry[] {
  const reports = reportedEnds(cancel, timeline);
  const earlier = reports.filter(({ isEarlier }) => isEarlier);
  const retracted = new Set([...discharges.map((entry) => minuteOf(entry.at)), ...earlier.map(({ minute }) => minute)]);
  for (const { entry, minute, isEarlier } of reports) {
    if (isEarlier) canceledEnds.set(entry, 'retracted');
    else if (retracted.has(minute) && !canceledEnds.has(entry)) canceledEnds.set(entry, 'repeated');
  }
  return earlier.map(({ entry }) => entry);
}

/** Returns the discharges that updates of the same stay report. */
function reportedEnds(cancel: TimelineEntry, timeline: readonly TimelineEntry[]) {
  const at = timeline.indexOf(cancel);
  const isStart = ({ fact }: TimelineEntry) => STARTS.has(fact.adt.trigger);
  const from = timeline.findLastIndex((entry, index) => index < at && isStart(entry));
  const next = timeline.findIndex((entry, index) => index > at && isStart(entry));
  return timeline.slice(from + 1, next < 0 ? undefined : next).flatMap((entry) => {
    const end = entry === cancel ? null : reportedEnd(entry.fact);
    return end ? [{ entry, minute: minuteOf(end), isEarlier: precedence(entry, cancel) !== null }] : [];
  });
}

/** Whether an update deletes the time of discharge: PV1-45 is `""` (HL7 v2.5.1 2.5.3). */
const deletesEnd = ({ fact: { adt } }: TimelineEntry): boolean =>
  isSnapshot(adt.trigger) && adt.visit?.dischargedAt === null;

/** Such an update takes back what updates before it reported. A discharge by an A03 is canceled by an A13 only (3.3.13). */
function takeBackEnds(entry: TimelineEntry, timeline: readonly TimelineEntry[], { canceledEnds }: Cancellations): void {
  for (const report of reportedEnds(entry, timeline)) if (report.isEarlier) canceledEnds.set(report.entry, 'retracted');
}

/**
 * A deletion (A23, A29) retracts everything written before it. So does an A11 after which no admission is left: the messages until
 * then were about a visit that didn't take place. Only the visit's plan (A05, A14) survives an A11.
 */
function retractVisit(timeline: readonly TimelineEntry[], { canceledBy, targets }: Cancellations): void {
  const retractions = timeline.filter(({ fact: { adt } }) => DELETES.has(adt.trigger) || adt.trigger === 'A11');
  for (const cancel of retractions) {
    const isDelete = DELETES.has(cancel.fact.adt.trigger);
    const earlier = timeline.filter(
      (entry) => !canceledBy.has(entry) && !isCancel(entry.fact.adt.trigger) && isWrittenBefore(entry, cancel),
    );
    if (!isDelete && earlier.some(beginsVisit)) continue;
    const retracted = isDelete ? earlier : earlier.filter((entry) => !PLANS.has(entry.fact.adt.trigger));
    for (const entry of retracted) canceledBy.set(entry, cancel);
    if (isDelete) targets.set(cancel, retracted);
  }
}

/** Whether cancels leave nothing of a visit's facts that took place or is planned. */
export function areRetracted(facts: readonly Fact[]): boolean {
  if (!facts.some(({ adt }) => RETRACTIONS.has(adt.trigger))) return false;
  const timeline = timelineOf(withoutRepeats(facts));
  const { canceledBy } = matchCancels(timeline);
  return !timeline.some((entry) => provesVisit(entry.fact.adt.trigger) && !canceledBy.has(entry));
}

const beginsVisit = ({ fact: { adt, manualCode } }: TimelineEntry): boolean =>
  STARTS.has(adt.trigger) || manualCode !== undefined;

/**
 * Returns the entries between a pending discharge (A16) and its cancel (A25) that only repeat the expected discharge. Senders copy
 * PV2-9 into every message, so it is retracted from those entries as well.
 */
export function repeatsOfPendingDischarge(
  timeline: readonly TimelineEntry[],
  { targets }: Cancellations,
): ReadonlySet<TimelineEntry> {
  const repeats = new Set<TimelineEntry>();
  for (const [cancel, canceled] of targets)
    for (const target of canceled) {
      const expected = target.fact.adt.trigger === 'A16' ? expectedOf(target) : undefined;
      if (expected === undefined) continue;
      for (const entry of timeline)
        if (expectedOf(entry) === expected && isWrittenBefore(target, entry) && isWrittenBefore(entry, cancel))
          repeats.add(entry);
    }
  return repeats;
}

const expectedOf = ({ fact }: TimelineEntry): string | undefined => fact.adt.visit?.expectedDischargeAt?.instant;
