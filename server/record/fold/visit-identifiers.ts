/** Resolves record, account and visit numbers to the ones that survive all merges and moves of a dossier. */
import type { AdtFacts, Moment } from '#server/intake/hl7/adt-facts.ts';
import { PLACEHOLDER_WORDS } from '#server/intake/hl7/identifiers.ts';
import { eventTime } from './event-time.ts';
import type { Fact } from './fold-input.ts';
import { Lineage } from './lineage.ts';
import { compareEntries, timelineEntry } from './timeline.ts';
import { ACCOUNT_MOVES, CLASS_CHANGES, RECORD_MERGES, VISIT_MOVES } from './visit-triggers.ts';

/**
 * Returns the number, trimmed, or null for a placeholder that must not link messages: empty, no letter or digit, one character alone or
 * repeated ('0', '9999', 'XX'), fewer than three digits and nothing else ('12', '0007'), or a word such as UNKNOWN.
 */
export function usableNumber(number: string | null | undefined): string | null {
  const text = number?.trim() ?? '';
  if (!/[\p{L}\p{N}]/u.test(text) || PLACEHOLDER_WORDS.has(text.toUpperCase())) return null;
  const core = /^\d+$/.test(text) ? text.replace(/^0+/, '') : text;
  if (/^(.)\1*$/su.test(core) || core === '') return null;
  return /^\d{1,2}$/.test(core) ? null : text;
}

/** A number with the patient (surviving record number) it belongs to. */
export interface OwnedNumber {
  record: string;
  number: string;
}

/** A character that HL7 fields can't contain. */
const SEPARATOR = '\u001f';
const ownedName = (record: string, number: string): string => record + SEPARATOR + number;
function ownedNumber(name: string): OwnedNumber {
  const [record = '', number = ''] = name.split(SEPARATOR);
  return { record, number };
}

export interface Identifiers {
  recordOf(recordNumber: string): string;
  accountOf(record: string, number: string): OwnedNumber;
  visitOf(record: string, number: string): OwnedNumber;
}

/** The time of a merge that has no readable time: it still counts. */
const UNDATED: Moment = { instant: '1970-01-01T00:00:00Z', localDate: '1970-01-01', precision: 'day' };

export const mergesOrMoves = ({ trigger }: AdtFacts): boolean =>
  RECORD_MERGES.has(trigger) || ACCOUNT_MOVES.has(trigger) || VISIT_MOVES.has(trigger);

/** Whether a message had no PV1: it is about the patient. PID-18 is part of PID. */
export const isWithoutVisit = ({ visit }: AdtFacts): boolean =>
  Object.entries(visit ?? {}).every(([field, value]) => value === undefined || field === 'accountNumber');

/** Returns the record number that a merge or move is from; null if it is within one record number, or from a placeholder. */
export function priorNumberOf(adt: AdtFacts): string | null {
  const prior = mergesOrMoves(adt) ? usableNumber(adt.merge?.priorRecordNumber) : null;
  return prior === adt.patient.recordNumber.trim() ? null : prior;
}

/**
 * Returns the record numbers that a fact puts into one dossier: its own and, for a merge or move, the prior one. The second patient of
 * a swap (A17) or link (A24) is another patient and stays out.
 */
export function recordNumbersOf({ adt }: Pick<Fact, 'adt'>): string[] {
  const prior = priorNumberOf(adt);
  const own = adt.patient.recordNumber.trim();
  return prior !== null && usableNumber(own) ? [own, prior] : [own];
}

/** Applies all merges and moves in the order in which they were written. Nothing else ever joins two numbers. */
export function identifiersOf(facts: readonly Fact[]): Identifiers {
  const rekeys = facts
    .filter(({ adt }) => adt.merge && (mergesOrMoves(adt) || CLASS_CHANGES.has(adt.trigger)))
    .map((fact) => timelineEntry(fact, eventTime(fact) ?? UNDATED))
    .sort(compareEntries)
    .map(({ fact }) => fact.adt);

  const records = new Lineage();
  for (const adt of rekeys) {
    const [next, prior] = [usableNumber(adt.patient.recordNumber), usableNumber(adt.merge?.priorRecordNumber)];
    if (RECORD_MERGES.has(adt.trigger) && next && prior && next !== prior) records.join(prior, next);
  }
  const recordOf = (recordNumber: string) => records.resolve(recordNumber.trim());
  const accounts = new Lineage();
  const visits = new Lineage();
  for (const adt of rekeys) applyMove(adt, recordOf, accounts, visits);
  moveVisitsOfAccounts(facts, recordOf, accounts, visits);
  return {
    recordOf,
    accountOf: (record, number) => ownedNumber(accounts.resolve(ownedName(record, number))),
    visitOf: (record, number) => ownedNumber(visits.resolve(ownedName(record, number))),
  };
}

function applyMove(adt: AdtFacts, recordOf: (n: string) => string, accounts: Lineage, visits: Lineage): void {
  const { trigger, merge } = adt;
  const next = recordOf(adt.patient.recordNumber);
  const prior = recordOf(usableNumber(merge?.priorRecordNumber) ?? adt.patient.recordNumber);
  const isWithin = prior === next;
  const mayChangeNumber = CLASS_CHANGES.has(trigger) && isWithin;
  const account = usableNumber(adt.visit?.accountNumber);
  const visit = usableNumber(adt.visit?.visitNumber);
  const priorVisit = usableNumber(merge?.priorVisitNumber) ?? (isWithin ? null : visit);
  const priorAccount = usableNumber(merge?.priorAccountNumber) ?? (isWithin ? null : account);

  const movesVisit = VISIT_MOVES.has(trigger) || mayChangeNumber;
  if (movesVisit && priorVisit) join(visits, [prior, priorVisit], [next, visit ?? priorVisit]);
  // A move that names an account but no visit moves the account's visits.
  const movesAccount = ACCOUNT_MOVES.has(trigger) || mayChangeNumber || (movesVisit && !priorVisit);
  if (movesAccount && priorAccount) join(accounts, [prior, priorAccount], [next, account ?? priorAccount]);
}

function join(lineage: Lineage, prior: [string, string], next: [string, string]): void {
  const [from, into] = [ownedName(...prior), ownedName(...next)];
  if (from !== into) lineage.join(from, into);
}

/** An account that moved to another patient takes its visits with it, except visits that were moved themselves. */
function moveVisitsOfAccounts(
  facts: readonly Fact[],
  recordOf: (n: string) => string,
  accounts: Lineage,
  visits: Lineage,
): void {
  const targets = new Map<string, Set<string>>();
  for (const { adt } of facts) {
    const visit = usableNumber(adt.visit?.visitNumber);
    const account = usableNumber(adt.visit?.accountNumber);
    if (!visit || !account || mergesOrMoves(adt)) continue;
    const record = recordOf(adt.patient.recordNumber);
    const { record: target } = ownedNumber(accounts.resolve(ownedName(record, account)));
    const name = ownedName(record, visit);
    if (target === record || visits.resolve(name) !== name) continue;
    targets.set(name, (targets.get(name) ?? new Set()).add(ownedName(target, visit)));
  }
  for (const [name, moved] of [...targets].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const [only] = moved;
    if (moved.size === 1 && only) visits.join(name, only);
  }
}
