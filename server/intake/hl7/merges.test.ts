import { describe, expect, test } from 'vitest';
import { msh, PATIENT, read } from '#server/testing/adt-reading.ts';
import type { FieldValue, SegmentValue } from './message.ts';

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
});
