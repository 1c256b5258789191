import { expect, test } from 'vitest';
import { evaluateFebrl } from './evaluate-febrl.ts';
import { normalizeFebrl, parseFebrl, roundsOf } from './febrl.ts';

const HEADER =
  'rec_id, given_name, surname, street_number, address_1, address_2, suburb, postcode, state, date_of_birth, soc_sec_id';
const file = (...rows: string[]): string => [HEADER, ...rows, ''].join('\n');

const ROSE = 'margarete, lindqvist, 784, stamm street, rosebank, fairhaven, 2155, nsw, 19480317, 8145017';
const OTHER = 'oskar, brandt, 12, mill road, , ashford, 3020, vic, 19710904, 6213377';

test('A row becomes a record: both address lines are joined, the postcode gets a zero in front', () => {
  const [record] = parseFebrl(file(`rec-7-org, ${ROSE}`));
  expect(record).toMatchObject({ person: '7', version: 0 });
  expect(record?.demographics).toMatchObject({
    family: 'lindqvist',
    given: 'margarete',
    line1: '784 stamm street rosebank',
    zip: '02155',
    birthDate: '19480317',
    ssnLast4: '5017',
    sex: null,
  });
});

test('Empty cells are missing values, and the variant without SSN has none', () => {
  const [record] = parseFebrl(file('rec-7-dup-2, , , , , , , , , , 8145017'));
  if (record === undefined) throw new Error('no record');
  expect(record).toMatchObject({ person: '7', version: 3 });
  const { family, given, birthDate, zip, line1, ssnLast4 } = normalizeFebrl(record, true);
  expect([family, given, birthDate, zip, line1]).toEqual([null, null, null, null, null]);
  expect(ssnLast4).toBe('5017');
  expect(normalizeFebrl(record, false).ssnLast4).toBeNull();
});

test('A file without a column is refused by its name', () => {
  expect(() => parseFebrl('rec_id, surname\nrec-1-org, brandt')).toThrow(/given_name/);
  expect(() => parseFebrl(file(`7, ${ROSE}`))).toThrow(/rec_id/);
});

test('Every two records of one person meet in one round', () => {
  const versions = ['org', 'dup-0', 'dup-1'].map((kind) => `rec-1-${kind}, ${ROSE}`);
  const rounds = roundsOf(parseFebrl(file(...versions.toReversed(), `rec-2-org, ${OTHER}`)));
  const pairs = rounds.map(({ listed, arriving }) => ({
    listed: listed.map(({ person, version }) => `${person}.${version}`),
    arriving: arriving.map(({ person, version }) => `${person}.${version}`),
  }));
  expect(pairs).toEqual([
    { listed: ['1.0', '2.0'], arriving: ['1.1', '1.2'] },
    { listed: ['1.1', '2.0'], arriving: ['1.2'] },
  ]);
});

test('Each set that the files hold has an entry without and one with the last four digits of the SSN', () => {
  const listed = file(`rec-1-org, ${ROSE}`, `rec-2-org, ${OTHER}`);
  const arriving = file(`rec-1-dup-0, ${ROSE}`, `rec-2-dup-0, ${OTHER}`);
  const results = evaluateFebrl(
    new Map([
      ['dataset4a', listed],
      ['dataset4b', arriving],
      ['dataset1', file(`rec-1-org, ${ROSE}`, `rec-1-dup-0, ${ROSE}`)],
    ]),
  );
  expect(Object.keys(results).toSorted()).toEqual([
    'febrl1-with-ssn4',
    'febrl1-without-ssn',
    'febrl4-with-ssn4',
    'febrl4-without-ssn',
  ]);
  expect(results['febrl4-with-ssn4']).toEqual({
    pairs: 2,
    automatic: 1,
    review: 0,
    missed: 0,
    false: 0,
    falseWithoutPartner: 0,
  });
});

test('Half of a set is no set', () => {
  expect(evaluateFebrl(new Map([['dataset4a', file(`rec-1-org, ${ROSE}`)]]))).toEqual({});
});

test('A link to someone else is false, and its true pair is missed', () => {
  // The arriving row is word for word another person's: no matcher can see that.
  const listed = file(`rec-1-org, ${ROSE}`, `rec-2-org, ${OTHER}`);
  const result = evaluateFebrl(
    new Map([
      ['dataset4a', listed],
      ['dataset4b', file(`rec-2-dup-0, ${ROSE}`)],
    ]),
  );
  expect(result['febrl4-with-ssn4']).toEqual({
    pairs: 1,
    automatic: 0,
    review: 0,
    missed: 1,
    false: 1,
    falseWithoutPartner: 1,
  });
});

test('Someone who is not on the list has no true pair, but may be linked falsely', () => {
  const result = evaluateFebrl(
    new Map([
      ['dataset4a', file(`rec-1-org, ${ROSE}`)],
      ['dataset4b', file(`rec-2-dup-0, ${ROSE}`, `rec-1-dup-0, ${ROSE}`)],
    ]),
  );
  expect(result['febrl4-with-ssn4']).toMatchObject({ pairs: 1, automatic: 1, false: 1, falseWithoutPartner: 1 });
});
