/**
 * Stage one of the fold: groups facts into visits. Within one patient (surviving record number) the strongest key decides: visit
 * number, account number, alternate visit id, day of admission. A weaker key never overrides a stronger one, so an account with two
 * visit numbers stays two visits. A fact that lacks the stronger key joins the visit with the same weaker key, the nearest in time if
 * there are several. A visit may continue on another day (`continued-visits.ts`). Only a merge or move ever brings facts of two patients together.
 */
import { DAY, HOUR } from '#contract/durations.ts';
import type { Moment } from '#server/intake/hl7/adt-facts.ts';
import { joinContinued } from './continued-visits.ts';
import { eventTime } from './event-time.ts';
import type { Fact } from './fold-input.ts';
import { byId, timelineEntry, withoutRepeats } from './timeline.ts';
import { type Cluster, endsVisit, type Keyed, type Level, latestFirst, type Span, spanOf } from './visit-clusters.ts';
import { type Identifiers, identifiersOf, isWithoutVisit, usableNumber } from './visit-identifiers.ts';
import { DELETES, isAboutIdentifiers, isCancel, NEVER_A_VISIT, PLANS, provesVisit } from './visit-triggers.ts';

/** The facts of one visit, with its identifiers. */
export interface VisitGroup {
  /**
   * Made from the surviving identifiers, so the same content gives the same key. A merge changes it, which is why a stored encounter
   * is found by its facts instead. Contains a record number: keep it out of logs.
   */
  key: string;
  /** The record number that owns the visit after all merges. */
  recordNumber: string;
  /** All numbers the visit ever had, the surviving one first. */
  visitNumbers: string[];
  accountNumbers: string[];
  /** Ordered by id, including both copies of a message that was sent twice. */
  facts: Fact[];
}

/**
 * Returns the visits among the facts of one dossier at ONE facility (see `recordNumbersOf`), ordered by key. Facts that are not about a
 * visit are in none of them; a deletion of the patient (A29) is in all of the patient's visits.
 */
export function groupIntoVisits(facts: readonly Fact[]): VisitGroup[] {
  const unique = withoutRepeats(facts);
  const identifiers = identifiersOf(unique);
  const byRecord = Map.groupBy(
    unique.map((fact) => keyOf(fact, identifiers)),
    ({ record }) => record,
  );
  const copies = Map.groupBy(new Map(facts.map((fact) => [fact.id, fact])).values(), contentOf);
  const groups: VisitGroup[] = [];
  for (const [record, keyed] of byRecord) {
    for (const cluster of clustersOf(record, keyed)) groups.push(groupOf(cluster, copies));
  }
  return groups.sort((a, b) => (a.key < b.key ? -1 : 1));
}

const contentOf = ({ adt, manualCode }: Fact): string => `${adt.contentHash}/${manualCode ?? ''}`;
const millis = (moment: Moment | null | undefined): number | null => (moment ? Date.parse(moment.instant) : null);

function keyOf(fact: Fact, identifiers: Identifiers): Keyed {
  const { patient, visit } = fact.adt;
  const time = eventTime(fact);
  let record = identifiers.recordOf(patient.recordNumber);
  let account = usableNumber(visit?.accountNumber);
  let number = usableNumber(visit?.visitNumber);
  if (account) {
    const owned = identifiers.accountOf(record, account);
    // A fact with a visit number follows the visit, not the account.
    if (!number || owned.record === record) account = owned.number;
    if (!number) record = owned.record;
  }
  if (number) ({ record, number } = identifiers.visitOf(record, number));
  const alternate = usableNumber(visit?.alternateVisitId);
  const day = dayOf(fact);
  const level = levelOf(fact);
  const admitted = millis(visit?.admittedAt);
  return {
    fact,
    record,
    visit: number,
    account,
    alternate,
    day,
    level,
    at: time ? timelineEntry(fact, time).orderedAt : (admitted ?? 0),
    admitted,
  };
}

/** The keys of a visit, the strongest first. */
export const LEVELS: readonly Level[] = ['visit', 'account', 'alternate', 'day', 'none'];

/** Returns the strongest key that a fact has. */
export function levelOf(fact: Fact): Level {
  const { trigger, visit } = fact.adt;
  // A deletion of the patient concerns all visits, whichever visit number it has.
  if (trigger === 'A29') return 'none';
  if (usableNumber(visit?.visitNumber)) return 'visit';
  if (usableNumber(visit?.accountNumber)) return 'account';
  if (usableNumber(visit?.alternateVisitId)) return 'alternate';
  return dayOf(fact) ? 'day' : 'none';
}

/** Returns the day of admission. */
const dayOf = (fact: Fact): string | null =>
  fact.adt.visit?.admittedAt?.localDate ?? (isArrival(fact) ? eventTime(fact)?.localDate : undefined) ?? null;

/** For an arrival without PV1-44, the day of the arrival is the day of admission. */
const ARRIVALS = new Set<string | undefined>(['A01', 'A04', 'ADMIT', 'PRESENTED', 'VISIT', 'STARTED_HHA_SERVICES']);
const isArrival = ({ adt, manualCode }: Fact): boolean => ARRIVALS.has(manualCode ?? adt.trigger);

function clustersOf(record: string, keyed: readonly Keyed[]): Cluster[] {
  const clusters = new Map<string, Cluster>();
  const isKnownPatient = usableNumber(record) !== null;
  for (const level of ['visit', 'account', 'alternate', 'day'] as const) {
    const stronger = [...clusters.values()];
    const byValue = level === 'visit' ? new Map<string, Cluster[]>() : indexBy(stronger, level);
    const joining: [Keyed, string][] = [];
    for (const member of keyed) {
      const value = member[level];
      if (member.level !== level || value === null) continue;
      // A placeholder record number stands for many patients, so the day of admission can't be a key.
      const isKey = level !== 'day' || isKnownPatient;
      const candidates = isKey ? (byValue.get(value) ?? []) : [];
      joining.push([
        member,
        nearest(candidates, member)?.key ?? keyName(level, record, isKey ? value : contentOf(member.fact)),
      ]);
    }
    // Members are added only now: if those of one level attracted each other, their order would matter.
    for (const [member, key] of joining) {
      const cluster = clusters.get(key) ?? { key, record, visit: member.visit, members: [] };
      cluster.members.push(member);
      clusters.set(key, cluster);
    }
  }
  if (isKnownPatient) {
    joinContinued(clusters);
    addKeyless(clusters, record, keyed);
  }
  return [...clusters.values()].filter(({ members }) =>
    members.some(
      ({ fact: { adt } }) => !NEVER_A_VISIT.has(adt.trigger) && !(adt.trigger === 'A08' && isWithoutVisit(adt)),
    ),
  );
}

const keyName = (level: Level, record: string, value: string): string => `${level}|${record}|${value}`;

function indexBy(clusters: readonly Cluster[], level: 'account' | 'alternate' | 'day'): Map<string, Cluster[]> {
  const index = new Map<string, Cluster[]>();
  for (const cluster of clusters) {
    for (const value of new Set(cluster.members.map((member) => member[level]))) {
      if (value !== null) index.set(value, [...(index.get(value) ?? []), cluster]);
    }
  }
  return index;
}

/**
 * Adds facts without any key to the visit that was open at their time, the latest if there are several; a deletion only if exactly one
 * was open, a death not to a visit that is only planned. If none was, a movement or discharge becomes a visit of its own with an unknown beginning.
 */
function addKeyless(clusters: Map<string, Cluster>, record: string, keyed: readonly Keyed[]): void {
  const spans = [...clusters.values()].map(spanOf);
  for (const member of keyed.filter(({ level }) => level === 'none').sort(byTime)) {
    const { trigger } = member.fact.adt;
    if (trigger === 'A29' || isAboutIdentifiers(trigger)) continue;
    const open = spans.filter(
      ({ cluster, start, end }) =>
        start <= member.at + HOUR &&
        member.at <= end + DAY &&
        !(member.fact.adt.patient.deceased && isOnlyPlanned(cluster)),
    );
    const latest = open.toSorted(latestFirst)[0] ?? beginKeyless(clusters, spans, record, member);
    if (!latest || (DELETES.has(trigger) && open.length > 1)) continue;
    latest.cluster.members.push(member);
    if (endsVisit(member.fact)) latest.end = Math.min(latest.end, member.at);
  }
  const deletions = keyed.filter(({ level, fact }) => level === 'none' && fact.adt.trigger === 'A29');
  for (const cluster of clusters.values()) cluster.members.push(...deletions);
}

/** Nobody has arrived: a death belongs to a visit that took place (`deaths-without-visit.ts`). */
const isOnlyPlanned = ({ members }: Cluster): boolean =>
  members.some(({ fact }) => PLANS.has(fact.adt.trigger)) &&
  !members.some(({ fact }) => provesVisit(fact.adt.trigger) && !PLANS.has(fact.adt.trigger));

function beginKeyless(clusters: Map<string, Cluster>, spans: Span[], record: string, member: Keyed): Span | null {
  const day = eventTime(member.fact)?.localDate;
  if (!day || !mayBeginVisit(member.fact)) return null;
  const key = keyName('day', record, day);
  const cluster = clusters.get(key) ?? { key, record, visit: null, members: [] };
  clusters.set(key, cluster);
  const span: Span = { cluster, start: member.at, end: Number.POSITIVE_INFINITY };
  spans.push(span);
  return span;
}

/** Whether a fact without any key is a visit by itself if none was open. */
export const mayBeginVisit = ({ adt: { trigger } }: Fact): boolean =>
  !NEVER_A_VISIT.has(trigger) && !isCancel(trigger) && trigger !== 'A08';

const byTime = (a: Keyed, b: Keyed): number => a.at - b.at || (contentOf(a.fact) < contentOf(b.fact) ? -1 : 1);
/** Prefers the same PV1-44, then the smallest distance in time to one of the visit's facts, then the smaller key. */
function nearest(clusters: readonly Cluster[], member: Keyed): Cluster | undefined {
  if (clusters.length < 2) return clusters[0];
  const ranked = clusters.map((cluster) => ({ cluster, distance: distanceOf(cluster, member) }));
  ranked.sort((a, b) => a.distance - b.distance || (a.cluster.key < b.cluster.key ? -1 : 1));
  return ranked[0]?.cluster;
}

function distanceOf({ members }: Cluster, { at, admitted }: Keyed): number {
  if (admitted !== null && members.some((member) => member.admitted === admitted)) return -1;
  return Math.min(...members.map((member) => Math.abs(member.at - at)));
}

function groupOf({ key, record, visit, members }: Cluster, copies: Map<string, Fact[]>): VisitGroup {
  const own = members.filter(({ fact }) => !isAboutPatient(fact));
  const numbers = (pick: (fact: Fact) => string | null, first: string | null) => [
    ...new Set([...(first ? [first] : []), ...own.flatMap(({ fact }) => pick(fact) ?? []).sort()]),
  ];
  const accounts = own.flatMap(({ account }) => account ?? []).sort();
  return {
    key,
    recordNumber: record,
    visitNumbers: numbers(({ adt }) => usableNumber(adt.visit?.visitNumber), visit),
    accountNumbers: numbers(({ adt }) => usableNumber(adt.visit?.accountNumber), accounts[0] ?? null),
    facts: members.flatMap(({ fact }) => copies.get(contentOf(fact)) ?? []).sort((a, b) => byId(a.id, b.id)),
  };
}

/** A deletion of the patient is in every visit of the patient but identifies none. */
const isAboutPatient = ({ adt }: Fact): boolean => adt.trigger === 'A29';
