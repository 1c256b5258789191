import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DEFAULT_FEED_SETTINGS } from '#contract/feed-defaults.ts';
import { factsOf, msh, PATIENT, read } from '#server/testing/adt-reading.ts';
import type { SegmentValue } from '#server/testing/hl7-writing.ts';
import { readAdt } from './adt.ts';
import { parseMessage } from './message.ts';

describe('readAdt', () => {
  test('reads an admission into one set of facts', () => {
    const reading = read([
      msh('A01'),
      { name: 'EVN', fields: { 1: 'A01', 2: '202603011159', 6: '20260301115800-0600', 7: 'EVN-FAC' } },
      { name: 'PID', fields: PATIENT },
      { name: 'PV1', fields: { 2: 'I', 3: [['4W', '12', 'A', 'NORTH-MAIN']], 19: 'V-1', 44: '20260301115500' } },
    ]);
    expect(reading).toMatchObject({
      kind: 'facts',
      warnings: [],
      facts: [
        {
          trigger: 'A01',
          controlId: 'C-1',
          sentAt: { instant: '2026-03-01T17:00:00Z', precision: 'second' },
          recordedAt: { instant: '2026-03-01T16:59:00Z', precision: 'minute' },
          occurredAt: { instant: '2026-03-01T17:58:00Z' },
          facilityIdentifier: 'NORTH-MAIN',
          patient: { recordNumber: 'M-1', name: { family: 'ROE', given: 'ANN', middle: null, suffix: null } },
          visit: {
            visitNumber: 'V-1',
            setting: 'INPATIENT',
            classCode: 'I',
            admittedAt: { instant: '2026-03-01T16:55:00Z' },
          },
          merge: null,
        },
      ],
    });
  });

  test.each(
    'A01 A02 A03 A04 A05 A06 A07 A08 A11 A12 A13 A14 A15 A16 A21 A22 A23 A25 A26 A27 A28 A29 A31 A38 A51 A52 A53 A54 A55'.split(
      ' ',
    ),
  )('acts on %s', (trigger) => {
    expect(factsOf(trigger).trigger).toBe(trigger);
  });

  test.each([
    ['A17', "MSH-9 is ADT^A17, which swaps two patients' beds. Bed assignments are not followed."],
    ['A20', 'MSH-9 is ADT^A20, which reports the status of a bed, not of a patient.'],
    ['A24', "MSH-9 is ADT^A24, which links two patients without saying that they're the same person."],
    ['A46', "MSH-9 is ADT^A46, which changes the identifier in PID-2. It isn't used to identify patients."],
    ['A60', 'MSH-9 is ADT^A60, which updates allergies. Allergies are not kept.'],
    ['A99', 'MSH-9 is ADT^A99, which is not a supported trigger event.'],
  ])('does not act on %s and gives the reason', (trigger, reason) => {
    expect(read([msh(trigger)])).toEqual({ kind: 'not-acted-on', reason });
  });

  test.each([
    [['MDM', 'T02'], 'MSH-9 is MDM^T02. Only ADT messages and documents (MDM, ORU^R01) are read.'],
    [['Z01', 'Z01'], 'MSH-9 is Z01^Z01. Only ADT messages and documents (MDM, ORU^R01) are read.'],
    [['ACK'], 'MSH-9 is ACK. Only ADT messages and documents (MDM, ORU^R01) are read.'],
  ])('does not act on the message type %j', (type, reason) => {
    expect(read([msh('', { 9: [type] })])).toEqual({ kind: 'not-acted-on', reason });
  });

  test('does not act on a test message, unless the feed does', () => {
    const test = [msh('A01', { 11: [['T', 'T']] }), { name: 'PID', fields: PATIENT }];
    expect(read(test)).toEqual({ kind: 'not-acted-on', reason: 'MSH-11 is T, which marks a test message.' });
    expect(read(test, { testProcessingIds: [] }).kind).toBe('facts');
  });

  test('takes the trigger from MSH-9.2, or from EVN-1 if MSH-9.2 is empty', () => {
    const evn: SegmentValue = { name: 'EVN', fields: { 1: 'A03' } };
    const pid: SegmentValue = { name: 'PID', fields: PATIENT };
    expect(read([msh(''), evn, pid])).toMatchObject({ facts: [{ trigger: 'A03' }] });
    expect(read([msh('A02'), evn, pid])).toMatchObject({
      facts: [{ trigger: 'A02' }],
      warnings: ['EVN-1 differs from MSH-9.2 (MSH-9.2 was used)'],
    });
  });

  test.each<[string, SegmentValue[]]>([
    ['MSH-9 is empty, so the message type is unknown.', [msh('', { 9: '' })]],
    ["MSH-9.1 isn't a message type such as ADT.", [msh('', { 9: 'ADT_A01' })]],
    ["MSH-9.1 isn't a message type such as ADT.", [msh('', { 9: 'A01' }), { name: 'EVN', fields: { 1: 'A01' } }]],
    ['MSH-9.2 and EVN-1 are empty, so the trigger event is unknown.', [msh('')]],
    ["MSH-9.2 isn't a trigger event such as A01.", [msh('A1*')]],
    ['The PID segment is missing, so the patient is unknown.', [msh('A01')]],
    ['PID-3 is empty, so the patient is unknown.', [msh('A01'), { name: 'PID', fields: { 5: 'ROE' } }]],
    ['PID-3 is empty, so the patient is unknown.', [msh('A01'), { name: 'PID', fields: { 3: '""' } }]],
    [
      "A PID segment has no MRG segment after it, so it's unknown what to merge.",
      [msh('A40'), { name: 'PID', fields: PATIENT }],
    ],
    [
      'MRG-1 is empty, so the record number to merge is unknown.',
      [msh('A40'), { name: 'PID', fields: PATIENT }, { name: 'MRG', fields: {} }],
    ],
    [
      'MRG-3 is empty, so the account number to merge is unknown.',
      [msh('A41'), { name: 'PID', fields: PATIENT }, { name: 'MRG', fields: { 1: 'M' } }],
    ],
    [
      'MRG-3 is empty, so the account number to merge is unknown.',
      [msh('A49'), { name: 'PID', fields: PATIENT }, { name: 'MRG', fields: { 1: 'M' } }],
    ],
    [
      'MRG-5 is empty, so the visit number to merge is unknown.',
      [msh('A50'), { name: 'PID', fields: PATIENT }, { name: 'MRG', fields: { 1: 'M' } }],
    ],
  ])('quarantines a message that its sender has to correct: %s', (problem, segments) => {
    const reason = `${problem} Ask the sender to correct and resend the message.`;
    expect(read(segments)).toEqual({ kind: 'quarantine', reason });
  });

  test.each([
    ['123456789', '', '', '', 'SS'],
    ...['UNKNOWN', '0000', '999999999', 'XXX', '-'].map((placeholder) => [placeholder, '', '', 'H', 'MR']),
  ])('quarantines a message whose only identifier is %s', (...identifier) => {
    expect(read([msh('A01'), { name: 'PID', fields: { 3: [identifier] } }])).toEqual({
      kind: 'quarantine',
      reason:
        "PID-3 has no identifier that can be a record number. Check recordNumber in the feed's settings, then replay the message.",
    });
  });

  test('ignores an unreadable time, with a warning that does not quote it', () => {
    const reading = read([
      msh('A01', { 7: '20260231' }),
      { name: 'PID', fields: PATIENT },
      { name: 'PV1', fields: { 44: 'YYYYMMDDHHMMSS', 45: '""' } },
    ]);
    expect(reading).toMatchObject({
      facts: [{ sentAt: null, visit: { admittedAt: undefined, dischargedAt: null } }],
      warnings: ["MSH-7 isn't a valid date or time", "PV1-44 isn't an HL7 timestamp"],
    });
  });

  test('takes the facility from PV1-3.4, else EVN-7, else MSH-4', () => {
    const evn: SegmentValue = { name: 'EVN', fields: { 7: [[['', '1.2.3', 'ISO']]] } };
    expect(factsOf('A01', {}, { 3: [['4W', '', '', ['MAIN', '1.2']]] }, [evn]).facilityIdentifier).toBe('MAIN');
    expect(factsOf('A01', {}, {}, [evn]).facilityIdentifier).toBe('1.2.3');
    expect(factsOf('A01').facilityIdentifier).toBe('NORTH');
  });

  test('hashes every byte of the content and nothing else', () => {
    expect(factsOf('A01').contentHash).toMatch(/^[0-9a-f]{64}$/);
    expect(factsOf('A01').contentHash).toBe(factsOf('A01').contentHash);
    expect(factsOf('A01', { 8: 'F' }).contentHash).not.toBe(factsOf('A01', { 8: 'M' }).contentHash);
  });
});

test('reading never throws and reasons and warnings never quote a value, whatever a message holds', () => {
  const secret = 'Zyxwv';
  const value = fc.oneof(
    fc.constantFrom('""', secret, `${secret}^${secret}&1~2`, '20260101', '219-09-9999', 'Y', 'I', '03'),
    fc.string(),
  );
  const fields = fc.dictionary(fc.integer({ min: 1, max: 50 }).map(String), value, { maxKeys: 20 }) as fc.Arbitrary<
    Record<number, string>
  >;
  const name = fc.constantFrom('EVN', 'PID', 'MRG', 'PV1', 'PV2', 'DG1', 'IN1');
  const trigger = fc.constantFrom('A01', 'A03', 'A08', 'A40', 'A45', 'A50', '');
  fc.assert(
    fc.property(trigger, fc.array(fc.tuple(name, fields)), (event, segments) => {
      const lines = segments.map(([segment, values]) => {
        const texts = Array.from({ length: 50 }, (_, index) => values[index + 1] ?? '');
        return `${segment}|${texts.join('|')}`;
      });
      const message = parseMessage([`MSH|^~\\&|A|B|C|D|2026||ADT^${event}|1|P|2.5`, ...lines].join('\r'));
      const reading = message && readAdt(message, DEFAULT_FEED_SETTINGS);
      expect(reading).not.toBeNull();
      const words = reading?.kind === 'facts' ? reading.warnings.join() : reading?.reason;
      expect(words).not.toContain(secret);
    }),
  );
});
