import { describe, expect, test } from 'vitest';
import { msh, PATIENT, read } from '#server/testing/adt-reading.ts';
import type { FieldValue, SegmentValue } from '#server/testing/hl7-writing.ts';

describe('merges and moves', () => {
  const pair = (survivor: string, mrg: Record<number, FieldValue>): SegmentValue[] => [
    { name: 'PID', fields: { 3: survivor } },
    { name: 'MRG', fields: mrg },
  ];

  test('each pair of PID and MRG in an A40 gives its own facts', () => {
    const reading = read([msh('A40'), ...pair('M-1', { 1: 'M-2' }), ...pair('M-3', { 1: 'M-4', 3: 'A-4' })]);
    if (reading.kind !== 'facts') throw new Error(reading.reason);
    expect(reading.facts.map(({ patient, merge }) => [patient.recordNumber, merge])).toEqual([
      ['M-1', { priorRecordNumber: 'M-2', priorAccountNumber: null, priorVisitNumber: null }],
      ['M-3', { priorRecordNumber: 'M-4', priorAccountNumber: 'A-4', priorVisitNumber: null }],
    ]);
    expect(new Set(reading.facts.map((facts) => facts.contentHash)).size).toBe(2);
  });

  test('an incomplete pair quarantines the whole message', () => {
    expect(read([msh('A40'), ...pair('M-1', { 1: 'M-2' }), { name: 'PID', fields: PATIENT }]).kind).toBe('quarantine');
  });

  test('each visit in an A45 gives its own facts, with its PV1', () => {
    const reading = read([
      msh('A45'),
      ...pair('M-1', { 1: 'M-2', 5: 'V-1' }),
      { name: 'PV1', fields: { 19: 'W-1' } },
      { name: 'MRG', fields: { 1: 'M-2', 5: 'V-2' } },
      { name: 'PV1', fields: { 19: 'W-2' } },
    ]);
    if (reading.kind !== 'facts') throw new Error(reading.reason);
    expect(reading.facts.map(({ visit, merge }) => [visit?.visitNumber, merge?.priorVisitNumber])).toEqual([
      ['W-1', 'V-1'],
      ['W-2', 'V-2'],
    ]);
  });

  test.each(['A18', 'A30', 'A34', 'A36', 'A39', 'A40', 'A43', 'A47'])('%s names the record to merge', (trigger) => {
    expect(read([msh(trigger), ...pair('M-1', { 1: [['M-2', '', '', 'NORTH', 'MR']] })])).toMatchObject({
      facts: [{ trigger, merge: { priorRecordNumber: 'M-2' } }],
    });
  });

  test.each(['A35', 'A41', 'A44'])('%s names the account to merge', (trigger) => {
    expect(read([msh(trigger), ...pair('M-1', { 1: 'M-2', 3: 'A-2' })])).toMatchObject({
      facts: [{ merge: { priorAccountNumber: 'A-2' } }],
    });
  });

  test.each(['A42', 'A45', 'A50'])('%s names the visit to merge', (trigger) => {
    expect(read([msh(trigger), ...pair('M-1', { 5: [['V-2', '', '', 'NORTH', 'VN']] })])).toMatchObject({
      facts: [{ merge: { priorVisitNumber: 'V-2' } }],
    });
  });

  test('a record merged into itself is not acted on', () => {
    expect(read([msh('A40'), ...pair('M-1', { 1: 'M-1' })])).toEqual({
      kind: 'not-acted-on',
      reason: 'MRG-1 and PID-3 hold the same record number, so there is nothing to merge.',
    });
  });

  test('MRG-4 is used if MRG-1 is empty, as before HL7 v2.3', () => {
    expect(read([msh('A18'), ...pair('M-1', { 4: 'M-9' })])).toMatchObject({
      facts: [{ merge: { priorRecordNumber: 'M-9' } }],
    });
  });

  describe('repetitions of MRG-1 and PID-3', () => {
    const ids = (...all: [number: string, authority?: string, type?: string][]): FieldValue =>
      all.map(([number, authority = '', type = 'MR']) => [number, '', '', authority, type]);
    /** Returns 'prior → survivor' of each merge, with its authority. */
    const merged = (
      survivors: FieldValue,
      priors: FieldValue,
      trigger = 'A40',
      more: Record<number, FieldValue> = {},
    ) => {
      const reading = read([
        msh(trigger),
        { name: 'PID', fields: { ...PATIENT, 3: survivors, 18: 'A-1' } },
        { name: 'MRG', fields: { ...more, 1: priors } },
      ]);
      if (reading.kind !== 'facts') return reading.reason;
      return reading.facts.map(({ patient, merge }) => {
        const authority = patient.recordAuthority ? ` of ${patient.recordAuthority}` : '';
        return `${merge?.priorRecordNumber} → ${patient.recordNumber}${authority}`;
      });
    };

    test('pair by authority, in any order', () => {
      const survivors = ids(['100', 'NORTH'], ['200', 'SOUTH']);
      const expected = ['101 → 100 of NORTH', '201 → 200 of SOUTH'];
      expect(merged(survivors, ids(['101', 'NORTH'], ['201', 'SOUTH']))).toEqual(expected);
      expect(merged(survivors, ids(['201', 'south '], ['101', 'North']))).toEqual(expected);
      expect(merged(ids(['200', 'SOUTH'], ['100', 'NORTH']), ids(['101', 'NORTH'], ['201', 'SOUTH']))).toEqual(
        expected,
      );
    });

    test('a number of one authority never becomes one of another', () => {
      expect(merged(ids(['100', 'NORTH'], ['200', 'SOUTH']), ids(['201', 'SOUTH']))).toEqual(['201 → 200 of SOUTH']);
    });

    test('several numbers of one authority pair in order, and the last survivor takes the rest', () => {
      const two = ids(['100', 'NORTH'], ['110', 'NORTH']);
      expect(merged(two, ids(['101', 'NORTH'], ['111', 'NORTH']))).toEqual([
        '101 → 100 of NORTH',
        '111 → 110 of NORTH',
      ]);
      expect(merged(ids(['100', 'NORTH']), ids(['101', 'NORTH'], ['102', 'NORTH']))).toEqual([
        '101 → 100 of NORTH',
        '102 → 100 of NORTH',
      ]);
      expect(merged(ids(['100']), ids(['101'], ['102']))).toEqual(['101 → 100', '102 → 100']);
    });

    test('the merged number in PID-3 is no survivor', () => {
      expect(merged(ids(['101', 'NORTH'], ['100', 'NORTH']), ids(['101', 'NORTH']))).toEqual(['101 → 100 of NORTH']);
      expect(merged(ids(['100', 'NORTH'], ['200', 'SOUTH']), ids(['100', 'NORTH'], ['201', 'SOUTH']))).toEqual([
        '201 → 200 of SOUTH',
      ]);
    });

    test('a number without an authority pairs with any', () => {
      expect(merged(ids(['100', 'NORTH'], ['200', 'SOUTH']), ids(['101']))).toEqual(['101 → 100 of NORTH']);
      expect(merged(ids(['100'], ['200', 'SOUTH']), ids(['101', 'NORTH'], ['201', 'SOUTH']))).toEqual([
        '101 → 100',
        '201 → 200 of SOUTH',
      ]);
    });

    test('if no authorities agree, the first numbers are a pair; else a number without a partner gives a warning', () => {
      expect(merged(ids(['100', 'NORTH']), ids(['101', 'N-HOSP']))).toEqual(['101 → 100 of NORTH']);
      const reading = read([
        msh('A40'),
        { name: 'PID', fields: { 3: ids(['100', 'NORTH']) } },
        { name: 'MRG', fields: { 1: ids(['101', 'NORTH'], ['201', 'SOUTH']) } },
      ]);
      expect(reading).toMatchObject({
        facts: [{ merge: { priorRecordNumber: '101' } }],
        warnings: ["a record number in MRG-1 wasn't merged, because PID-3 has none of its authority"],
      });
    });

    test('numbers that are no record numbers are left out', () => {
      const survivors = ids(['100', 'NORTH'], ['E-1', 'ENTERPRISE', 'PI'], ['219-09-9999', 'SSA', 'SS']);
      const priors = ids(['101', 'NORTH'], ['E-2', 'ENTERPRISE', 'PI'], ['219-09-9998', 'SSA', 'SS']);
      expect(merged(survivors, priors)).toEqual(['101 → 100 of NORTH']);
    });

    test("account and visit move once, with the facility's own number", () => {
      const reading = read([
        msh('A36'),
        { name: 'PID', fields: { 3: ids(['200', 'SOUTH'], ['100', 'NORTH']), 18: 'A-1' } },
        { name: 'MRG', fields: { 1: ids(['201', 'SOUTH'], ['101', 'NORTH']), 3: 'A-9' } },
      ]);
      if (reading.kind !== 'facts') throw new Error(reading.reason);
      expect(
        reading.facts.map(({ merge, visit }) => [merge?.priorRecordNumber, merge?.priorAccountNumber, visit]),
      ).toEqual([
        ['101', 'A-9', { accountNumber: 'A-1' }],
        ['201', null, null],
      ]);
      expect(new Set(reading.facts.map((facts) => facts.contentHash)).size).toBe(2);
    });

    test('a message with too many is quarantined', () => {
      const many = (first: string) =>
        ids(...Array.from({ length: 60 }, (_, n): [string, string] => [`${first}${n}`, 'N']));
      const segments = [1, 2].flatMap((): SegmentValue[] => [
        { name: 'PID', fields: { 3: many('1') } },
        { name: 'MRG', fields: { 1: many('2') } },
      ]);
      expect(read([msh('A40'), ...segments])).toMatchObject({
        kind: 'quarantine',
        reason: expect.stringContaining('merges more than 100 record numbers') as string,
      });
    });
  });

  test('an empty PID before the real one is no patient', () => {
    const reading = read([msh('A40'), { name: 'PID', fields: { 1: '1' } }, ...pair('M-1', { 1: 'M-2' })]);
    expect(reading).toMatchObject({ facts: [{ patient: { recordNumber: 'M-1' } }], warnings: [] });
    expect(read([msh('A40'), { name: 'PID', fields: {} }, ...pair('', { 1: 'M-2' })]).kind).toBe('quarantine');
    const withOwn = [
      { name: 'PID', fields: { 1: '1' } },
      { name: 'MRG', fields: { 1: 'M-9' } },
    ];
    expect(read([msh('A40'), ...withOwn, ...pair('M-1', { 1: 'M-2' })]).kind).toBe('quarantine');
  });
});
