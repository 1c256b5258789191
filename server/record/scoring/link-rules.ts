import type { Comparison, Field } from './comparison.ts';

/** Records are linked without review only if the probability that two strangers agree by chance is at most this. */
export const AUTO_THRESHOLD = 2e-12;
/** Between AUTO_THRESHOLD and this, a reviewer decides. */
export const REVIEW_THRESHOLD = 1e-6;

/**
 * u-values: how often a field agrees for two different people. Source: CMS Health Technology Ecosystem, Patient Matching
 * proposal v3.4.0 (draft), table 3; the value for sex is ours. `street` includes ZIP5. A nickname has the `fuzzy` value,
 * because several names share it.
 */
// biome-ignore format: a table
const U_EXACT: Partial<Record<Field, number>> = {
  given: 0.02, family: 0.005, birthDate: 1e-4, sex: 0.5, street: 3e-5, zip: 3e-4,
  phone: 1e-6, email: 1e-6, ssnLast4: 1e-4, medicareId: 1e-6, memberId: 1e-6,
};
const U_FUZZY: Partial<Record<Field, number>> = { given: 0.03, family: 0.01, street: 6e-5 };

/**
 * How closely a field must agree. `identical`: the same value. `exact`: also a nickname for the given name, which is
 * deterministic. `fuzzy`: also a typo. `unopposed`: may be missing, but must not differ.
 */
export type Mode = 'exact' | 'fuzzy' | 'unopposed' | 'identical';

export interface Rule {
  id: string;
  /** The fields that must agree. `*`: fuzzy is enough; `=`: no nickname either; `?`: may be missing, but must not differ. */
  name: string;
  fields: readonly (readonly [Field, Mode])[];
}

// biome-ignore format: a table
const FIELD_OF_WORD: Record<string, Field> = {
  First: 'given', Last: 'family', DOB: 'birthDate', Sex: 'sex', Street: 'street', ZIP5: 'zip', Phone: 'phone',
  Email: 'email', SSN4: 'ssnLast4', MBI: 'medicareId', 'Member ID': 'memberId',
};
const MODE_OF_MARK: Record<string, Mode> = { '': 'exact', '*': 'fuzzy', '?': 'unopposed', '=': 'identical' };

function rule(id: string, name: string): Rule {
  const fields = name.split(' + ').map((term): readonly [Field, Mode] => {
    const [, word = '', mark = ''] = /^(.*?)([*?=]?)$/.exec(term) ?? [];
    const field = FIELD_OF_WORD[word];
    const mode = MODE_OF_MARK[mark];
    if (field === undefined || mode === undefined) throw new Error(`Rule ${id} names an unknown field`);
    return [field, mode];
  });
  return { id, name, fields };
}

/**
 * R rules are category 1 of the proposal (table 2), with its numbers, as far as we hold the fields. DOB is always exact,
 * because tables 2 and 3 of the proposal disagree about it. Rules 25 and 26 (phone or email + member ID) are left out:
 * spouses share all of these. Rule 22, a known record number, is applied in `decide.ts`. The proposal rejects, and we do not
 * use, member ID alone, subscriber ID + group, DOB + street, email + DOB + city, and names + street without DOB as an
 * automatic link.
 *
 * T01 is ours: the fields that every roster has, with sex instead of nicknames and typos.
 *
 * Q rules are combinations worth a review. Last name + DOB counts only if the given name does not differ; DOB + SSN4 finds
 * records with first and last name swapped.
 */
export const RULES: readonly Rule[] = [
  rule('R01', 'First* + Last* + DOB + Street*'),
  rule('R02', 'First + Last* + DOB + Phone'),
  rule('R03', 'First* + Last* + DOB + Email'),
  rule('R04', 'First* + Last + DOB + SSN4'),
  rule('R05', 'First + Last* + DOB + SSN4'),
  rule('R08', 'First + DOB + MBI'),
  rule('R11', 'First + DOB + Phone'),
  rule('R12', 'First + DOB + Email'),
  rule('R13', 'First + Phone + SSN4'),
  rule('R15', 'First + Email + SSN4'),
  rule('R17', 'Phone + MBI'),
  rule('R19', 'Email + MBI'),
  rule('R23', 'First + DOB + Member ID'),
  rule('R24', 'Last* + DOB + Member ID'),
  rule('T01', 'First= + Last + DOB + ZIP5 + Sex'),
  rule('Q01', 'First* + Last* + DOB'),
  rule('Q02', 'First* + Last* + DOB + ZIP5'),
  rule('Q03', 'First* + DOB + SSN4'),
  rule('Q04', 'Last* + DOB + SSN4'),
  rule('Q05', 'First* + DOB + ZIP5'),
  rule('Q06', 'Last* + DOB + Street*'),
  rule('Q07', 'DOB + Phone'),
  rule('Q08', 'DOB + Email'),
  rule('Q09', 'DOB + Member ID'),
  rule('Q10', 'First* + Last* + Phone'),
  rule('Q11', 'First* + Last* + Email'),
  rule('Q12', 'First* + Last* + Street*'),
  rule('Q13', 'First + Last* + SSN4'),
  rule('Q14', 'First* + Member ID'),
  rule('Q15', 'MBI'),
  rule('Q16', 'First? + Last* + DOB'),
  rule('Q17', 'DOB + SSN4'),
];

/** Returns the probability that two strangers satisfy the rule as this pair does, or null if the pair does not satisfy it. */
export function collisionProbability({ fields }: Rule, comparison: Comparison): number | null {
  let probability = 1;
  for (const [field, mode] of fields) {
    const level = comparison[field];
    if (mode === 'unopposed' && level !== 'differs') continue;
    if (level === 'exact') probability *= U_EXACT[field] ?? 1;
    else if (level === 'nickname' && mode !== 'identical') probability *= U_FUZZY[field] ?? 1;
    else if (level === 'fuzzy' && mode === 'fuzzy' && U_FUZZY[field] !== undefined) probability *= U_FUZZY[field];
    else return null;
  }
  // In binary floating point, 0.02 × 1e-4 × 1e-6 is slightly more than 2e-12; the thresholds are decimal.
  return Number(probability.toPrecision(3));
}

export interface RuleResult {
  ruleId: string;
  probability: number;
}

/** Returns the satisfied rule with the lowest probability (the first of equals), or null if none is satisfied. */
export function bestRule(comparison: Comparison): RuleResult | null {
  let best: RuleResult | null = null;
  for (const candidate of RULES) {
    const probability = collisionProbability(candidate, comparison);
    if (probability === null || (best !== null && probability >= best.probability)) continue;
    best = { ruleId: candidate.id, probability };
  }
  return best;
}
