import { type Comparison, compare } from './comparison.ts';
import { levelsContradict } from './contradiction.ts';
import type { NormalizedDemographics } from './demographics.ts';
import { AUTO_THRESHOLD, bestRule, REVIEW_THRESHOLD, type RuleResult } from './link-rules.ts';
import { couldBeTwins, isContradiction, pairVetoes, type VetoId } from './vetoes.ts';

/** Stored with each link. Raise it whenever normalization, rules or vetoes change results. */
export const MATCHER_VERSION = '3';

/** The rule that links a known record number: number 22 of the proposal (a namespace-bound identifier). */
export const KNOWN_RECORD = 'R22';

/** Candidates of a review: no reviewer reads more. */
export const MOST_CANDIDATES = 10;

/** A phone or email that this many candidates share belongs to a switchboard or an office, and does not identify a person. */
export const SHARED_CONTACT_PERSONS = 5;

/** A person who may be the subject, with all linked records (roster rows and source patients). */
export interface KnownPerson {
  personId: string;
  records: readonly NormalizedDemographics[];
}

/** Why a link was made or proposed. Contains no demographic values, so it is safe to store and show. */
export type Evidence = {
  version: string;
  /** An id of `RULES`, or R22 for a known record number. */
  ruleId: string;
  /** The probability that two strangers agree like this by chance. */
  probability: number;
  fields: Comparison;
  vetoes: VetoId[];
};

export interface RankedCandidate {
  personId: string;
  evidence: Evidence;
}

/** `candidates` are in order of probability, lowest first; `evidence` belongs to the linked person or the first candidate. */
export type Decision =
  | { outcome: 'matched'; personId: string; candidates: RankedCandidate[]; evidence: Evidence }
  | { outcome: 'review'; candidates: RankedCandidate[]; evidence: Evidence }
  | { outcome: 'new'; candidates: []; evidence: null };

export interface DecideOptions {
  /** The person that the subject's facility and record number are already linked to. */
  knownRecord?: KnownPerson;
}

/**
 * Decides who the subject is. `candidates` are all people who share a blocking key with the subject, each once.
 *
 * - matched: exactly one candidate is at or below AUTO_THRESHOLD, without a veto. Or the record number is known, neither the
 *   name, the birth date nor a number contradicts it, and no one else is as likely: a patient who moves or marries is still
 *   the same person.
 * - review: two or more candidates are at or below AUTO_THRESHOLD, even if one has a veto; the only one has a veto;
 *   candidates are at or below REVIEW_THRESHOLD and no contradiction excludes them; or a known record number is contradicted.
 * - new: otherwise.
 */
export function decide(
  subject: NormalizedDemographics,
  candidates: readonly KnownPerson[],
  { knownRecord }: DecideOptions = {},
): Decision {
  const ranked = rank(withoutSharedContacts(subject, candidates), candidates);
  const byRules = decideByRules(ranked);
  const isLinkedByRules = byRules.outcome === 'matched' && byRules.personId === knownRecord?.personId;
  if (knownRecord === undefined || isLinkedByRules) return byRules;
  const known = judgeKnownRecord(subject, knownRecord);
  if (known.evidence.vetoes.length > 0) {
    const others = ranked.filter(({ personId }) => personId !== known.personId);
    return { outcome: 'review', candidates: [known, ...others], evidence: known.evidence };
  }
  if (isDoubtful(known, ranked)) return byRules;
  return { outcome: 'matched', personId: known.personId, candidates: [known], evidence: known.evidence };
}

function decideByRules(ranked: RankedCandidate[]): Decision {
  const [first, second] = ranked;
  if (first === undefined) return { outcome: 'new', candidates: [], evidence: null };
  const isOnlyOne = second === undefined || second.evidence.probability > AUTO_THRESHOLD;
  if (first.evidence.probability <= AUTO_THRESHOLD && isOnlyOne && first.evidence.vetoes.length === 0) {
    return { outcome: 'matched', personId: first.personId, candidates: ranked, evidence: first.evidence };
  }
  return { outcome: 'review', candidates: ranked, evidence: first.evidence };
}

/** Whether the rules take precedence over a known record number: they would link someone, or the known person has a veto. */
function isDoubtful({ personId }: RankedCandidate, ranked: readonly RankedCandidate[]): boolean {
  return ranked.some(
    ({ personId: other, evidence }) =>
      evidence.probability <= AUTO_THRESHOLD || (other === personId && evidence.vetoes.length > 0),
  );
}

/** Returns the people the subject may be, lowest probability first. */
function rank(subject: NormalizedDemographics, people: readonly KnownPerson[]): RankedCandidate[] {
  const ranked: (RankedCandidate & { person: KnownPerson })[] = [];
  const pair = pairsWith(subject);
  for (const person of people) {
    const evidence = bestEvidence(pair, person);
    if (evidence === null) continue;
    const vetoes = new Set([...evidence.vetoes, ...numberVetoes(pair, person)]);
    ranked.push({ personId: person.personId, evidence: { ...evidence, vetoes: [...vetoes] }, person });
  }
  ranked.sort((a, b) => a.evidence.probability - b.evidence.probability || (a.personId < b.personId ? -1 : 1));
  // Two people this likely are a review anyway, so that the rest need not be compared with everyone.
  for (const { evidence, person } of ranked.slice(0, MOST_CANDIDATES)) {
    if (evidence.probability <= AUTO_THRESHOLD && hasTwin(person, subject, people))
      evidence.vetoes.push('household-twin');
  }
  return ranked.map(({ personId, evidence }) => ({ personId, evidence }));
}

/** What comparing the subject with one record showed. `evidence` is null if the pair is not worth a review. */
interface Pair {
  fields: Comparison;
  evidence: Evidence | null;
}

/** Compares the subject with records, with the same record once: a hospital may have hundreds of unnamed newborns of one day. */
function pairsWith(subject: NormalizedDemographics): (record: NormalizedDemographics) => Pair {
  const known = new Map<NormalizedDemographics, Pair>();
  return (record) => {
    const before = known.get(record);
    if (before !== undefined) return before;
    const fields = compare(subject, record);
    const pair = { fields, evidence: judge(subject, record, fields) };
    known.set(record, pair);
    return pair;
  };
}

/** Whether any record of another person could be a twin's of the subject or of the person. */
function hasTwin(person: KnownPerson, subject: NormalizedDemographics, people: readonly KnownPerson[]): boolean {
  const own = [...new Set([subject, ...person.records])];
  return people.some(
    ({ personId, records }) =>
      personId !== person.personId && records.some((other) => own.some((record) => couldBeTwins(record, other))),
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
function numberVetoes(pair: (record: NormalizedDemographics) => Pair, { records }: KnownPerson): VetoId[] {
  const compared = records.map((record) => pair(record).fields);
  const differs = (number: 'ssnLast4' | 'medicareId') =>
    compared.some((fields) => fields[number] === 'differs') && compared.every((fields) => fields[number] !== 'exact');
  return [
    ...(differs('ssnLast4') ? ['ssn4-differs' as const] : []),
    ...(differs('medicareId') ? ['medicare-id-differs' as const] : []),
  ];
}

/** Evidence that links without review is stronger; then lower probability, then fewer vetoes. */
function isStronger(a: Evidence, b: Evidence): boolean {
  const isAutomatic = (e: Evidence): boolean => e.probability <= AUTO_THRESHOLD && e.vetoes.length === 0;
  if (isAutomatic(a) !== isAutomatic(b)) return isAutomatic(a);
  return a.probability < b.probability || (a.probability === b.probability && a.vetoes.length < b.vetoes.length);
}

/** Returns the evidence for one pair of records, or null if the pair is not worth a review. */
function judge(subject: NormalizedDemographics, record: NormalizedDemographics, fields: Comparison): Evidence | null {
  const rule = bestRule(fields);
  if (rule === null || rule.probability > REVIEW_THRESHOLD) return null;
  const vetoes = pairVetoes(subject, record, fields);
  if (rule.probability > AUTO_THRESHOLD && vetoes.some(isContradiction)) return null;
  return evidenceOf(rule, fields, vetoes);
}

const evidenceOf = (rule: RuleResult, fields: Comparison, vetoes: VetoId[]): Evidence => ({
  version: MATCHER_VERSION,
  ...rule,
  fields,
  vetoes,
});

// biome-ignore format: a table
const NO_FIELDS: Comparison = {
  family: 'missing', given: 'missing', birthDate: 'missing', sex: 'missing', suffix: 'missing', street: 'missing', zip: 'missing',
  phone: 'missing', email: 'missing', ssnLast4: 'missing', medicareId: 'missing', memberId: 'missing',
};

/** Applies rule 22: a known record number identifies the person unless all of the person's records, or a number, contradict it. */
function judgeKnownRecord(subject: NormalizedDemographics, person: KnownPerson): RankedCandidate {
  const { personId, records } = person;
  const rule: RuleResult = { ruleId: KNOWN_RECORD, probability: 0 };
  const pair = pairsWith(subject);
  const compared = records.map((record) => pair(record).fields);
  const agreeing = compared.find((fields) => !levelsContradict(fields));
  const fields = agreeing ?? compared[0] ?? NO_FIELDS;
  const isContradicted = agreeing === undefined && compared.length > 0;
  const vetoes: VetoId[] = isContradicted ? ['record-number-contradicted'] : numberVetoes(pair, person);
  return { personId, evidence: evidenceOf(rule, fields, vetoes) };
}

/** Returns the subject without phones and an email that many people share, which would make strangers agree. */
function withoutSharedContacts(
  subject: NormalizedDemographics,
  people: readonly KnownPerson[],
): NormalizedDemographics {
  const isShared = (has: (record: NormalizedDemographics) => boolean): boolean => {
    let owners = 0;
    for (const { records } of people) if (records.some(has) && ++owners >= SHARED_CONTACT_PERSONS) return true;
    return false;
  };
  return {
    ...subject,
    phones: subject.phones.filter((phone) => !isShared((record) => record.phones.includes(phone))),
    email: subject.email !== null && isShared((record) => record.email === subject.email) ? null : subject.email,
  };
}
