import { describe, expect, test } from 'vitest';
import { factsOf, msh, PATIENT, read } from '#server/testing/adt-reading.ts';
import type { FieldValue } from '#server/testing/hl7-writing.ts';

const readPid = (pid: Record<number, FieldValue>) =>
  read([msh('A08'), { name: 'PID', fields: { 5: PATIENT[5] ?? '', ...pid } }]);
const insured = (number: string, pid: Record<number, FieldValue> = {}, field = 36) =>
  factsOf('A08', pid, { 19: 'V-1' }, [{ name: 'IN1', fields: { 2: 'HMO', 3: 'P1', [field]: number } }]);

describe('a Social Security number', () => {
  test.each<[string, FieldValue]>([
    ['its type', [['219099999', '', '', 'NORTH', 'SS']]],
    ['the type SSN', [['219099999', '', '', '', 'ssn']]],
    ['its authority', [['219099999', '', '', 'SSA']]],
    ['the authority USSSA and the type MR', [['219099999', '', '', 'USSSA', 'MR']]],
    ["the agency's OID", [['219099999', '', '', ['', '2.16.840.1.113883.4.1', 'ISO'], 'MR']]],
    [
      'the OID, with the parts of the authority as components',
      [['219099999', '', '', ['', '2.16.840.1.113883.4.1'], 'ISO', 'SS']],
    ],
    ['dashes', '219-09-9999'],
    ['blanks', '219 09 9999'],
    ['a mask', 'XXX-XX-9999'],
    ['a mask of asterisks', '***-**-9999'],
    ['the word before it', 'SSN219-09-9999'],
    ['the word and a colon before it', 'SSN: 219099999'],
    ['a word for the patient, too', 'PSSN219099999'],
  ])('known by %s is no record number', (_, three) => {
    const reading = readPid({ 3: three });
    expect(reading).toMatchObject({
      kind: 'quarantine',
      reason: expect.stringContaining('PID-3 has no identifier') as string,
    });
    const beside = readPid({ 3: [...(typeof three === 'string' ? [[three]] : three), ['M-1', '', '', 'NORTH', 'XY']] });
    expect(beside).toMatchObject({ facts: [{ patient: { recordNumber: 'M-1' } }] });
    expect(JSON.stringify(beside)).not.toMatch(/219.?09.?9999|XX-9999|\*-9999/);
  });

  test.each(['219-09-9999', '219099999', '219 09 9999', '219.09.9999'])(
    'in PID-19 as %s is none in PID-2, PID-3, PID-4',
    (ssn) => {
      const reading = readPid({
        2: '219099999',
        3: [['219099999', '', '', 'NORTH', 'MR'], ['M-1']],
        4: '219099999',
        19: ssn,
      });
      expect(reading).toMatchObject({ facts: [{ patient: { recordNumber: 'M-1', ssnLast4: '9999' } }] });
      expect(JSON.stringify(reading)).not.toContain('219099999');
      expect(readPid({ 3: [['219099999', '', '', 'NORTH', 'MR']], 19: ssn }).kind).toBe('quarantine');
    },
  );

  test('that one identifier is marked as is none anywhere in the message', () => {
    const facts = factsOf(
      'A08',
      { 2: '219099999', 3: [['M-1'], ['219099999', '', '', 'SSA', 'SS']], 18: '219-09-9999' },
      { 19: '219099999' },
      [{ name: 'IN1', fields: { 3: 'P1', 36: '219099999' } }],
    );
    expect(facts.patient).toMatchObject({ recordNumber: 'M-1', ssnLast4: '9999' });
    expect(JSON.stringify(facts)).not.toMatch(/219-?09/);
  });

  test.each(['999999999', '000-00-0000', 'PSSN123121234', 'NONE', '123', ''])(
    'in PID-3 counts if PID-19 is %j',
    (nineteen) => {
      const ids: FieldValue = [['M-1'], ['219099999', '', '', 'USSSA', 'SS']];
      expect(factsOf('A08', { 3: ids, 19: nineteen }).patient.ssnLast4).toBe('9999');
    },
  );

  test('in PID-19 comes before the one in PID-3, and a deletion deletes', () => {
    const ids: FieldValue = [['M-1'], ['219099999', '', '', 'USSSA', 'SS']];
    expect(factsOf('A08', { 3: ids, 19: '219-09-1234' }).patient.ssnLast4).toBe('1234');
    expect(factsOf('A08', { 3: ids, 19: 'XXX-XX-1234' }).patient.ssnLast4).toBe('1234');
    expect(factsOf('A08', { 3: ids, 19: '""' }).patient.ssnLast4).toBeNull();
  });

  test('nine digits alone are a record number', () => {
    expect(readPid({ 3: '219099999' })).toMatchObject({ facts: [{ patient: { recordNumber: '219099999' } }] });
    expect(readPid({ 3: [['219099999', '', '', 'NORTH', 'MR']], 19: '219-09-9998' }).kind).toBe('facts');
  });
});

describe('an old Medicare number', () => {
  test.each([
    '219099999A',
    '219-09-9999-A',
    '219099999b1',
    '219099999TA',
    '548851236L',
    'WCA219099999',
    'A219-09-9999',
  ])('%s in IN1-36 or IN1-49 is not stored', (number) => {
    for (const field of [36, 49]) {
      const { patient, visit } = insured(number, {}, field);
      expect([patient.memberIds, patient.medicareId, visit?.payers?.[0]?.memberId]).toEqual([
        undefined,
        undefined,
        null,
      ]);
    }
    const { patient } = factsOf('A08', { 3: [['M-1'], [number, '', '', 'CMS', 'MC']] });
    expect(patient.identifiers).toEqual([{ value: 'M-1', authority: null, type: null }]);
  });

  test.each([
    '21909999A',
    '2190999990A',
    '900099999A',
    '000099999A',
    '219099999',
    'A-219',
    'POL219099999A',
    'XYZ219099999',
  ])('%s is a member ID', (number) => {
    const { patient, visit } = insured(number);
    expect(patient.memberIds).toEqual([{ value: number, authority: 'P1', type: 'MB' }]);
    expect(visit?.payers?.[0]?.memberId).toBe(number);
  });

  test('gives way to the member ID in the other field', () => {
    const facts = factsOf('A08', {}, { 19: 'V-1' }, [
      { name: 'IN1', fields: { 3: 'P1', 36: '219099999A', 49: '1EG4-TE5-MK72' } },
    ]);
    expect(facts.patient.medicareId).toBe('1EG4TE5MK72');
    expect(facts.visit?.payers?.[0]?.memberId).toBe('1EG4-TE5-MK72');
  });
});
