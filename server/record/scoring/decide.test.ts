import fc from 'fast-check';
import { expect, test } from 'vitest';
import { closePeople, FULL, person, sparse } from '#server/testing/invented-people.ts';
import type { ListSnapshot } from './common-values.ts';
import { decide, type KnownPerson, MATCHER_VERSION } from './decide.ts';
import { type Demographics, type NormalizedDemographics, normalize } from './demographics.ts';
import { SHARED_CONTACT_PERSONS } from './shared-contacts.ts';

const known = (personId: string, ...records: KnownPerson['records']): KnownPerson => ({ personId, records });
/** No contacts and no numbers: only names, birth date and address are left. */
const NO_NUMBERS: Partial<Demographics> = { phones: [], email: null, ssnLast4: null, medicareId: null, memberIds: [] };
const nowhere: Partial<Demographics> = { ...NO_NUMBERS, line1: null, zip: null, sex: null };
const rosterRow = (overrides: Partial<Demographics> = {}): Partial<Demographics> => ({
  ...NO_NUMBERS,
  line1: null,
  ...overrides,
});

test('The same person is matched, with evidence that contains no demographic values', () => {
  const decision = decide(person(), [known('7', person())]);
  expect(decision).toMatchObject({ outcome: 'matched', personId: '7', evidence: { ruleId: 'score', vetoes: [] } });
  const text = JSON.stringify(decision);
  expect(JSON.parse(text)).toEqual(decision);
  for (const value of [
    'LINDQVIST',
    'MARGARET',
    '1948',
    'STAMM',
    '02155',
    '6172328841',
    '5017',
    'mail.example',
    'W220117',
  ]) {
    expect(text.toUpperCase()).not.toContain(value.toUpperCase());
  }
});

test('The evidence names the version, and with it how common names were taken to be', () => {
  const snapshot = {
    number: 7,
    given: new Map<string, number>(),
    family: new Map<string, number>(),
    housemates: 2,
    persons: 0,
  };
  const versions = [null, snapshot].map(
    (each) => decide(person(), [known('7', person())], { snapshot: each }).evidence?.version,
  );
  expect(versions).toEqual([MATCHER_VERSION, `${MATCHER_VERSION}.7`]);
});

test('Without candidates the subject is a new person', () => {
  expect(decide(person(), [])).toEqual({ outcome: 'new', candidates: [], evidence: null });
});

test('Full name, birth date and ZIP code link, also without the sex; name and birth date alone go to review', () => {
  const unknownSex = person(rosterRow({ sex: 'U' }));
  expect(decide(unknownSex, [known('7', person(rosterRow()))]).outcome).toBe('matched');
  const alone = person({ ...nowhere, city: null, middle: null });
  expect(decide(alone, [known('7', alone)]).outcome).toBe('review');
});

test('The strongest of several records counts', () => {
  const former = person({ ...NO_NUMBERS, family: 'Okafor', line1: '9 Quay Rd', zip: '02301' });
  const decision = decide(person(NO_NUMBERS), [known('7', former, person(NO_NUMBERS))]);
  expect(decision).toMatchObject({ outcome: 'matched', evidence: { fields: { street: 'exact' } } });
});

test('A record without a Medicare number does not outweigh records with a different one', () => {
  const otherCard = { medicareId: '4Q79Y63NV59' };
  const silent = person({ medicareId: null });
  expect(decide(person(otherCard), [known('7', person(), silent)])).toMatchObject({
    outcome: 'review',
    evidence: { vetoes: ['medicare-id-differs'] },
  });
  expect(decide(person(otherCard), [known('7', person(), silent, person(otherCard))]).outcome).toBe('matched');
});

test('Another last four of the SSN count against a match, and do not outweigh everything else', () => {
  const other = decide(person({ ssnLast4: '9944' }), [known('7', person())]);
  const same = decide(person(), [known('7', person())]);
  expect(other.outcome).toBe('matched');
  expect(other.evidence?.bits).toBeLessThan((same.evidence?.bits ?? 0) - 15);
  expect(
    decide(
      person({
        ssnLast4: '9944',
        given: 'Margarte',
        line1: '9 Quay Rd',
        zip: '02301',
        phones: [],
        email: null,
        medicareId: null,
        memberIds: [],
        city: 'Brockton',
      }),
      [known('7', person())],
    ).outcome,
  ).not.toBe('matched');
});

test('Two candidates who agree go to review, however high the score', () => {
  const decision = decide(person(), [known('8', person()), known('7', person())]);
  expect(decision.outcome).toBe('review');
  expect(decision.candidates.map(({ personId }) => personId)).toEqual(['7', '8']);
});

test('Two candidates by different evidence go to review, even if they do not share a household', () => {
  const subject = person();
  const byAddress = person({ ...NO_NUMBERS, birthDate: '1948-03-18' });
  const byMedicareId = person({ ...nowhere, phones: [], medicareId: FULL.medicareId });
  for (const record of [byAddress, byMedicareId]) expect(decide(subject, [known('7', record)]).outcome).toBe('matched');
  expect(decide(subject, [known('7', byAddress), known('8', byMedicareId)]).outcome).toBe('review');
});

test('A weaker second candidate does not prevent the link', () => {
  const namesake = person({ ...nowhere, city: null, middle: null });
  const decision = decide(person(), [known('8', namesake), known('7', person())]);
  expect(decision).toMatchObject({ outcome: 'matched', personId: '7' });
  expect(decision.candidates.map(({ personId }) => personId)).toEqual(['7', '8']);
});

test.each<[string, Partial<Demographics>, string]>([
  ['a different Medicare ID', { medicareId: '2AB3CD4EF77' }, 'medicare-id-differs'],
  ['a different generation', { suffix: 'Jr' }, 'generation-differs'],
  ['a different sex and a nickname', { sex: 'M', given: 'Peggy' }, 'sex-differs'],
  ['a different birth date', { birthDate: '1951-02-11', ssnLast4: null, medicareId: null }, 'birth-date-differs'],
  ['a different birth date and given name', { birthDate: '1951-02-11', given: 'Ruth' }, 'birth-date-differs'],
  ['a different given name', { given: 'Ruth', ssnLast4: null, medicareId: null }, 'given-name-differs'],
  ['a different given name and sex', { given: 'Ralph', sex: 'M' }, 'sex-and-given-name-differ'],
  ['no given name yet', { given: 'Baby Girl' }, 'unnamed-newborn'],
])('With %s, strong agreement goes to review', (_, change, veto) => {
  const decision = decide(person(change), [known('7', person({ suffix: 'III' }))]);
  expect(decision).toMatchObject({ outcome: 'review', evidence: { vetoes: expect.arrayContaining([veto]) } });
  expect(decision.evidence?.bits).toBeGreaterThan(30);
});

test('A different birth date is an error if name, home and personal numbers agree, but not with the last four alone', () => {
  const numbers = { ...NO_NUMBERS, ssnLast4: FULL.ssnLast4, medicareId: FULL.medicareId };
  const listed = person({ ...numbers, birthDate: '1951-02-11' });
  expect(decide(person(numbers), [known('7', listed)]).outcome).toBe('matched');
  const byLastFour = person({ ...numbers, medicareId: null, birthDate: '1951-02-11' });
  expect(decide(person(numbers), [known('7', byLastFour)]).outcome).toBe('review');
});

test('Where nobody of a home is listed together, a name with a typing error is linked for young people too', () => {
  const subject = person({ ...NO_NUMBERS, birthDate: '2004-03-17' });
  const listed = person({ ...NO_NUMBERS, birthDate: '2004-03-17', given: 'Margafet' });
  const lists = { number: 1, persons: 5000, given: new Map<string, number>(), family: new Map<string, number>() };
  const outcome = (snapshot: ListSnapshot | null) => decide(subject, [known('7', listed)], { snapshot }).outcome;
  expect(outcome(null)).toBe('review');
  expect(outcome({ ...lists, housemates: 1.2 })).toBe('review');
  expect(outcome({ ...lists, housemates: 0.0006 })).toBe('matched');
});

test('A spouse, a sibling and a neighbor are new people; a parent of the same name and a twin go to review', () => {
  const home = { ...NO_NUMBERS, middle: null, phones: FULL.phones };
  const at = (change: Partial<Demographics>) =>
    decide(person({ ...home, ...change }), [known('7', person(home))]).outcome;
  expect(at({ given: 'Robert', sex: 'M', birthDate: '1946-05-02' })).toBe('new');
  expect(at({ given: 'Ruth', birthDate: '1951-05-02' })).toBe('new');
  expect(at({ given: 'Ruth', family: 'Okafor', birthDate: '1971-05-02' })).toBe('new');
  expect(at({ birthDate: '1975-05-02' })).toBe('review');
  expect(at({ given: 'Ruth' })).toBe('review');
});

test('A phone that many people share identifies none of them', () => {
  const switchboard = { ...NO_NUMBERS, phones: ['617-232-8000'], line1: null, zip: null, city: null, middle: null };
  const subject = person({ ...switchboard, family: 'Okafor' });
  const resident = (n: number): KnownPerson =>
    known(`${n}`, person({ ...switchboard, given: 'Ann', family: 'Lim', birthDate: `1950-01-${10 + n}` }));
  const others = Array.from({ length: SHARED_CONTACT_PERSONS - 1 }, (_, n) => resident(n));
  const candidate = known('77', person(switchboard));
  expect(decide(subject, [candidate]).evidence?.fields.phone).toBe('exact');
  expect(decide(subject, [candidate, ...others]).outcome).toBe('new');
});

test('A known record number links by itself, even after a marriage or a corrected typo', () => {
  const knownRecord = known('7', person());
  const moved = sparse({ family: 'Okafor', given: 'Margaret', birthDate: '1948-03-17' });
  expect(decide(moved, [], { knownRecord })).toMatchObject({
    outcome: 'matched',
    personId: '7',
    evidence: { ruleId: 'R22' },
  });
  expect(decide(person({ birthDate: '1948-03-18' }), [], { knownRecord }).outcome).toBe('matched');
  expect(decide(sparse({}), [], { knownRecord: known('7') }).outcome).toBe('matched');
});

test.each<[string, Partial<Demographics>]>([
  ['given name', { given: 'Ruth' }],
  ['birth date', { birthDate: '1975-02-11' }],
  ['family name and a nearly equal birth date', { family: 'Okafor', birthDate: '1948-03-18' }],
])('A known record number that is contradicted by the %s goes to review', (_, change) => {
  const other = known('9', person(change));
  const decision = decide(person(change), [other, known('7', person())], { knownRecord: known('7', person()) });
  expect(decision.outcome).toBe('review');
  expect(decision.evidence?.vetoes).toEqual(['record-number-contradicted']);
  expect(decision.candidates.map(({ personId }) => personId)).toEqual(['7', '9']);
});

test('A known record number does not link against a different number or generation, or if someone else is as likely', () => {
  const knownRecord = known('7', person());
  const moved = { ...NO_NUMBERS, line1: '9 Quay Rd', zip: '02301', family: 'Okafor' };
  const alone = decide(person(moved), [knownRecord], { knownRecord });
  expect(alone).toMatchObject({ outcome: 'matched', personId: '7', evidence: { ruleId: 'R22' } });
  for (const change of [{ ssnLast4: '9944' }, { medicareId: '3AB3CD4EF57' }, { suffix: 'Jr' }]) {
    const before = known('7', person({ suffix: 'Sr' }));
    expect(decide(person({ ...moved, ...change }), [before], { knownRecord: before }).outcome).toBe('review');
  }
  const other = known('9', person(moved));
  expect(decide(person(moved), [knownRecord, other], { knownRecord })).toMatchObject({
    outcome: 'matched',
    personId: '9',
    evidence: { ruleId: 'score' },
  });
});

const TWIN_NAMES = [
  'Ruth',
  'Ralph',
  'Maria',
  'Mariah',
  'Jayden',
  'Jaden',
  'Daniel',
  'Daniela',
  'Patrick',
  'Patricia',
  'John',
  'Joan',
];
const twins = fc
  .record({
    names: fc.shuffledSubarray([...TWIN_NAMES, 'Baby Boy A', 'Twin B'], { minLength: 2, maxLength: 2 }),
    sexes: fc.tuple(fc.constantFrom('M', 'F', null), fc.constantFrom('M', 'F', null)),
    // SSN4 and Medicare ID belong to one person; twins may share everything else.
    shared: fc.subarray(['line1', 'zip', 'phones', 'email', 'memberIds'] as const),
  })
  .map(({ names, sexes, shared }) => {
    const household: Partial<Demographics> = { ...NO_NUMBERS, line1: null, zip: null };
    const home = { ...household, ...Object.fromEntries(shared.map((field) => [field, FULL[field]])) };
    return names.map((given, i) => ({ ...FULL, ...home, given, sex: sexes[i] ?? null }));
  });

test('A twin is never linked to the other twin', () => {
  fc.assert(
    fc.property(twins, ([a, b]) => {
      if (a === undefined || b === undefined) return;
      expect(decide(normalize(a), [known('2', normalize(b))]).outcome).not.toBe('matched');
    }),
    { numRuns: 5000 },
  );
});

test('If both twins of a household are known, an exact name links to its own twin, and any other goes to review', () => {
  fc.assert(
    fc.property(twins, ([a, b]) => {
      if (a === undefined || b === undefined) return;
      const household =
        a.line1 !== null && a.zip !== null ? true : a.phones.length + a.memberIds.length > 0 || a.email !== null;
      fc.pre(household);
      const decision = decide(normalize(a), [known('1', normalize(a)), known('2', normalize(b))]);
      if (decision.outcome === 'matched') expect(decision.personId).toBe('1');
    }),
    { numRuns: 5000 },
  );
  const outcomes = ['Margaret', 'Margafet', 'M'].map((given) => amongTwins(person({ ...NO_NUMBERS, given })).outcome);
  expect(outcomes).toEqual(['matched', 'review', 'review']);
});

const amongTwins = (subject: NormalizedDemographics) =>
  decide(subject, [known('1', person(NO_NUMBERS)), known('2', person({ ...NO_NUMBERS, given: 'Ruth' }))]);

test('A name close to the twin’s is settled by a number that agrees, unless the twin’s record has it too', () => {
  const sharing = (ssnLast4: string | null) =>
    decide(person({ ...NO_NUMBERS, given: 'Emil', ssnLast4: '5058' }), [
      known('1', person({ ...NO_NUMBERS, given: 'Emil', ssnLast4: '5058' })),
      known('2', person({ ...NO_NUMBERS, given: 'Emilia', ssnLast4 })),
    ]).outcome;
  expect(['0949', '5058', null].map(sharing)).toEqual(['matched', 'review', 'matched']);
});

test('A newborn named after the mother may be a twin, whatever the number', () => {
  const newborn = { ...NO_NUMBERS, birthDate: '2026-11-19', middle: null };
  for (const [a, b] of [
    ['1Wendysgirl', '2Wendysgirl'],
    ['Girl1 Wendy', 'Girl2 Wendy'],
    ['Wendysboy', 'Wendysboy'],
  ])
    expect(
      decide(person({ ...newborn, given: a ?? '' }), [known('7', person({ ...newborn, given: b ?? '' }))]).outcome,
    ).toBe('review');
});

test('Grown twins of one home are not linked for names that no table has, or a shared first name', () => {
  const home = { ...NO_NUMBERS, phones: FULL.phones, birthDate: '1961-04-09', middle: null };
  const pairs: [Partial<Demographics>, Partial<Demographics>][] = [
    [{ given: 'Xiaohong' }, { given: 'Xiaodong' }],
    [{ given: 'Sureshbhai' }, { given: 'Nareshbhai' }],
    [{ given: 'Jose Luis' }, { given: 'Jose Antonio' }],
    [
      { given: 'Mary', middle: 'Agnes' },
      { given: 'Mary', middle: 'Bernadette' },
    ],
  ];
  for (const [a, b] of pairs)
    expect(decide(person({ ...home, ...a }), [known('7', person({ ...home, ...b }))]).outcome, a.given ?? '').toBe(
      'review',
    );
});

test('A placeholder for the last four digits is no personal number', () => {
  for (const ssnLast4 of ['1111', '6789', '999996789', '666121234']) {
    const twin = { ...NO_NUMBERS, birthDate: '1943-04-09', ssnLast4 };
    expect(decide(person(twin), [known('7', person({ ...twin, given: 'Ruth' }))]).outcome, ssnLast4).toBe('review');
  }
});

test('A father and son with the same name are never linked, whatever else they share', () => {
  const generations = fc.shuffledSubarray(['Sr', 'Jr', 'III', 'IV'], { minLength: 2, maxLength: 2 });
  fc.assert(
    fc.property(closePeople, generations, fc.boolean(), ({ ...shared }, [first = '', second = ''], inFamilyName) => {
      const called = (generation: string): Demographics =>
        inFamilyName
          ? { ...shared, family: `Okafor ${generation}`, suffix: null }
          : { ...shared, family: 'Okafor', suffix: generation };
      const decision = decide(normalize(called(first)), [known('1', normalize(called(second)))]);
      expect(decision.outcome).not.toBe('matched');
    }),
    { numRuns: 5000 },
  );
});

test('Candidates with the same record are compared once', () => {
  let compared = 0;
  const newborn = sparse({
    family: 'Lindqvist',
    given: 'Baby Boy',
    birthDate: '2026-01-14',
    city: 'Fairhaven',
  });
  const record = new Proxy(newborn, {
    get(target, field: keyof typeof newborn) {
      if (field === 'suffix') compared++;
      return target[field];
    },
  });
  const candidates = Array.from({ length: 300 }, (_, n) => known(String(n), record));
  expect(decide(newborn, candidates)).toMatchObject({ outcome: 'review', evidence: { vetoes: ['unnamed-newborn'] } });
  // Once for its sketch, once to compare it.
  expect(compared).toBe(2);
});

test('Hundreds of likely candidates are a review without comparing each with all the others', () => {
  let read = 0;
  const candidates = Array.from({ length: 300 }, (_, n) => {
    const record = person({ ...NO_NUMBERS, line1: null, ssnLast4: String(1000 + n) });
    const counted = new Proxy(record, {
      get(target, field: keyof typeof record) {
        if (field === 'familyWhole') read++;
        return target[field];
      },
    });
    return known(String(n), counted);
  });
  expect(decide(person({ ...NO_NUMBERS, line1: null, ssnLast4: '9999' }), candidates).outcome).toBe('review');
  expect(read).toBeLessThan(300 * 100);
});

test('Of someone with thousands of records, a hundred are compared', () => {
  const read = new Set<string>();
  const records = Array.from({ length: 2000 }, (_, n) => {
    const record = person({ ...NO_NUMBERS, ssnLast4: String(1000 + n) });
    return new Proxy(record, {
      get(target, field: keyof typeof record) {
        if (field === 'familyWhole') read.add(String(n));
        return target[field];
      },
    });
  });
  const many = known('7', ...records);
  decide(person({ ...NO_NUMBERS, ssnLast4: '9999' }), [many], { knownRecord: many });
  expect(read.size).toBe(100);
});

test('The order of candidates and of their records does not matter', () => {
  const records = fc.array(closePeople.map(normalize), { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(closePeople.map(normalize), fc.array(records, { maxLength: 5 }), (subject, lists) => {
      const people = lists.map((list, i) => known(`${i}`, ...list));
      const backwards = people.map(({ personId, records: own }) => known(personId, ...own.toReversed())).reverse();
      const [a, b] = [decide(subject, people), decide(subject, backwards)];
      expect(b.outcome).toBe(a.outcome);
      expect(b.candidates.map(({ personId }) => personId)).toEqual(a.candidates.map(({ personId }) => personId));
    }),
    { numRuns: 8000 },
  );
});
