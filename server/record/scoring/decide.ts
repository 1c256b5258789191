import { type Comparison, compare } from './comparison.ts';
import type { NormalisedDemographics } from './demographics.ts';
import { AUTO_THRESHOLD, bestRule, REVIEW_THRESHOLD, type RuleResult } from './link-rules.ts';
import { couldBeTwins, isContradiction, pairVetoes, type VetoId } from './vetoes.ts';

/** Stored with each link. Raise it whenever normalisation, rules or vetoes change. */
export const MATCHER_VERSION = '3';

/** The rule by which a record number that was known already links: number 22 of the proposal (a namespace-bound identifier). */
export const KNOWN_RECORD = 'R22';

/** A phone or e-mail that this many candidates have is a switchboard or an office, and identifies nobody. */
export const SHARED_CONTACT_PERSONS = 5;

/** A person who may be the subject, with every record that is linked to him or her (roster rows, source patients). */
export interface KnownPerson {
  personId: string;
  records: readonly NormalisedDemographics[];
}

/** Why a link was made or proposed. Safe to store and show: no demographic value is in it. */
export type Evidence = {
  version: string;
  /** An id of `RULES`, or R22: a record number that was known already. */
  ruleId: string;
  /** That two strangers agree so by chance. */
  probability: number;
  fields: Comparison;
  vetoes: VetoId[];
};

export interface RankedCandidate {
  personId: string;
  evidence: Evidence;
}

/** `candidates` come least probability first; `evidence` is that of the person linked, or of the first candidate. */
export type Decision =
  | { outcome: 'matched'; personId: string; candidates: RankedCandidate[]; evidence: Evidence }
  | { outcome: 'review'; candidates: RankedCandidate[]; evidence: Evidence }
  | { outcome: 'new'; candidates: []; evidence: null };

export interface DecideOptions {
  /** The person to whom the subject's facility and record number are linked already. */
  knownRecord?: KnownPerson;
}

/**
 * Who is the subject? `candidates` are all people that share a blocking key with it, each once.
 *
 * - matched: exactly one candidate at or below AUTO_THRESHOLD, and no veto; or the record number was known, neither name,
 *   birth date nor numbers contradict it, and nobody else is as likely: who moves or marries stays who he or she was.
 * - review: two or more candidates at or below AUTO_THRESHOLD, even where a veto stands against one of them; one with a
 *   veto; or candidates up to REVIEW_THRESHOLD that no contradiction excludes; or a known record number that is
 *   contradicted.
 * - new: anything else.
 */
export function decide(
  subject: NormalisedDemographics,
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

/** Where the rules would link to somebody, or something speaks against the known person, they decide, not the number. */
function isDoubtful({ personId }: RankedCandidate, ranked: readonly RankedCandidate[]): boolean {
  return ranked.some(
    ({ personId: other, evidence }) =>
      evidence.probability <= AUTO_THRESHOLD || (other === personId && evidence.vetoes.length > 0),
  );
}

/** Every person whom the subject may be, the least probability first. */
function rank(subject: NormalisedDemographics, people: readonly KnownPerson[]): RankedCandidate[] {
  const ranked: RankedCandidate[] = [];
  for (const person of people) {
    const evidence = bestEvidence(subject, person);
    if (evidence === null) continue;
    for (const veto of numberVetoes(subject, person)) if (!evidence.vetoes.includes(veto)) evidence.vetoes.push(veto);
    if (evidence.probability <= AUTO_THRESHOLD && hasTwin(person, subject, people))
      evidence.vetoes.push('household-twin');
    ranked.push({ personId: person.personId, evidence });
  }
  return ranked.sort((a, b) => a.evidence.probability - b.evidence.probability || (a.personId < b.personId ? -1 : 1));
}

/** Whether somebody else could be the twin of the subject, or of the person, judged by any record of either. */
function hasTwin(person: KnownPerson, subject: NormalisedDemographics, people: readonly KnownPerson[]): boolean {
  const own = [subject, ...person.records];
  return people.some(
    ({ personId, records }) =>
      personId !== person.personId && records.some((other) => own.some((record) => couldBeTwins(record, other))),
  );
}

/** What speaks best for a link to the person: a record without a veto before others, then the least probability. */
function bestEvidence(subject: NormalisedDemographics, person: KnownPerson): Evidence | null {
  let best: Evidence | null = null;
  for (const record of person.records) {
    const evidence = judge(subject, record);
    if (evidence !== null && (best === null || isStronger(evidence, best))) best = evidence;
  }
  return best;
}

/** Numbers of which the person's records have others and none has the subject's: a record that is silent about them does not answer for those. */
function numberVetoes(subject: NormalisedDemographics, { records }: KnownPerson): VetoId[] {
  const compared = records.map((record) => compare(subject, record));
  const isOther = (number: 'ssnLast4' | 'medicareId') =>
    compared.some((fields) => fields[number] === 'differs') && compared.every((fields) => fields[number] !== 'exact');
  return [
    ...(isOther('ssnLast4') ? ['ssn4-differs' as const] : []),
    ...(isOther('medicareId') ? ['medicare-id-differs' as const] : []),
  ];
}

function isStronger(a: Evidence, b: Evidence): boolean {
  const isAutomatic = (e: Evidence): boolean => e.probability <= AUTO_THRESHOLD && e.vetoes.length === 0;
  if (isAutomatic(a) !== isAutomatic(b)) return isAutomatic(a);
  return a.probability < b.probability || (a.probability === b.probability && a.vetoes.length < b.vetoes.length);
}

/** The evidence of one pair, or null where it is not worth a person's look. */
function judge(subject: NormalisedDemographics, record: NormalisedDemographics): Evidence | null {
  const fields = compare(subject, record);
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

/** A namespace-bound identifier (rule 22 of the proposal): it stands unless every record of the person contradicts, or a number does. */
function judgeKnownRecord(subject: NormalisedDemographics, person: KnownPerson): RankedCandidate {
  const { personId, records } = person;
  const rule: RuleResult = { ruleId: KNOWN_RECORD, probability: 0 };
  const compared = records.map((record) => compare(subject, record));
  const agreeing = compared.find((fields) => !contradictsRecord(fields));
  const fields = agreeing ?? compared[0] ?? NO_FIELDS;
  const isContradicted = agreeing === undefined && compared.length > 0;
  const vetoes: VetoId[] = isContradicted ? ['record-number-contradicted'] : numberVetoes(subject, person);
  return { personId, evidence: evidenceOf(rule, fields, vetoes) };
}

/** A family name changes by marriage, a birth date by the correction of a slip; not both at once. */
function contradictsRecord({ given, family, birthDate, suffix }: Comparison): boolean {
  if (suffix === 'differs') return true;
  return given === 'differs' || birthDate === 'differs' || (family === 'differs' && birthDate !== 'exact');
}

/** The subject without the phones and the e-mail that belong to many: they would make strangers agree. */
function withoutSharedContacts(
  subject: NormalisedDemographics,
  people: readonly KnownPerson[],
): NormalisedDemographics {
  const isShared = (has: (record: NormalisedDemographics) => boolean): boolean => {
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
