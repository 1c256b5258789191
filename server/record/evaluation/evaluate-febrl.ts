import { type Decision, decide, MOST_CANDIDATES } from '#server/record/scoring/decide.ts';
import { type FebrlRecord, normalizeFebrl, parseFebrl, type Round, roundsOf } from './febrl.ts';
import { ListingIndex } from './listing-index.ts';

/** What became of the true pairs of one set. The shares are of the true pairs and add up to 1. */
export interface FebrlResult {
  pairs: number;
  automatic: number;
  /** In review, and the true partner is among the candidates that a reviewer sees. */
  review: number;
  missed: number;
  /** Automatic links to someone else. */
  false: number;
  /** Automatic links if no arriving record has its true partner on the list. */
  falseWithoutPartner: number;
}

/** The files of a set, by name: `dataset1` to `dataset3`, or `dataset4a` and `dataset4b`. */
export type FebrlFiles = ReadonlyMap<string, string>;

const SINGLE_SETS = ['1', '2', '3'] as const;

/** Measures every set that the files hold, without and with the last four digits of the SSN. */
export function evaluateFebrl(files: FebrlFiles): Record<string, FebrlResult> {
  const results: Record<string, FebrlResult> = {};
  const add = (set: string, rounds: readonly Round[]): void => {
    results[`febrl${set}-without-ssn`] = evaluateRounds(rounds, false);
    results[`febrl${set}-with-ssn4`] = evaluateRounds(rounds, true);
  };
  for (const set of SINGLE_SETS) {
    const text = files.get(`dataset${set}`);
    if (text !== undefined) add(set, roundsOf(parseFebrl(text)));
  }
  const [listed, arriving] = [files.get('dataset4a'), files.get('dataset4b')];
  if (listed !== undefined && arriving !== undefined) {
    add('4', [{ listed: parseFebrl(listed), arriving: parseFebrl(arriving) }]);
  }
  return results;
}

type Counts = Record<'automatic' | 'review' | 'missed' | 'false' | 'falseWithoutPartner', number>;

function evaluateRounds(rounds: readonly Round[], withSsn4: boolean): FebrlResult {
  const counts: Counts = { automatic: 0, review: 0, missed: 0, false: 0, falseWithoutPartner: 0 };
  for (const round of rounds) countRound(round, withSsn4, counts);
  const pairs = counts.automatic + counts.review + counts.missed;
  const share = (count: number): number => (pairs === 0 ? 0 : Number((count / pairs).toFixed(6)));
  return {
    pairs,
    automatic: share(counts.automatic),
    review: share(counts.review),
    missed: share(counts.missed),
    false: counts.false,
    falseWithoutPartner: counts.falseWithoutPartner,
  };
}

function countRound({ listed, arriving }: Round, withSsn4: boolean, counts: Counts): void {
  const index = new ListingIndex();
  for (const record of listed) index.add(record.person, normalizeFebrl(record, withSsn4));
  const snapshot = index.snapshot();
  const isListed = new Set(listed.map(({ person }) => person));
  for (const record of arriving) {
    const subject = normalizeFebrl(record, withSsn4);
    const candidates = index.candidates(subject);
    const decision = decide(subject, candidates, { snapshot });
    const fate = fateOf(decision, record);
    if (isListed.has(record.person)) counts[fate]++;
    if (decision.outcome === 'matched' && decision.personId !== record.person) counts.false++;
    const others = candidates.filter(({ personId }) => personId !== record.person);
    if (decide(subject, others, { snapshot }).outcome === 'matched') counts.falseWithoutPartner++;
  }
}

function fateOf(decision: Decision, { person }: FebrlRecord): 'automatic' | 'review' | 'missed' {
  if (decision.outcome === 'matched') return decision.personId === person ? 'automatic' : 'missed';
  const seen = decision.candidates.slice(0, MOST_CANDIDATES);
  return seen.some(({ personId }) => personId === person) ? 'review' : 'missed';
}
