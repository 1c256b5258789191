import { describe, expect, test } from 'vitest';
import type { FeedSettings } from '#contract/feed-settings.ts';
import { factsOf, msh, PATIENT, read } from '#server/testing/adt-reading.ts';
import type { FieldValue, SegmentValue } from '#server/testing/hl7-writing.ts';

const patientOf = (pid: Record<number, FieldValue>) => factsOf('A08', pid).patient;

describe('the patient', () => {
  const recordNumber = (
    three: FieldValue,
    settings: Partial<FeedSettings> = {},
    more: Record<number, FieldValue> = {},
  ) => factsOf('A08', { 3: three, ...more }, {}, [], settings).patient.recordNumber;

  test('the record number is the MR repetition, else PI, else the first usable identifier, else PID-2', () => {
    expect(
      recordNumber([
        ['7', '', '', 'N', 'PI'],
        ['8', '', '', 'N', 'MR'],
      ]),
    ).toBe('8');
    expect(
      recordNumber([
        ['7', '', '', 'N', 'XY'],
        ['8', '', '', 'N', 'PI'],
      ]),
    ).toBe('8');
    expect(
      recordNumber([
        ['7', '', '', 'PLAN', 'SN'],
        ['8', '', '', 'N', 'XY'],
      ]),
    ).toBe('8');
    expect(recordNumber('', {}, { 2: '9' })).toBe('9');
  });

  test("among several hospitals' numbers, the facility's own is chosen, in any order", () => {
    const here = ['7', '', '', 'NORTH', 'MR'];
    const there = ['8', '', '', 'SOUTH', 'MR'];
    expect([recordNumber([here, there]), recordNumber([there, here])]).toEqual(['7', '7']);
    expect(recordNumber([['9', '', '', 'NORTH', 'PI'], there])).toBe('8');
  });

  test("the feed's authority outranks the type", () => {
    const three: FieldValue = [
      ['7', '', '', 'REGION', 'MR'],
      ['8', '', '', 'north', 'XY'],
    ];
    expect(recordNumber(three)).toBe('7');
    expect(recordNumber(three, { recordNumber: { authority: 'NORTH', types: ['MR'] } })).toBe('8');
  });

  test.each<[FieldValue, object]>([
    ['7', { value: '7', authority: null, type: null }],
    [[['7', '4', 'M11', ['', '1.2.3', 'ISO'], 'MR']], { value: '7', authority: '1.2.3', type: 'MR' }],
    [[['7', '4', 'NORTH']], { value: '7', authority: 'NORTH', type: null }],
    [[['7', '', 'NORTH', 'PI']], { value: '7', authority: 'NORTH', type: 'PI' }],
    [[['7'], '""'], { value: '7', authority: null, type: null }],
  ])('%j is one identifier, whichever HL7 version ordered its components', (three, identifier) => {
    expect(patientOf({ 3: three }).identifiers).toEqual([identifier]);
  });

  test('an empty field, a deletion and a value are distinguished', () => {
    const silent = patientOf({ 5: '', 7: '', 8: '', 11: '', 13: '', 19: '', 29: '', 30: '' });
    const deleted = patientOf({ 5: '""', 7: '""', 8: '""', 11: '""', 13: '""', 19: '""', 29: '""', 30: '""' });
    for (const key of ['name', 'birthDate', 'sex', 'address', 'ssnLast4', 'deceasedAt', 'deceased'] as const) {
      expect([key, silent[key]]).toEqual([key, undefined]);
      expect([key, deleted[key]]).toEqual([key, null]);
    }
    expect([silent.phones, deleted.phones]).toEqual([undefined, []]);
  });

  test('the legal name is chosen over an alias', () => {
    const names: FieldValue = [
      ['DOE', 'A', '', '', '', '', 'A'],
      [['ROE', 'van'], 'ANN', 'B', 'Jr', '', '', 'L'],
    ].map((name) => name as string[]);
    expect(patientOf({ 5: names }).name).toEqual({ family: 'ROE', given: 'ANN', middle: 'B', suffix: 'Jr' });
    expect(
      patientOf({
        5: [
          ['DOE', 'A', '', '', '', '', 'A'],
          ['ROE', 'ANN'],
        ],
      }).name?.family,
    ).toBe('ROE');
  });

  test('a legal name without a given name gives way to the first name that has one', () => {
    const named = (family: string, given: string, type: string) => [family, given, '', '', '', '', type];
    const chosen = (...names: string[][]) => {
      const { name, formerFamilies } = patientOf({ 5: names });
      return [name?.family, name?.given, formerFamilies];
    };
    expect(chosen(named('EVERYMAN', 'ADAM', 'D'), named('JOSH', '', 'L'))).toEqual(['EVERYMAN', 'ADAM', undefined]);
    expect(chosen(named('ANN ROE', '', 'D'), named('ROE', 'ANN', 'L'))).toEqual(['ROE', 'ANN', undefined]);
    expect(chosen(named('EVE', 'ADA', 'D'), named('ROE', 'ANN', 'l'))).toEqual(['ROE', 'ANN', undefined]);
    expect(chosen(named('ANN ROE', '', 'D'), named('ROE', 'ANN', ''))).toEqual(['ROE', 'ANN', undefined]);
    expect(chosen(named('ANN ROE', '', 'D'), named('ROE', '', 'L'))).toEqual(['ROE', '', undefined]);
    for (const type of ['A', 'B', 'M', 'NOUSE']) {
      expect(chosen(named('MAID', 'ANN', type), named('ROE', '', 'L'))).toEqual(['ROE', '', ['MAID']]);
    }
    expect(chosen(named('PEN', 'ANN', 'S'), named('ROE', '', 'D'))).toEqual(['ROE', '', undefined]);
  });

  test('former family names are maiden names, names at birth, aliases and names no longer used, each once', () => {
    const named = (family: string, type: string) => [family, 'ANN', '', '', '', '', type];
    const patient = patientOf({
      5: [
        named('BIRTH', 'B'),
        named('ROE', ''),
        named(['MAID', 'van'] as unknown as string, 'M'),
        named('BIRTH', 'A'),
        named('OLD', 'NOUSE'),
        named('PEN', 'S'),
        named('', 'A'),
        named('SPOUSE', 'P'),
      ],
    });
    expect(patient.name?.family).toBe('ROE');
    expect(patient.formerFamilies).toEqual(['BIRTH', 'MAID', 'OLD']);
    const many = Array.from({ length: 12 }, (_, n) => named(`F${n}`, 'A'));
    expect(patientOf({ 5: [named('ROE', 'L'), ...many] }).formerFamilies).toHaveLength(10);
    // The only name is the present one, whatever its type.
    expect(patientOf({ 5: [named('BIRTH', 'B')] })).toMatchObject({ name: { family: 'BIRTH' } });
  });

  test('a message without former names keeps them, and one can delete them', () => {
    const former = (family: string) =>
      patientOf({
        5: [
          ['ROE', 'ANN'],
          [family, 'ANN', '', '', '', '', 'M'],
        ],
      }).formerFamilies;
    expect([former(''), former('""'), former('MAID')]).toEqual([undefined, null, ['MAID']]);
    expect(former('Roe')).toBeUndefined();
    expect(patientOf({ 5: [['ROE', 'ANN']] }).formerFamilies).toBeUndefined();
    expect(patientOf({ 5: '""' }).formerFamilies).toBeNull();
  });

  test('sex is a code from table 0001 or a word; anything else is ignored', () => {
    expect(['F', 'm', 'Female', 'X', 'U', '1'].map((code) => patientOf({ 8: code }).sex)).toEqual([
      'Female',
      'Male',
      'Female',
      'Other',
      'Unknown',
      undefined,
    ]);
  });

  test('the home address is chosen', () => {
    const work = ['9 WORK RD', '', 'ELM', 'NY', '10002', '', 'B'];
    const home = ['1 A & B ST', 'APT 2', 'ELM', 'NY', '10001', '', 'H'];
    expect(patientOf({ 11: [work, home] }).address).toEqual({
      line1: '1 A & B ST',
      line2: 'APT 2',
      city: 'ELM',
      state: 'NY',
      zip: '10001',
    });
    expect(patientOf({ 11: [[['1 MAIN ST', 'MAIN ST', '1'], '', 'ELM']] }).address?.line1).toBe('1 MAIN ST');
  });

  test('phone numbers are read from either form, without fax numbers and email addresses', () => {
    const patient = patientOf({
      13: [
        ['(212)555-0101', 'PRN', 'PH'],
        ['', 'PRN', 'CP', '', '1', '212', '5550102'],
        ['5550103', 'PRN', 'FX'],
        ['', 'NET', 'Internet', 'ann@example.org'],
      ],
      14: '(212)555-0101',
    });
    expect(patient).toMatchObject({ phones: ['(212)555-0101', '2125550102'], email: 'ann@example.org' });
  });

  test('only the last four digits of a Social Security number are kept, wherever it was', () => {
    const facts = factsOf(
      'A08',
      {
        2: '219-09-9999',
        3: [['M-1', '', '', 'N', 'MR'], ['219099999', '', '', 'USSSA', 'SS'], '219099999'],
        4: '219099999',
        18: '219-09-9999',
        19: '219-09-9999',
      },
      { 19: '219099999' },
      [{ name: 'IN1', fields: { 3: 'P1', 36: '219099999A', 49: '219-09-9999' } }],
    );
    expect(facts.patient.ssnLast4).toBe('9999');
    expect(JSON.stringify(facts)).not.toMatch(/219-?09/);
    expect(patientOf({ 3: [['M-1'], ['219-09-9998', '', '', '', 'SS']] }).ssnLast4).toBe('9998');
    expect(patientOf({ 19: 'XXX-XX-1234' }).ssnLast4).toBe('1234');
    expect(['999999999', '000-00-0000', 'none'].map((text) => patientOf({ 19: text }).ssnLast4)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  test('a Medicare identifier is recognized by its format, member IDs by type or policy', () => {
    const in1: SegmentValue = { name: 'IN1', fields: { 2: 'HMO', 3: 'PAYER1', 36: 'POL-1' } };
    const { patient } = factsOf(
      'A08',
      { 3: [['M-1'], ['1EG4-TE5-MK72', '', '', 'CMS', 'MC'], ['CD-5', '', '', 'STATE', 'MA']] },
      {},
      [in1],
    );
    expect(patient.medicareId).toBe('1EG4TE5MK72');
    expect(patient.memberIds).toEqual([
      { value: 'CD-5', authority: 'STATE', type: 'MA' },
      { value: 'POL-1', authority: 'PAYER1', type: 'MB' },
    ]);
    expect(patientOf({ 3: [['M-1'], ['1EG4-TE5-MK7O', '', '', 'CMS', 'MC']] }).medicareId).toBeUndefined();
  });

  test('PID-30 or a time of death says that the patient died', () => {
    expect(patientOf({ 30: 'Y', 29: '20260228' })).toMatchObject({
      deceased: true,
      deceasedAt: { localDate: '2026-02-28', precision: 'day' },
    });
    expect(patientOf({ 29: '20260228' }).deceased).toBe(true);
    expect(patientOf({ 30: 'N' }).deceased).toBe(false);
    for (const yes of ['y', 'YES', '1', 'T', 'true']) expect(patientOf({ 30: yes }).deceased).toBe(true);
    for (const no of ['n', 'NO', '0', 'F']) expect(patientOf({ 30: no }).deceased).toBe(false);
  });
});

test('a PID-30 that is neither yes nor no is named, unless it says that nothing is known', () => {
  const warned = (indicator: string) => {
    const reading = read([msh('A31'), { name: 'PID', fields: { ...PATIENT, 30: indicator } }]);
    return reading.kind === 'facts' ? reading.warnings : null;
  };
  expect(warned('DEAD')).toEqual(['PID-30 is neither Y nor N (not used)']);
  for (const said of ['U', 'UNK', 'Y', 'N']) expect(warned(said)).toEqual([]);
});
