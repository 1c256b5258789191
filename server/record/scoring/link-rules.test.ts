import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Comparison, FIELDS, type Level } from './comparison.ts';
import { AUTO_THRESHOLD, bestRule, collisionProbability, REVIEW_THRESHOLD, RULES } from './link-rules.ts';

const levels = (known: Partial<Comparison>): Comparison => ({
  ...(Object.fromEntries(FIELDS.map((field) => [field, 'missing'])) as Comparison),
  ...known,
});
const ALL_EXACT = levels(Object.fromEntries(FIELDS.map((field) => [field, 'exact'])));

test('Each rule has the probability that the proposal states', () => {
  const probabilities = Object.fromEntries(RULES.map((rule) => [rule.id, collisionProbability(rule, ALL_EXACT)]));
  // biome-ignore format: a table
  expect(probabilities).toMatchObject({
    R01: 3e-13, R02: 1e-14, R03: 1e-14, R04: 1e-12, R05: 1e-12, R08: 2e-12, R11: 2e-12, R12: 2e-12, R13: 2e-12, R15: 2e-12,
    R17: 1e-12, R19: 1e-12, R23: 2e-12, R24: 5e-13, T01: 1.5e-12, Q01: 1e-8, Q02: 3e-12, Q15: 1e-6, Q16: 5e-7,
  });
});

test('R and T rules link if every field is exact; Q rules never link', () => {
  for (const rule of RULES) {
    const exact = collisionProbability(rule, ALL_EXACT) ?? 1;
    expect(exact <= AUTO_THRESHOLD, rule.id).toBe(!rule.id.startsWith('Q'));
    expect(exact, rule.id).toBeLessThanOrEqual(REVIEW_THRESHOLD);
  }
});

const fullName = { family: 'exact', given: 'exact', birthDate: 'exact' } as const;

test.each<[string, Partial<Comparison>, string | null, number | null]>([
  ['the typical roster key', { ...fullName, zip: 'exact' }, 'Q02', 3e-12],
  ['the roster key and sex', { ...fullName, zip: 'exact', sex: 'exact' }, 'T01', 1.5e-12],
  [
    'the roster key and sex with a nickname',
    { ...fullName, given: 'nickname', zip: 'exact', sex: 'exact' },
    'Q02',
    4.5e-12,
  ],
  [
    'everything fuzzy on the same street',
    { ...fullName, family: 'fuzzy', given: 'fuzzy', street: 'fuzzy' },
    'R01',
    1.8e-12,
  ],
  ['a nickname and the phone', { given: 'nickname', birthDate: 'exact', phone: 'exact' }, 'R11', 3e-12],
  ['SSN4 with both names fuzzy', { ...fullName, family: 'fuzzy', given: 'fuzzy', ssnLast4: 'exact' }, 'Q04', 1e-10],
  ['a different given name', { family: 'exact', given: 'differs', birthDate: 'exact' }, null, null],
  ['no given name', { family: 'exact', birthDate: 'exact' }, 'Q16', 5e-7],
  ['a member ID alone', { memberId: 'exact' }, null, null],
  ['first name and birth date', { given: 'exact', birthDate: 'exact' }, null, null],
  ['names and street without a birth date', { family: 'exact', given: 'exact', street: 'exact' }, 'Q12', 3e-9],
  ['a fuzzy birth date', { ...fullName, birthDate: 'fuzzy', zip: 'exact' }, null, null],
])('%s', (_, known, ruleId, probability) => {
  const best = bestRule(levels(known));
  expect(best?.ruleId ?? null).toBe(ruleId);
  expect(best?.probability ?? null).toBe(probability);
});

test('Agreement in one more field never raises the probability', () => {
  const order: Level[] = ['missing', 'fuzzy', 'nickname', 'exact'];
  const anyLevels = fc.record(
    Object.fromEntries(FIELDS.map((field) => [field, fc.constantFrom<Level>('missing', 'differs', 'fuzzy', 'exact')])),
  ) as fc.Arbitrary<Comparison>;
  fc.assert(
    fc.property(anyLevels, fc.constantFrom(...FIELDS), fc.constantFrom(...order), (before, field, level) => {
      const isStep = before[field] === 'missing' || before[field] === 'differs' || level === 'exact';
      fc.pre(isStep && level !== 'missing');
      const after = { ...before, [field]: level };
      expect(bestRule(after)?.probability ?? 1).toBeLessThanOrEqual(bestRule(before)?.probability ?? 1);
    }),
    { numRuns: 5000 },
  );
});
