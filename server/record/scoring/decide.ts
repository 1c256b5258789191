import type { ListSnapshot } from './common-values.ts';
import { type Comparison, compare, FIELDS } from './comparison.ts';
import { levelsContradict } from './contradiction.ts';
import type { NormalizedDemographics } from './demographics.ts';
import { mayBeAlike } from './may-matter.ts';
import { CLEAR_LEAD, EXPECTED_FALSE_LIMIT } from './parameters.ts';
import { isWorthReview, type Score, scoreOf } from './score.ts';
import { hasSameContact, withoutSharedContacts } from './shared-contacts.ts';
import { sketchOf } from './sketch.ts';
import { isSomeoneElse, knowsLess, PERSONAL_NUMBERS } from './someone-else.ts';
import { couldBeTwins, isContradiction, pairVetoes, type VetoId } from './vetoes.ts';

/** Stored with each link. Raise it when normalization, parameters, vetoes or the choice among candidates change results, or keys or sketches. */
export const MATCHER_VERSION = '11';

/** Returns the version that decides with these shares of names. A new snapshot is a new version: the same facts may give other links. */
export const versionOf = (snapshot: ListSnapshot | null): string =>
  snapshot === null ? MATCHER_VERSION : `${MATCHER_VERSION}.${snapshot.number}`;

/** What a link rests on: the score of all fields, or a known record number (rule 22 of the proposal, a namespace-bound identifier). */
export const SCORE = 'score';
export const KNOWN_RECORD = 'R22';

/** Candidates of a review: no reviewer reads more. */
export const MOST_CANDIDATES = 10;

/** Someone with more records is compared by the first of them: one sender's excess must not hold up the others. */
export const MOST_RECORDS = 100;

/** A person who may be the subject, with all linked records (roster rows and source patients). */
export interface KnownPerson {
  personId: string;
  records: readonly NormalizedDemographics[];
  /** A list has the subject and one of the records under different member IDs, or would have if the two were linked. */
  isListedApart?: boolean;
}

/** Why a link was made or proposed. Contains no demographic values, so it is safe to store and show. */
export type Evidence = {
  version: string;
  ruleId: typeof SCORE | typeof KNOWN_RECORD;
  /** Log2 of how much likelier the agreement is for one person than for two strangers; 0 for a known record number. */
  bits: number;
  /** How many people other than the right one are expected to agree as well, per subject. */
  expectedFalse: number;
  fields: Comparison;
  vetoes: VetoId[];
};

export interface RankedCandidate {
  personId: string;
  evidence: Evidence;
}

/** `candidates` are in order of the score, highest first; `evidence` belongs to the linked person or the first candidate. */
export type Decision =
  | { outcome: 'matched'; personId: string; candidates: RankedCandidate[]; evidence: Evidence }
  | { outcome: 'review'; candidates: RankedCandidate[]; evidence: Evidence }
  | { outcome: 'new'; candidates: []; evidence: null };

export interface DecideOptions {
  /** The person that the subject's facility and record number are already linked to. */
  knownRecord?: KnownPerson | undefined;
  /** What the installation's own lists are like; without, the published shares of names and our counts of relatives hold. */
  snapshot?: ListSnapshot | null;
}

/**
 * Decides who the subject is. `candidates` are all people who share a blocking key with the subject, each once.
 *
 * - matched: exactly one candidate may be linked without review (`isAutomatic`), has no veto, and is far ahead of all others. Or the record
 *   number is known, neither the name, the birth date nor a number contradicts it, and no one else is as likely: a patient who moves
 *   or marries is still the same person.
 * - review: candidates are worth one (`isWorthReview`) and no contradiction excludes them, or a known record number is contradicted.
 * - new: otherwise.
 */
export function decide(
  subject: NormalizedDemographics,
  candidates: readonly KnownPerson[],
  { knownRecord: known, snapshot = null }: DecideOptions = {},
): Decision {
  if (candidates.length === 0 && known === undefined) return { outcome: 'new', candidates: [], evidence: null };
  const [people, knownRecord] = [candidates.map(withFewRecords), known && withFewRecords(known)];
  const ranked = rank(withoutSharedContacts(subject, people), people, snapshot);
  const byScore = decideByScore(ranked);
  const isLinkedByScore = byScore.outcome === 'matched' && byScore.personId === knownRecord?.personId;
  if (knownRecord === undefined || isLinkedByScore) return byScore;
  const judged = judgeKnownRecord(subject, knownRecord, snapshot);
  if (judged.evidence.vetoes.length > 0) {
    const others = ranked.filter(({ personId }) => personId !== judged.personId);
    return { outcome: 'review', candidates: [judged, ...others], evidence: judged.evidence };
  }
  if (isDoubtful(judged, ranked)) return byScore;
  return { outcome: 'matched', personId: judged.personId, candidates: [judged], evidence: judged.evidence };
}

const withFewRecords = (person: KnownPerson): KnownPerson =>
  person.records.length > MOST_RECORDS ? { ...person, records: person.records.slice(0, MOST_RECORDS) } : person;

function decideByScore(ranked: RankedCandidate[]): Decision {
  const [first, ...others] = ranked;
  if (first === undefined) return { outcome: 'new', candidates: [], evidence: null };
  const second = others.find(({ evidence }) => !knowsLess(evidence, first.evidence));
  const isAhead =
    second === undefined ||
    isSomeoneElse(second.evidence, first.evidence) ||
    (!isAutomatic(second.evidence) && first.evidence.bits - second.evidence.bits >= CLEAR_LEAD);
  if (isAutomatic(first.evidence) && isAhead && first.evidence.vetoes.length === 0) {
    return { outcome: 'matched', personId: first.personId, candidates: ranked, evidence: first.evidence };
  }
  return { outcome: 'review', candidates: ranked, evidence: first.evidence };
}

/** Whether the score alone is enough for a link without review. */
export const isAutomatic = ({ expectedFalse }: Pick<Score, 'expectedFalse'>): boolean =>
  expectedFalse <= EXPECTED_FALSE_LIMIT;

/**
 * Whether the score takes precedence over a known record number: it would link someone, or the known person has a veto other than a new
 * family name or a corrected birth date: people move and marry, and are registered with errors.
 */
function isDoubtful({ personId }: RankedCandidate, ranked: readonly RankedCandidate[]): boolean {
  return ranked.some(
    ({ personId: other, evidence }) =>
      isAutomatic(evidence) || (other === personId && evidence.vetoes.some((veto) => !CORRECTED.has(veto))),
  );
}

const CORRECTED: ReadonlySet<VetoId> = new Set<VetoId>(['family-name-differs', 'birth-date-inexact']);

/** Returns the people the subject may be, highest score first. */
function rank(
  subject: NormalizedDemographics,
  people: readonly KnownPerson[],
  snapshot: ListSnapshot | null,
): RankedCandidate[] {
  const ranked: (RankedCandidate & { person: KnownPerson })[] = [];
  const pair = pairsWith(subject, snapshot);
  for (const person of people) {
    const evidence = bestEvidence(pair, person);
    if (evidence === null || (person.isListedApart && !isAutomatic(evidence))) continue;
    const vetoes = new Set([...evidence.vetoes, ...numberVetoes(pair, person, ['medicareId'])]);
    if (person.isListedApart) vetoes.add('listed-apart');
    ranked.push({ personId: person.personId, evidence: { ...evidence, vetoes: [...vetoes] }, person });
  }
  ranked.sort((a, b) => b.evidence.bits - a.evidence.bits || (a.personId < b.personId ? -1 : 1));
  // Two people this likely are a review anyway, so that the rest need not be compared with everyone, and nobody reads of more.
  const first = ranked.slice(0, MOST_CANDIDATES);
  for (const { evidence, person } of first) {
    if (isAutomatic(evidence) && hasTwin(person, subject, people, evidence)) evidence.vetoes.push('household-twin');
  }
  return first.map(({ personId, evidence }) => ({ personId, evidence }));
}

/** What comparing the subject with one record shows. */
interface Pair {
  readonly fields: Comparison;
  /** Null if the pair is not worth a review. */
  evidence: Evidence | null;
}

/**
 * Compares the subject with records, with the same record once: a hospital may have hundreds of unnamed newborns of one day. Of a stranger the sketch is
 * enough: in a nursing home, hundreds have the same address.
 */
function pairsWith(
  subject: NormalizedDemographics,
  snapshot: ListSnapshot | null,
): (record: NormalizedDemographics) => Pair {
  const known = new Map<NormalizedDemographics, Pair>();
  return (record) => {
    const before = known.get(record);
    if (before !== undefined) return before;
    const isStranger = !hasSameContact(subject, record) && !mayBeAlike(sketchOf(subject), sketchOf(record));
    const pair = isStranger ? new Stranger(subject, record) : comparedWith(subject, record, snapshot);
    known.set(record, pair);
    return pair;
  };
}

function comparedWith(
  subject: NormalizedDemographics,
  record: NormalizedDemographics,
  snapshot: ListSnapshot | null,
): Pair {
  const fields = compare(subject, record);
  return { fields, evidence: judge(subject, record, fields, snapshot) };
}

/** Compared only if it is a record of someone who is worth a review by another one. */
class Stranger implements Pair {
  readonly evidence = null;
  readonly #pair: readonly [NormalizedDemographics, NormalizedDemographics];

  constructor(...pair: [NormalizedDemographics, NormalizedDemographics]) {
    this.#pair = pair;
  }

  get fields(): Comparison {
    return compare(...this.#pair);
  }
}

/**
 * Whether any record of another person could be a twin's of the subject or of the person. A twin of another name, or without the number that
 * agrees, is no reason to doubt a name that agrees exactly: or else an invented twin on another list would take a patient's visits away.
 */
function hasTwin(
  person: KnownPerson,
  subject: NormalizedDemographics,
  people: readonly KnownPerson[],
  { fields }: Evidence,
): boolean {
  const own = [...new Set([subject, ...person.records])];
  const isConfusable = (other: NormalizedDemographics): boolean => {
    if (fields.given !== 'exact') return true;
    const levels = compare(subject, other);
    const hasNumber = PERSONAL_NUMBERS.some((number) => fields[number] === 'exact' && levels[number] !== 'exact');
    return !hasNumber && !['differs', 'alike', 'unfamiliar', 'initial'].includes(levels.given);
  };
  return people.some(
    ({ personId, records }) =>
      personId !== person.personId &&
      records.some((other) => isConfusable(other) && own.some((record) => couldBeTwins(record, other))),
  );
}

/** Returns the strongest evidence for a link to the person, or null if none of the records is worth a review. */
function bestEvidence(pair: (record: NormalizedDemographics) => Pair, person: KnownPerson): Evidence | null {
  let best: Evidence | null = null;
  for (const record of person.records) {
    const { evidence } = pair(record);
    if (evidence !== null && (best === null || isStronger(evidence, best))) best = evidence;
  }
  return best;
}

/** Returns vetoes for numbers that differ on some of the person's records and agree on none. A record without the number does not count. */
function numberVetoes(
  pair: (record: NormalizedDemographics) => Pair,
  { records }: KnownPerson,
  numbers: readonly (keyof typeof NUMBER_VETOES)[],
): VetoId[] {
  const compared = records.map((record) => pair(record).fields);
  const differs = (number: (typeof PERSONAL_NUMBERS)[number]) =>
    compared.some((fields) => fields[number] === 'differs') && compared.every((fields) => fields[number] !== 'exact');
  return numbers.filter(differs).map((number) => NUMBER_VETOES[number]);
}

const NUMBER_VETOES = { ssnLast4: 'ssn4-differs', medicareId: 'medicare-id-differs' } as const;

/** Evidence that links without review is stronger; then the higher score, then fewer vetoes. */
function isStronger(a: Evidence, b: Evidence): boolean {
  const links = (e: Evidence): boolean => isAutomatic(e) && e.vetoes.length === 0;
  if (links(a) !== links(b)) return links(a);
  return a.bits > b.bits || (a.bits === b.bits && a.vetoes.length < b.vetoes.length);
}

/** Returns the evidence for one pair of records, or null if the pair is not worth a review. */
function judge(
  subject: NormalizedDemographics,
  record: NormalizedDemographics,
  fields: Comparison,
  snapshot: ListSnapshot | null,
): Evidence | null {
  const score = scoreOf(subject, record, fields, snapshot);
  if (!isAutomatic(score) && !isWorthReview(score)) return null;
  const vetoes = pairVetoes(subject, record, fields);
  if (!isAutomatic(score) && vetoes.some(isContradiction)) return null;
  return {
    version: versionOf(snapshot),
    ruleId: SCORE,
    bits: score.bits,
    expectedFalse: score.expectedFalse,
    fields,
    vetoes,
  };
}

const NO_FIELDS = Object.fromEntries(FIELDS.map((field) => [field, 'missing'])) as Comparison;

/** Applies rule 22: a known record number identifies the person unless all of the person's records, or a number, contradict it. */
function judgeKnownRecord(
  subject: NormalizedDemographics,
  person: KnownPerson,
  snapshot: ListSnapshot | null,
): RankedCandidate {
  const { personId, records } = person;
  const pair = pairsWith(subject, snapshot);
  const compared = records.map((record) => pair(record).fields);
  const agreeing = compared.find((fields) => !levelsContradict(fields));
  const fields = agreeing ?? compared[0] ?? NO_FIELDS;
  const isContradicted = agreeing === undefined && compared.length > 0;
  const vetoes: VetoId[] = isContradicted
    ? ['record-number-contradicted']
    : numberVetoes(pair, person, PERSONAL_NUMBERS);
  const version = versionOf(snapshot);
  return { personId, evidence: { version, ruleId: KNOWN_RECORD, bits: 0, expectedFalse: 0, fields, vetoes } };
}
