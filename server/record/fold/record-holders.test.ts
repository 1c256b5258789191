import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type FactDetails, fact } from '#server/testing/facts.ts';
import type { Fact } from './fold-input.ts';
import { separatePatients } from './record-holders.ts';
import { groupIntoVisits } from './visit-grouping.ts';

const person = (given: string, family: string, birthDate?: string) => ({
  name: { family, given, middle: null, suffix: null },
  ...(birthDate && { birthDate }),
});
const ama = person('Ama', 'Osei', '1941-03-14');
const kofi = person('Kofi', 'Mensah', '1950-01-02');
let minute = 0;
/** Each message is written a minute after the one before. */
const nextMinute = (): string => {
  const two = (n: number) => String(n).padStart(2, '0');
  minute++;
  return `${1 + Math.floor(minute / 1440)} ${two(Math.floor(minute / 60) % 24)}:${two(minute % 60)}`;
};
const of = (visit: string | null, patient: FactDetails['patient'], more: FactDetails = {}, trigger = 'A01') =>
  fact(trigger, nextMinute(), { visit, patient, ...more });
const names = (...facts: Fact[]) => separatePatients(facts).facts.map(({ adt }) => adt.patient.recordNumber);
const [FIRST, SECOND, THIRD] = ['M100', 'M100 (patient 2)', 'M100 (patient 3)'];

describe('a record number', () => {
  it('has one holder if name and birth date agree, or differ as a person’s may', () => {
    const variants: FactDetails['patient'][] = [
      ama,
      person('Ama', 'Osei', '1941-03-15'),
      person('Ama', 'Osey-Reyes', '1941-03-14'),
      person('A', 'Osei'),
      { birthDate: '1941-03-14' },
      {},
    ];
    for (const variant of variants) expect(names(of('V101', ama), of('V102', variant))).toEqual([FIRST, FIRST]);
    const newborn = person('Baby Girl', 'Osei', '2026-03-01');
    expect(names(of('V101', newborn), of('V102', person('Ama', 'Osei', '2026-03-01')))).toEqual([FIRST, FIRST]);
  });

  it('has two holders if their demographics contradict each other, and the first keeps it', () => {
    const others: FactDetails['patient'][] = [
      kofi,
      person('Kofi', 'Osei', '1941-03-14'),
      person('Ama', 'Osei', '1970-11-30'),
      person('Ama', 'Mensah'),
      { ...ama, name: { ...ama.name, suffix: 'JR' } },
    ];
    const known = { ...ama, name: { ...ama.name, suffix: 'SR' } };
    for (const other of others) {
      expect(names(of('V101', known), of('V102', other), of('V101', {}), of('V102', {}))).toEqual([
        FIRST,
        SECOND,
        FIRST,
        SECOND,
      ]);
    }
  });

  it('has one holder if a single visit is corrected', () => {
    expect(names(of('V101', ama), of('V101', kofi, {}, 'A08'))).toEqual([FIRST, FIRST]);
    expect(names(of('V101', ama), of(null, kofi, {}, 'A08'))).toEqual([FIRST, FIRST]);
    expect(names(of('V101', ama), of(null, { ...ama, birthDate: '1970-11-30' }, { noVisit: true }, 'A31'))).toEqual([
      FIRST,
      FIRST,
    ]);
    expect(names(of(null, ama, { noVisit: true }, 'A28'), of(null, kofi, { noVisit: true }, 'A31'))).toEqual([
      FIRST,
      FIRST,
    ]);
  });

  it('stays with the holder whose visit did not change if another visit is changed to someone else', () => {
    expect(names(of('V101', ama), of('V102', ama), of('V101', kofi, {}, 'A08'))).toEqual([SECOND, FIRST, SECOND]);
  });

  it('stays with the holder whose visit took place if the other’s was canceled', () => {
    const corrected = { ...ama, birthDate: '1970-11-30' };
    const visits = [of('V101', ama), of('V102', ama), of('V102', ama, {}, 'A11'), of('V101', corrected, {}, 'A08')];
    expect(names(...visits)).toEqual([FIRST, SECOND, SECOND, FIRST]);
    expect(names(...visits, of('V102', ama))).toEqual([SECOND, FIRST, FIRST, SECOND, FIRST]);
  });

  it('keeps someone registered under it without a visit apart', () => {
    const registered = of(null, kofi, { noVisit: true }, 'A28');
    expect(names(of('V101', ama), registered)).toEqual([FIRST, SECOND]);
    expect(names(of('V101', ama), registered, of('V102', kofi))).toEqual([FIRST, SECOND, SECOND]);
  });

  it('compares what a visit lacks with what is known from the holder’s other visits', () => {
    expect(names(of('V101', person('Ama', 'Osei')), of('V102', ama), of('V103', kofi))).toEqual([FIRST, FIRST, SECOND]);
    expect(names(of('V101', {}), of('V102', ama), of('V101', {}))).toEqual([FIRST, FIRST, FIRST]);
    const married = person('Ama', 'Reyes', '1941-03-14');
    expect(names(of('V101', ama), of('V102', married), of('V103', person('Ama', 'Osei')))).toEqual([
      FIRST,
      FIRST,
      FIRST,
    ]);
  });

  it('with two holders gives a visit without demographics to neither', () => {
    expect(names(of('V101', ama), of('V102', kofi), of('V103', {}), of('V104', {}))).toEqual([
      FIRST,
      SECOND,
      THIRD,
      'M100 (patient 4)',
    ]);
  });

  it('with very many holders puts only equal names and birth dates together, without taking long', () => {
    const letters = (n: number) => [...String(n)].map((digit) => 'abcdefghij'[Number(digit)]).join('');
    const crowd = Array.from({ length: 2000 }, (_, n) =>
      of(`V${n}000`, person(`Q${letters(n)}`, 'Osei', '1941-03-14')),
    );
    const again = of('V999', person('Qb', 'Osei', '1941-03-14'));
    const given = names(...crowd, again, of('V998', {}));
    expect(new Set(given).size).toBe(2001);
    expect(given.at(-2)).toBe(given[1]);
  }, 5000);

  it('gives a message without a visit number to whom it describes, even during the other’s stay', () => {
    const facts = [of('V101', ama), of('V102', kofi), of(null, ama, {}, 'A03'), of(null, kofi, {}, 'A02')];
    expect(names(...facts)).toEqual([FIRST, SECOND, FIRST, SECOND]);
    expect(names(...facts, of(null, {}, {}, 'A03'))).toHaveLength(5);
  });

  it('separates visits that are known by account or day only', () => {
    expect(names(of(null, ama, { account: 'A501' }), of(null, kofi, { account: 'A502' }))).toEqual([FIRST, SECOND]);
    expect(names(of(null, ama, { admitted: '1' }), of(null, kofi, { admitted: '2' }))).toEqual([FIRST, SECOND]);
  });

  it('means by its name the holder whom staff or a job refer to', () => {
    const closed = of('V102', {}, { record: SECOND }, 'CLOSE');
    const entered = of('V900', {}, { record: SECOND, manual: 'ADMIT' }, 'MANUAL');
    const onFirst = of('V901', {}, { manual: 'ADMIT' }, 'MANUAL');
    expect(names(of('V101', ama), of('V102', kofi), closed, entered, onFirst)).toEqual([
      FIRST,
      SECOND,
      SECOND,
      SECOND,
      FIRST,
    ]);
  });

  it('is merged or moved for the holder whom the merge describes', () => {
    const merge = { priorRecordNumber: 'M100' };
    const merged = of(null, kofi, { noVisit: true, record: 'M200', merge }, 'A40');
    const facts = separatePatients([of('V101', ama), of('V102', kofi), merged]).facts;
    expect(facts[2]?.adt.merge?.priorRecordNumber).toBe(SECOND);
    const moved = of('V102', ama, { record: 'M300', merge: { ...merge, priorVisitNumber: 'V102' } }, 'A45');
    const [, , move] = separatePatients([of('V101', ama), of('V102', kofi), moved]).facts;
    expect(move?.adt.merge?.priorRecordNumber).toBe(SECOND);
  });

  it('is not merged with one of someone else until a person confirms it', () => {
    const merge = { priorRecordNumber: 'M100' };
    const into = (patient: FactDetails['patient']) =>
      of(null, patient, { noVisit: true, record: 'M200', merge }, 'A40');
    const heldOf = (...facts: Fact[]) => separatePatients(facts).held.map(({ prior, surviving }) => [prior, surviving]);
    const twin = person('Kwame', 'Osei', '1941-03-14');
    for (const other of [kofi, twin]) {
      const facts = [of('V101', ama), of('V201', other, { record: 'M200' }), into(other)];
      expect(heldOf(...facts)).toEqual([['M100', 'M200']]);
      const [, , merged] = separatePatients(facts).facts;
      expect(merged?.adt.merge?.priorRecordNumber).toBeNull();
      expect(separatePatients(facts, { decisionOn: () => 'confirmed' }).held).toEqual([]);
    }
    for (const same of [ama, person('Ama', 'Osei', '1970-11-30'), person('Ama', 'Reyes', '1941-03-14'), {}]) {
      expect(heldOf(of('V101', ama), of('V201', same, { record: 'M200' }), into(same))).toEqual([]);
    }
  });

  it('leaves a visit that goes on under the surviving number of a held merge with its patient', () => {
    const merge = { priorRecordNumber: 'M100' };
    const facts = [
      of('V101', ama),
      of('V201', kofi, { record: 'M200' }),
      of(null, kofi, { noVisit: true, record: 'M200', merge }, 'A40'),
      of('V101', kofi, { record: 'M200' }, 'A03'),
      of('V201', kofi, { record: 'M200' }, 'A03'),
    ];
    expect(names(...facts)).toEqual(['M100', 'M200', 'M200', 'M100', 'M200']);
    const discharge = separatePatients(facts).facts[3];
    expect(discharge?.adt.patient.name).toBeUndefined();
    const confirmed = separatePatients(facts, { decisionOn: () => 'confirmed' }).facts;
    expect(confirmed.map(({ adt }) => adt.patient.recordNumber)).toEqual(['M100', 'M200', 'M200', 'M200', 'M200']);
  });

  it('keeps the names under which its holders are stored, and leads a former name to the first holder', () => {
    const [early, late] = [of('V101', ama, { sent: '1 07:00' }), of('V102', kofi, { sent: '2 07:00' })];
    const stored = (one: Fact) => (one === late ? FIRST : undefined);
    const { facts, shared, nameOf } = separatePatients([early, late], { storedName: stored });
    expect(facts.map(({ adt }) => adt.patient.recordNumber)).toEqual([SECOND, FIRST]);
    expect(shared).toEqual([[SECOND, FIRST]]);
    expect(nameOf(SECOND)).toBe(SECOND);
    expect(nameOf(THIRD)).toBe(SECOND);
    const alone = separatePatients([late], { storedName: () => SECOND });
    expect([alone.nameOf(FIRST), alone.nameOf(SECOND)]).toEqual([SECOND, SECOND]);
  });
});

const identities = [
  ama,
  kofi,
  person('Ama', 'Reyes', '1941-03-14'),
  person('Ama', 'Osei'),
  { birthDate: '1950-01-02' },
  {},
];
const anyFact = fc
  .record({
    trigger: fc.constantFrom('A01', 'A02', 'A03', 'A08', 'A11', 'A28', 'A29', 'A31', 'A40', 'CLOSE', 'MANUAL'),
    sent: fc.constantFrom('1 08:00', '1 08:01', '2 08:00', '2 10:00'),
    control: fc.constantFrom('1', '2'),
    visit: fc.constantFrom('V101', 'V102', 'V103', null),
    account: fc.constantFrom('A501', 'A502', undefined),
    admitted: fc.constantFrom('1', '2', undefined),
    patient: fc.constantFrom(...identities),
  })
  // A job's message describes no one.
  .map(({ trigger, ...details }) =>
    fact(trigger, details.sent, trigger === 'CLOSE' ? { ...details, patient: {} } : details),
  );

describe('the holders of a record number', () => {
  const partition = (facts: readonly Fact[]) =>
    separatePatients(facts)
      .facts.map(({ adt }) => `${adt.contentHash} ${adt.patient.recordNumber}`)
      .sort();
  const anyFacts = fc.array(anyFact, { maxLength: 12 });

  it('are the same in any order of arrival, and if messages arrive twice', () => {
    const shuffled = anyFacts.chain((all) =>
      fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
    );
    fc.assert(
      fc.property(shuffled, ([all, other]) => {
        const arrived = (facts: Fact[]) => facts.map((one, index) => ({ ...one, id: String(index + 1) }));
        expect(partition(arrived(other))).toEqual(partition(arrived(all)));
        expect([...new Set(partition(arrived([...all, ...other])))]).toEqual([...new Set(partition(arrived(all)))]);
      }),
      { numRuns: 500 },
    );
  });

  it('have each fact once, and no visit with a number is torn apart', () => {
    fc.assert(
      fc.property(anyFacts, (all) => {
        const arrived = all.map((one, index) => ({ ...one, id: String(index + 1) }));
        const { facts } = separatePatients(arrived);
        expect(facts.map(({ id }) => id)).toEqual(arrived.map(({ id }) => id));
        const holderOf = new Map(facts.map(({ id, adt }) => [id, adt.patient.recordNumber]));
        for (const { facts: own } of groupIntoVisits(arrived)) {
          const numbered = own.filter(
            ({ adt }) => adt.visit?.visitNumber && !['A28', 'A29', 'A31', 'A40'].includes(adt.trigger),
          );
          expect(new Set(numbered.map(({ id }) => holderOf.get(id))).size).toBeLessThan(2);
        }
      }),
      { numRuns: 500 },
    );
  });
});
