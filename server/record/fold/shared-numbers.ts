/**
 * Record numbers that mean the same patient at several facilities of a feed: a health system usually numbers its patients once for all of
 * them, and says so by the authority (PID-3.4). What one facility reports about the patient, and not about a visit, then counts at every
 * facility that knows the number: merges and moves, new demographics, a death.
 */
import type { AdtFacts, VisitFacts } from '#server/intake/hl7/adt-facts.ts';
import type { Fact, FoldFacility } from './fold-input.ts';
import { byTimeWritten } from './folded-demographics.ts';
import { Lineage } from './lineage.ts';
import { markOf } from './shared-stays.ts';
import { isWithoutVisit, mergesOrMoves, priorNumberOf, recordNumbersOf, usableNumber } from './visit-identifiers.ts';
import { ACCOUNT_MOVES, VISIT_MOVES } from './visit-triggers.ts';

/** A record number of a fact, with a mark that is the same wherever the number and its authority are the same. */
export interface MarkedNumber {
  recordNumber: string;
  mark: string;
}

/** Returns the record numbers of a fact that have an authority: its own and, for a merge or move, the prior one. */
export function markedNumbersOf(adt: AdtFacts): MarkedNumber[] {
  const { own, prior } = numbersOf(adt);
  return [own, prior].filter((number) => number !== null);
}

interface Numbers {
  own: MarkedNumber | null;
  prior: MarkedNumber | null;
}

function numbersOf(adt: AdtFacts): Numbers {
  const own = marked(adt.patient.recordNumber, adt.patient.recordAuthority);
  return { own, prior: own && marked(priorNumberOf(adt), adt.merge?.priorRecordAuthority) };
}

function marked(number: string | null, authority: string | undefined): MarkedNumber | null {
  const [recordNumber, issuer] = [usableNumber(number), authority?.trim().toUpperCase()];
  return recordNumber && issuer ? { recordNumber, mark: markOf(['record number', issuer], recordNumber) } : null;
}

/** What one facility has sent. */
export interface FactsAtFacility {
  groupId: string;
  facility: FoldFacility;
  facts: readonly Fact[];
}

/** A fact about a patient, with the facility that sent it. */
interface Report {
  groupId: string;
  fact: Fact;
  numbers: Numbers;
}

/** Returns for each facility (by group id) what the others have sent about its patients. `facts`: as read, before patients are separated. */
export function factsSentElsewhere(facilities: readonly FactsAtFacility[]): Map<string, Fact[]> {
  const all = facilities.length > 1 ? facilities.flatMap(reportsOf) : [];
  const patients = new Lineage();
  for (const { fact, numbers } of all) {
    const { own, prior } = numbers;
    if (own && prior) patients.join(keyOf(fact, prior), keyOf(fact, own));
  }
  const reports = withoutExcess(all);
  const sent = new Map<string, Fact[]>();
  for (const { groupId, facts } of reports.length > 0 ? facilities : []) {
    const known = knownNumbers(facts);
    const own = new Set([...known.keys].map((key) => patients.resolve(key)));
    const isOwn = ({ fact, numbers }: Report) => numbers.own && own.has(patients.resolve(keyOf(fact, numbers.own)));
    const others = reports.filter((report) => report.groupId !== groupId && isOwn(report));
    sent.set(
      groupId,
      others.flatMap((report) => asKnown(report, known)),
    );
  }
  return sent;
}

/**
 * Of the updates of all patients of a dossier, at each facility no more than the newest count. Facilities × updates would otherwise be
 * the work for each message about a test patient.
 */
const MOST_UPDATES = 200;

function withoutExcess(reports: readonly Report[]): readonly Report[] {
  const updates = reports.filter(({ fact }) => !mergesOrMoves(fact.adt));
  if (updates.length <= MOST_UPDATES) return reports;
  const newest = updates.sort((a, b) => byTimeWritten(b.fact, a.fact)).slice(0, MOST_UPDATES);
  return [...reports.filter(({ fact }) => mergesOrMoves(fact.adt)), ...newest];
}

const keyOf = ({ sharedFeedId }: Fact, { mark }: MarkedNumber): string => `${sharedFeedId}/${mark}`;

function reportsOf({ groupId, facility, facts }: FactsAtFacility): Report[] {
  return facts.flatMap((fact) => {
    const numbers = numbersOf(fact.adt);
    const about = fact.sharedFeedId && numbers.own ? aboutPatient(fact, facility, numbers) : null;
    return about ? [{ groupId, fact: about, numbers }] : [];
  });
}

/** Update the patient. They do so at all facilities if they name no visit. A deletion (A29) stays with the facility that sent it. */
const UPDATES = new Set(['A08', 'A28', 'A31', 'A51']);

/** Returns what a fact says about the patient; null if it is about a visit. */
function aboutPatient(fact: Fact, { isPart2 }: FoldFacility, { prior }: Numbers): Fact | null {
  const { trigger, patient, visit, merge } = fact.adt;
  const isMove = mergesOrMoves(fact.adt);
  if (!isMove && (isPart2 || !UPDATES.has(trigger) || !isWithoutVisit(fact.adt))) return null;
  const { recordNumber, recordAuthority = '' } = patient;
  const isFromOther = priorNumberOf(fact.adt) !== null;
  const adt: AdtFacts = {
    ...fact.adt,
    patient: isPart2 ? { recordNumber, recordAuthority, identifiers: [] } : patient,
    visit: ACCOUNT_MOVES.has(trigger) || VISIT_MOVES.has(trigger) ? numbersOnly(visit) : null,
    merge: isFromOther && prior === null ? null : merge,
  };
  return { ...fact, adt, sentElsewhere: true };
}

const numbersOnly = (visit: VisitFacts | null): VisitFacts => {
  const { visitNumber, accountNumber } = visit ?? {};
  return { ...(visitNumber && { visitNumber }), ...(accountNumber && { accountNumber }) };
};

interface KnownNumbers {
  /** All record numbers. */
  numbers: ReadonlySet<string>;
  /** Those that have an authority. */
  keys: ReadonlySet<string>;
}

function knownNumbers(facts: readonly Fact[]): KnownNumbers {
  const shared = facts.filter(({ sharedFeedId }) => sharedFeedId !== undefined);
  return {
    numbers: new Set(facts.flatMap(recordNumbersOf)),
    keys: new Set(shared.flatMap((fact) => markedNumbersOf(fact.adt).map((number) => keyOf(fact, number)))),
  };
}

/** Leaves out what is about a number that the facility uses without this authority, since that may be another patient. */
function asKnown({ fact, numbers: { own, prior } }: Report, { numbers, keys }: KnownNumbers): Fact[] {
  const mayBeOther = (number: MarkedNumber | null) =>
    number !== null && numbers.has(number.recordNumber) && !keys.has(keyOf(fact, number));
  if (mayBeOther(own)) return [];
  return [mayBeOther(prior) ? { ...fact, adt: { ...fact.adt, merge: null } } : fact];
}
