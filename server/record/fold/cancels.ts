/**
 * Which facts are struck by which cancel. A cancel strikes the latest target that is not yet struck and that its sender
 * wrote down before it; when it came does not count, so a cancel may wait for its target.
 */
import { minuteOf } from './event-time.ts';
import { type Dated, precedence } from './timeline.ts';
import { CANCELS, type CancelRule, DELETES, isCancel, PLANS, STARTS } from './visit-triggers.ts';

export interface Strikes {
  /** Struck fact → the cancel that struck it. */
  struckBy: Map<Dated, Dated>;
  /** Cancel → what it found to strike: empty while its target has not come, absent where it repeats another cancel. */
  found: Map<Dated, Dated[]>;
}

/** Strikes among the facts of one visit, which are given in the order of `timelineOf`. */
export function pairCancels(timeline: readonly Dated[]): Strikes {
  const strikes: Strikes = { struckBy: new Map(), found: new Map() };
  const seen = new Set<string>();
  const cancels = timeline.filter(({ fact: { adt } }) => adt.trigger in CANCELS);
  for (const cancel of cancels) {
    const again = repeatKey(cancel);
    const rule = CANCELS[cancel.fact.adt.trigger];
    if (!rule || (again && seen.has(again))) continue;
    if (again) seen.add(again);
    const struck = targetsOf(cancel, rule, timeline, strikes);
    for (const target of struck) strikes.struckBy.set(target, cancel);
    strikes.found.set(cancel, struck);
  }
  voidVisit(timeline, strikes);
  return strikes;
}

/** A cancel that was sent again (same EVN-2; where that tells minutes only, of the same class too) must not strike twice. */
function repeatKey({ fact: { adt } }: Dated): string | null {
  const { trigger, recordedAt, occurredAt, visit } = adt;
  if (!recordedAt || recordedAt.precision === 'day') return null;
  const setting = recordedAt.precision === 'minute' ? visit?.setting : '';
  return [trigger, recordedAt.instant, occurredAt?.instant, setting].join();
}

function targetsOf(cancel: Dated, rule: CancelRule, timeline: readonly Dated[], { struckBy }: Strikes): Dated[] {
  for (const triggers of [rule.targets, rule.fallback ?? []]) {
    const open = timeline.filter((d) => triggers.includes(d.fact.adt.trigger) && !struckBy.has(d));
    const target = latestTarget(cancel, open);
    if (target) return [target, ...repeatsOf(target, cancel, rule, timeline, open)];
  }
  return [];
}

/** EVN-6 of a cancel is the time of the event that it cancels: a target that agrees to the minute comes first. */
function latestTarget(cancel: Dated, open: readonly Dated[]): Dated | undefined {
  const meant = cancel.fact.adt.occurredAt;
  for (const grades of [['time', 'control'], ['disputed'], ['tied']]) {
    const earlier = open.filter((d) => grades.includes(precedence(d, cancel) ?? 'after'));
    const named = meant && earlier.findLast((d) => minuteOf(d.at) === minuteOf(meant));
    const target = named ?? earlier.at(-1);
    if (target) return target;
  }
  return undefined;
}

function repeatsOf(
  target: Dated,
  cancel: Dated,
  rule: CancelRule,
  timeline: readonly Dated[],
  open: readonly Dated[],
): Dated[] {
  const before = (d: Dated) => d !== target && precedence(d, cancel) === 'time';
  const repeats = new Set(open.filter((d) => before(d) && isSame(d, target)));
  if (rule.backTo) {
    for (let i = timeline.indexOf(target) - 1; i >= 0; i--) {
      const d = timeline[i];
      if (!d || rule.backTo.includes(d.fact.adt.trigger)) break;
      if (open.includes(d) && before(d) && isSameKind(d, target)) repeats.add(d);
    }
  }
  return [...repeats];
}

/** The registration in the ED (A04, class E) and the admission (A01, class I) of one visit are not repeats of each other. */
function isSameKind(a: Dated, b: Dated): boolean {
  if (!STARTS.has(a.fact.adt.trigger)) return true;
  return a.fact.adt.visit?.setting === b.fact.adt.visit?.setting;
}

/** Domain rules 9.4: same kind, minute, class, disposition (and place). */
function isSame(a: Dated, b: Dated): boolean {
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
 * A deletion (A23, A29) strikes what was written before it. So does an A11 that leaves no admission standing: what was
 * told of the visit until then was told of a visit that did not take place. Only its plan (A05, A14) stays.
 */
function voidVisit(timeline: readonly Dated[], { struckBy, found }: Strikes): void {
  const voids = timeline.filter(({ fact: { adt } }) => DELETES.has(adt.trigger) || adt.trigger === 'A11');
  for (const cancel of voids) {
    const isDelete = DELETES.has(cancel.fact.adt.trigger);
    const before = timeline.filter((d) => !struckBy.has(d) && !isCancel(d.fact.adt.trigger) && isBefore(d, cancel));
    if (!isDelete && before.some(begins)) continue;
    const struck = isDelete ? before : before.filter((d) => !PLANS.has(d.fact.adt.trigger));
    for (const d of struck) struckBy.set(d, cancel);
    if (isDelete) found.set(cancel, struck);
  }
}

const begins = ({ fact: { adt, manualCode } }: Dated): boolean => STARTS.has(adt.trigger) || manualCode !== undefined;

const isBefore = (d: Dated, cancel: Dated): boolean => {
  const order = precedence(d, cancel);
  return order === 'time' || order === 'control';
};

/**
 * Facts that, between a pending discharge (A16) and its cancel (A25), only repeat when it was expected: senders write it into every
 * message, and it is taken back with the discharge.
 */
export function echoesOfPending(timeline: readonly Dated[], { found }: Strikes): ReadonlySet<Dated> {
  const echoes = new Set<Dated>();
  for (const [cancel, targets] of found)
    for (const target of targets) {
      const expected = target.fact.adt.trigger === 'A16' ? expectedOf(target) : undefined;
      if (expected === undefined) continue;
      for (const d of timeline)
        if (expectedOf(d) === expected && isBefore(target, d) && isBefore(d, cancel)) echoes.add(d);
    }
  return echoes;
}

const expectedOf = ({ fact }: Dated): string | undefined => fact.adt.visit?.expectedDischargeAt?.instant;
