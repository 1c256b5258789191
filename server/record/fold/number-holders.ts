/**
 * The people whom the messages under one record number describe. Usually it is one. A number that was used again, or under which someone
 * else was registered by mistake, has several holders, and each visit belongs to the one whom its own messages describe.
 *
 * Visits are compared in the order in which they were written, those with a name and a birth date first, so the order of arrival doesn't
 * matter. Changed demographics within one visit are a correction.
 */
import {
  completedBy,
  contradicts,
  contradictsMerge,
  type Identity,
  isComplete,
} from '#server/record/scoring/contradiction.ts';
import { areRetracted } from './cancels.ts';
import type { Fact } from './fold-input.ts';
import { byTimeWritten, timeWritten } from './folded-demographics.ts';
import { groupIntoVisits, LEVELS, levelOf, mayBeginVisit } from './visit-grouping.ts';
import { isOfDocument, NEVER_A_VISIT, RECORD_MERGES } from './visit-triggers.ts';

export interface Holder {
  facts: Fact[];
  /** What the visits say about the holder. */
  identities: Set<Identity>;
  /** All of that in one, to compare visits that lack a field. */
  known: Identity;
  /** When the holder was first described. */
  writtenAt: string;
  /** The visit says too little to tell which of the others it belongs to. */
  isUncertain: boolean;
  /** None of the visits took place. */
  isRetracted: boolean;
}

/** Returns whom facts describe: for each field what was written last. */
export type Identify = (facts: readonly Fact[]) => Identity;

/**
 * Under a number with more identities than this, as of a sender's test patient, only equal ones are one person: comparing each with all
 * others would take too long.
 */
const CROWD = 100;

/** Returns the holders of one record number, the one who had it first at the beginning. `facts`: all facts under the number. */
export function holdersOf(facts: readonly Fact[], identify: Identify): Holder[] {
  const { units, others } = isOnePerson(facts, identify) ? { units: [], others: [] } : unitsOf(facts, identify);
  if (units.length === 0) return holdersWithoutVisits(facts, identify);
  const isCrowd = new Set(units.map(({ identity }) => identity)).size > CROWD;
  const mayBe = isCrowd ? isIdentical : agrees;
  const holders: Holder[] = [];
  for (const unit of units.sort(byCertaintyAndTime)) {
    const possible = holders.filter((holder) => mayBe(holder, unit.identity));
    const [only] = possible;
    if (only && possible.length === 1) join(only, unit);
    else holders.push(holderOf(unit, possible.length > 1 || (isCrowd && !isComplete(unit.identity))));
  }
  placeOthers(others, facts, { holders, mayBe, isOneVisit: units.length === 1 }, identify);
  return holders.sort(
    (a, b) =>
      Number(a.isUncertain) - Number(b.isUncertain) ||
      Number(a.isRetracted) - Number(b.isRetracted) ||
      (a.writtenAt < b.writtenAt ? -1 : 1),
  );
}

/**
 * Without a visit there is nothing to protect: changed demographics are a correction. But a document corrects no one, so one about somebody else than the
 * messages or the first document waits with a holder of its own.
 */
function holdersWithoutVisits(facts: readonly Fact[], identify: Identify): Holder[] {
  const [messages, documents] = [facts.filter((fact) => !isDocument(fact)), facts.filter(isDocument)];
  const describing = messages.length > 0 ? messages : documents.sort(byTimeWritten).slice(0, 1);
  const known = identify(describing);
  const others = new Set(documents.filter((fact) => contradicts(known, identify([fact]))));
  const own = facts.filter((fact) => !others.has(fact));
  const holder = holderOf(unitOf(own, identify), false);
  return others.size === 0 ? [holder] : [holder, holderOf(unitOf([...others], identify), true)];
}

const isDocument = ({ adt: { trigger } }: Fact): boolean => isOfDocument(trigger);

/** Almost always true, and quickly found. */
function isOnePerson(facts: readonly Fact[], identify: Identify): boolean {
  const distinct = [...new Set(facts.map((fact) => identify([fact])))];
  if (distinct.length > 5) return false;
  return !distinct.some((a, index) => distinct.slice(index + 1).some((b) => contradicts(a, b)));
}

/** The facts of one visit, as far as they have a key of the visit. */
interface Unit {
  facts: Fact[];
  identity: Identity;
  writtenAt: string;
  isRetracted: boolean;
}

const byCertaintyAndTime = (a: Unit, b: Unit): number =>
  Number(isComplete(b.identity)) - Number(isComplete(a.identity)) || (a.writtenAt < b.writtenAt ? -1 : 1);

function unitsOf(facts: readonly Fact[], identify: Identify): { units: Unit[]; others: Fact[] } {
  const units = groupIntoVisits(facts.filter((fact) => levelOf(fact) !== 'none')).map(({ facts: ofVisit }) => {
    const strongest = Math.min(...ofVisit.map((fact) => LEVELS.indexOf(levelOf(fact))));
    const core = ofVisit.filter((fact) => LEVELS.indexOf(levelOf(fact)) === strongest);
    const identity = identify(core);
    // Facts with a weaker key may be another patient's of the same day.
    const own = ofVisit.filter((fact) => core.includes(fact) || !contradicts(identify([fact]), identity));
    return { ...unitOf(core, identify), facts: own, isRetracted: areRetracted(own) };
  });
  const placed = new Set(units.flatMap((unit) => unit.facts.map(({ id }) => id)));
  return { units, others: facts.filter(({ id }) => !placed.has(id)) };
}

/** `writtenAt`: the first of the facts that agrees with what the facts say in the end. After a correction, that is the correction. */
function unitOf(facts: readonly Fact[], identify: Identify): Unit {
  const identity = identify(facts);
  const sorted = [...facts].sort(byTimeWritten);
  const first = sorted.find((fact) => !contradicts(identify([fact]), identity)) ?? sorted.at(-1);
  return {
    facts: [...facts],
    identity,
    writtenAt: first ? timeWritten(first) : '',
    isRetracted: areRetracted(facts),
  };
}

const holderOf = ({ facts, identity, writtenAt, isRetracted }: Unit, isUncertain: boolean): Holder => ({
  facts: [...facts],
  identities: new Set([identity]),
  known: identity,
  writtenAt,
  isUncertain,
  isRetracted,
});

function join(holder: Holder, { facts, identity, writtenAt, isRetracted }: Unit): void {
  holder.facts.push(...facts);
  holder.identities.add(identity);
  holder.known = completedBy(holder.known, identity);
  holder.isRetracted &&= isRetracted;
  if (writtenAt < holder.writtenAt) holder.writtenAt = writtenAt;
}

/** Whether the identity may be the holder's: it agrees with one of the visits, where a visit's missing fields are those of the others. */
const agrees = ({ identities, known, isUncertain }: Holder, identity: Identity): boolean =>
  !isUncertain && [...identities].some((own) => !contradicts(completedBy(own, known), identity));

const isIdentical = ({ identities, isUncertain }: Holder, identity: Identity): boolean =>
  !isUncertain && identities.has(identity);

interface Placing {
  holders: Holder[];
  mayBe: typeof agrees;
  isOneVisit: boolean;
}

/** Gives the facts without a key of a visit to the holder whom they describe. What describes no holder waits with one of its own. */
function placeOthers(others: readonly Fact[], all: readonly Fact[], placing: Placing, identify: Identify): void {
  const byVisit = others.length > 0 ? groupIntoVisits(all) : [];
  const rest: Fact[] = [];
  for (const fact of [...others].sort(byTimeWritten)) {
    const identity = identify([fact]);
    const possible = placing.holders.filter((holder) => placing.mayBe(holder, identity));
    const holder = oneOf(possible, fact, byVisit) ?? correctedBy(fact, identity, possible, placing);
    if (holder) holder.facts.push(fact);
    else if (possible.length === 0 && mayBeginVisit(fact)) {
      placing.holders.push(holderOf(unitOf([fact], identify), false));
    } else rest.push(fact);
  }
  if (rest.length > 0) placing.holders.push(holderOf(unitOf(rest, identify), true));
}

/** Returns the only holder whom a fact may describe; if there are several, the one whose visit it belongs to by its time. */
function oneOf(possible: readonly Holder[], fact: Fact, byVisit: readonly { facts: Fact[] }[]): Holder | undefined {
  if (possible.length < 2) return possible[0];
  if (RECORD_MERGES.has(fact.adt.trigger)) return possible[0];
  const visit = byVisit.find(({ facts }) => facts.some(({ id }) => id === fact.id));
  const ofVisit = possible.filter(({ facts }) => facts.some((own) => own !== fact && visit?.facts.includes(own)));
  return ofVisit.length === 1 ? ofVisit[0] : undefined;
}

/** Returns the holder if the number has a single visit and the fact corrects the demographics. Without a visit, another name is someone else. */
function correctedBy(
  { adt: { trigger } }: Fact,
  identity: Identity,
  possible: readonly Holder[],
  { holders, isOneVisit }: Placing,
): Holder | undefined {
  const [only] = holders;
  if (!only || !isOneVisit || possible.length > 0) return undefined;
  const isCorrection = trigger === 'A08' || (NEVER_A_VISIT.has(trigger) && !contradictsMerge(only.known, identity));
  return isCorrection ? only : undefined;
}
