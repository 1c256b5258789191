/** Which record, account and visit numbers mean the same patient and visit, after all merges and moves of a dossier. */
import type { AdtFacts, Moment } from '#server/intake/hl7/adt-facts.ts';
import { PLACEHOLDER_WORDS } from '#server/intake/hl7/identifiers.ts';
import { eventTime } from './event-time.ts';
import type { Fact } from './fold-input.ts';
import { Lineage } from './lineage.ts';
import { compareDated, dateFact } from './timeline.ts';
import { ACCOUNT_MOVES, CLASS_CHANGES, RECORD_MERGES, VISIT_MOVES } from './visit-triggers.ts';

/**
 * The number, trimmed, or null where it is a placeholder that must not tie messages together: empty, without a letter or
 * digit, a single character or one repeated ('0', '9999', 'XX'), fewer than three digits and nothing else ('12',
 * '0007'), or a word such as UNKNOWN.
 */
export function usableNumber(number: string | null | undefined): string | null {
  const text = number?.trim() ?? '';
  if (!/[\p{L}\p{N}]/u.test(text) || PLACEHOLDER_WORDS.has(text.toUpperCase())) return null;
  const core = /^\d+$/.test(text) ? text.replace(/^0+/, '') : text;
  if (/^(.)\1*$/su.test(core) || core === '') return null;
  return /^\d{1,2}$/.test(core) ? null : text;
}

/** A number and the patient (surviving record number) under whom it counts. */
export interface OwnedNumber {
  record: string;
  number: string;
}

/** HL7 fields cannot hold it. */
const SEPARATOR = '\u001f';
const nameOf = (record: string, number: string): string => record + SEPARATOR + number;
function ownedNumber(name: string): OwnedNumber {
  const [record = '', number = ''] = name.split(SEPARATOR);
  return { record, number };
}

export interface Identifiers {
  recordOf(recordNumber: string): string;
  accountOf(record: string, number: string): OwnedNumber;
  visitOf(record: string, number: string): OwnedNumber;
}

/** A merge counts also where none of its times can be read. */
const UNDATED: Moment = { instant: '1970-01-01T00:00:00Z', localDate: '1970-01-01', precision: 'day' };

const connects = ({ trigger }: AdtFacts): boolean =>
  RECORD_MERGES.has(trigger) || ACCOUNT_MOVES.has(trigger) || VISIT_MOVES.has(trigger);

/**
 * The record numbers that a fact brings into one dossier: its own, and the one that a merge or move names beside it. The
 * second patient of a swap (A17) or link (A24) is another patient and stays out.
 */
export function recordNumbersOf({ adt }: Fact): string[] {
  const prior = connects(adt) ? usableNumber(adt.merge?.priorRecordNumber) : null;
  const own = adt.patient.recordNumber.trim();
  return prior !== null && prior !== own && usableNumber(own) ? [own, prior] : [own];
}

/** Reads all merges and moves, in the order in which they were written. Only they ever join two numbers. */
export function identifiersOf(facts: readonly Fact[]): Identifiers {
  const rekeys = facts
    .filter(({ adt }) => adt.merge && (connects(adt) || CLASS_CHANGES.has(adt.trigger)))
    .map((fact) => dateFact(fact, eventTime(fact) ?? UNDATED))
    .sort(compareDated)
    .map(({ fact }) => fact.adt);

  const records = new Lineage();
  for (const adt of rekeys) {
    const [next, prior] = [usableNumber(adt.patient.recordNumber), usableNumber(adt.merge?.priorRecordNumber)];
    if (RECORD_MERGES.has(adt.trigger) && next && prior && next !== prior) records.join(prior, next);
  }
  const recordOf = (recordNumber: string) => records.resolve(recordNumber.trim());
  const accounts = new Lineage();
  const visits = new Lineage();
  for (const adt of rekeys) joinMoved(adt, recordOf, accounts, visits);
  moveVisitsOfAccounts(facts, recordOf, accounts, visits);
  return {
    recordOf,
    accountOf: (record, number) => ownedNumber(accounts.resolve(nameOf(record, number))),
    visitOf: (record, number) => ownedNumber(visits.resolve(nameOf(record, number))),
  };
}

function joinMoved(adt: AdtFacts, recordOf: (n: string) => string, accounts: Lineage, visits: Lineage): void {
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
  // A move that names no visit but an account means the account's visits.
  const movesAccount = ACCOUNT_MOVES.has(trigger) || mayChangeNumber || (movesVisit && !priorVisit);
  if (movesAccount && priorAccount) join(accounts, [prior, priorAccount], [next, account ?? priorAccount]);
}

function join(lineage: Lineage, prior: [string, string], next: [string, string]): void {
  const [from, into] = [nameOf(...prior), nameOf(...next)];
  if (from !== into) lineage.join(from, into);
}

/** An account that moved to another patient takes its visits along, unless a visit was itself moved. */
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
    if (!visit || !account || connects(adt)) continue;
    const record = recordOf(adt.patient.recordNumber);
    const { record: target } = ownedNumber(accounts.resolve(nameOf(record, account)));
    const name = nameOf(record, visit);
    if (target === record || visits.resolve(name) !== name) continue;
    targets.set(name, (targets.get(name) ?? new Set()).add(nameOf(target, visit)));
  }
  for (const [name, moved] of [...targets].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const [only] = moved;
    if (moved.size === 1 && only) visits.join(name, only);
  }
}
