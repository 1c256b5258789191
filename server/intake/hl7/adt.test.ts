import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type AdtReading, readAdt } from './adt.ts';
import type { AdtFacts } from './adt-facts.ts';
import { DEFAULT_FEED_SETTINGS, type FeedSettings } from './feed-settings.ts';
import { encodeMessage, type FieldValue, parseMessage, type SegmentValue } from './message.ts';

const PATIENT: Record<number, FieldValue> = { 3: [['M-1', '', '', 'NORTH', 'MR']], 5: [['ROE', 'ANN']] };

function read(segments: SegmentValue[], settings: Partial<FeedSettings> = {}): AdtReading {
  const message = parseMessage(encodeMessage(segments));
  if (message === null) throw new Error('no message');
  return readAdt(message, { ...DEFAULT_FEED_SETTINGS, ...settings });
}

function msh(trigger: string, fields: Record<number, FieldValue> = {}): SegmentValue {
  return {
    name: 'MSH',
    fields: {
      3: 'EHR',
      4: 'NORTH',
      7: '20260301120000',
      9: [['ADT', trigger]],
      10: 'C-1',
      11: 'P',
      12: '2.5.1',
      ...fields,
    },
  };
}

/** The facts of a message with this trigger, PID and PV1. */
function factsOf(
  trigger: string,
  pid: Record<number, FieldValue> = {},
  pv1: Record<number, FieldValue> = {},
  more: SegmentValue[] = [],
  settings: Partial<FeedSettings> = {},
): AdtFacts {
  const reading = read(
    [msh(trigger), { name: 'PID', fields: { ...PATIENT, ...pid } }, { name: 'PV1', fields: pv1 }, ...more],
    settings,
  );
  if (reading.kind !== 'facts' || reading.facts[0] === undefined) throw new Error(JSON.stringify(reading));
  return reading.facts[0];
}
const patientOf = (pid: Record<number, FieldValue>) => factsOf('A08', pid).patient;
const visitOf = (pv1: Record<number, FieldValue>, more: SegmentValue[] = [], settings: Partial<FeedSettings> = {}) =>
  factsOf('A01', {}, pv1, more, settings).visit;

describe('what a message is', () => {
  test('an admission becomes one set of facts', () => {
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
  )('%s is acted on', (trigger) => {
    expect(factsOf(trigger).trigger).toBe(trigger);
  });

  test.each([
    ['A17', 'MSH-9 is ADT^A17: it swaps the beds of two patients, and beds are not followed'],
    ['A20', 'MSH-9 is ADT^A20: it is about a bed, not a patient'],
    ['A24', 'MSH-9 is ADT^A24: it links two patients without saying that they are one'],
    ['A60', 'MSH-9 is ADT^A60: it is about allergies'],
    ['A99', 'MSH-9 is ADT^A99: it is a trigger that this version does not read'],
  ])('%s is not acted on, and says why', (trigger, reason) => {
    expect(read([msh(trigger)])).toEqual({ kind: 'not-acted-on', reason });
  });

  test.each([
    [['MDM', 'T02'], 'MSH-9 is MDM^T02: this version reads ADT messages only'],
    [['ACK'], 'MSH-9 is ACK: this version reads ADT messages only'],
  ])('%j is no ADT message', (type, reason) => {
    expect(read([msh('', { 9: [type] })])).toEqual({ kind: 'not-acted-on', reason });
  });

  test('a test message is not acted on, unless the feed says so', () => {
    const test = [msh('A01', { 11: [['T', 'T']] }), { name: 'PID', fields: PATIENT }];
    expect(read(test)).toEqual({ kind: 'not-acted-on', reason: 'MSH-11 is T: the sender marks the message as a test' });
    expect(read(test, { testProcessingIds: [] }).kind).toBe('facts');
  });

  test('EVN-1 names the trigger where MSH-9.2 does not, and gives way where it does', () => {
    const evn: SegmentValue = { name: 'EVN', fields: { 1: 'A03' } };
    const pid: SegmentValue = { name: 'PID', fields: PATIENT };
    expect(read([msh(''), evn, pid])).toMatchObject({ facts: [{ trigger: 'A03' }] });
    expect(read([msh('A02'), evn, pid])).toMatchObject({
      facts: [{ trigger: 'A02' }],
      warnings: ['EVN-1 differs from MSH-9.2, which is used'],
    });
  });

  test.each<[string, SegmentValue[]]>([
    ['MSH-9 is empty: the message does not say what it is', [msh('', { 9: '' })]],
    ['MSH-9.1 is not a message type such as ADT', [msh('', { 9: 'ADT_A01' })]],
    ['MSH-9.2 and EVN-1 are empty: the message does not say what happened', [msh('')]],
    ['MSH-9.2 is not a trigger event such as A01', [msh('A1*')]],
    ['The message has no PID segment: it names no patient', [msh('A01')]],
    ['PID-3 is empty: the message names no patient', [msh('A01'), { name: 'PID', fields: { 5: 'ROE' } }]],
    ['PID-3 is empty: the message names no patient', [msh('A01'), { name: 'PID', fields: { 3: '""' } }]],
    [
      'PID-3 holds no identifier that can be a record number: the message names no patient',
      [msh('A01'), { name: 'PID', fields: { 3: [['123456789', '', '', '', 'SS']] } }],
    ],
    ...['UNKNOWN', '0000', '999999999', 'XXX', '-'].map((placeholder): [string, SegmentValue[]] => [
      'PID-3 holds no identifier that can be a record number: the message names no patient',
      [msh('A01'), { name: 'PID', fields: { 3: [[placeholder, '', '', 'H', 'MR']] } }],
    ]),
    [
      'A PID segment has no MRG segment after it: nothing says what gives way',
      [msh('A40'), { name: 'PID', fields: PATIENT }],
    ],
    [
      'MRG-1 is empty: no record number that gives way',
      [msh('A40'), { name: 'PID', fields: PATIENT }, { name: 'MRG', fields: {} }],
    ],
    [
      'MRG-3 is empty: no account number that gives way',
      [msh('A41'), { name: 'PID', fields: PATIENT }, { name: 'MRG', fields: { 1: 'M' } }],
    ],
    [
      'MRG-5 is empty: no visit number that gives way',
      [msh('A50'), { name: 'PID', fields: PATIENT }, { name: 'MRG', fields: { 1: 'M' } }],
    ],
  ])('quarantine: %s', (reason, segments) => {
    expect(read(segments)).toEqual({ kind: 'quarantine', reason });
  });

  test('a time that cannot be read is silence, with a warning that does not quote it', () => {
    const reading = read([
      msh('A01', { 7: '20260231' }),
      { name: 'PID', fields: PATIENT },
      { name: 'PV1', fields: { 44: 'YYYYMMDDHHMMSS', 45: '""' } },
    ]);
    expect(reading).toMatchObject({
      facts: [{ sentAt: null, visit: { admittedAt: undefined, dischargedAt: null } }],
      warnings: ['MSH-7 is no date or time that exists', 'PV1-44 is not an HL7 time'],
    });
  });

  test('the facility is PV1-3.4, else EVN-7, else MSH-4', () => {
    const evn: SegmentValue = { name: 'EVN', fields: { 7: [[['', '1.2.3', 'ISO']]] } };
    expect(factsOf('A01', {}, { 3: [['4W', '', '', ['MAIN', '1.2']]] }, [evn]).facilityIdentifier).toBe('MAIN');
    expect(factsOf('A01', {}, {}, [evn]).facilityIdentifier).toBe('1.2.3');
    expect(factsOf('A01').facilityIdentifier).toBe('NORTH');
  });

  test('the content hash depends on every byte and on nothing else', () => {
    expect(factsOf('A01').contentHash).toMatch(/^[0-9a-f]{64}$/);
    expect(factsOf('A01').contentHash).toBe(factsOf('A01').contentHash);
    expect(factsOf('A01', { 8: 'F' }).contentHash).not.toBe(factsOf('A01', { 8: 'M' }).contentHash);
  });
});

describe('merges and moves', () => {
  const pair = (survivor: string, mrg: Record<number, FieldValue>): SegmentValue[] => [
    { name: 'PID', fields: { 3: survivor } },
    { name: 'MRG', fields: mrg },
  ];

  test('each PID and MRG of an A40 is a fact of its own', () => {
    const reading = read([msh('A40'), ...pair('M-1', { 1: 'M-2' }), ...pair('M-3', { 1: 'M-4', 3: 'A-4' })]);
    if (reading.kind !== 'facts') throw new Error(reading.reason);
    expect(reading.facts.map(({ patient, merge }) => [patient.recordNumber, merge])).toEqual([
      ['M-1', { priorRecordNumber: 'M-2', priorAccountNumber: null, priorVisitNumber: null }],
      ['M-3', { priorRecordNumber: 'M-4', priorAccountNumber: 'A-4', priorVisitNumber: null }],
    ]);
    expect(new Set(reading.facts.map((facts) => facts.contentHash)).size).toBe(2);
  });

  test('an incomplete pair holds the whole message back', () => {
    expect(read([msh('A40'), ...pair('M-1', { 1: 'M-2' }), { name: 'PID', fields: PATIENT }]).kind).toBe('quarantine');
  });

  test('each visit of an A45 is a fact with its own PV1', () => {
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

  test.each(['A18', 'A30', 'A34', 'A36', 'A39', 'A40', 'A43', 'A47'])(
    '%s names the record that gives way',
    (trigger) => {
      expect(read([msh(trigger), ...pair('M-1', { 1: [['M-2', '', '', 'NORTH', 'MR']] })])).toMatchObject({
        facts: [{ trigger, merge: { priorRecordNumber: 'M-2' } }],
      });
    },
  );

  test.each(['A35', 'A41', 'A44'])('%s names the account that gives way', (trigger) => {
    expect(read([msh(trigger), ...pair('M-1', { 1: 'M-2', 3: 'A-2' })])).toMatchObject({
      facts: [{ merge: { priorAccountNumber: 'A-2' } }],
    });
  });

  test.each(['A42', 'A45', 'A50'])('%s names the visit that gives way', (trigger) => {
    expect(read([msh(trigger), ...pair('M-1', { 5: [['V-2', '', '', 'NORTH', 'VN']] })])).toMatchObject({
      facts: [{ merge: { priorVisitNumber: 'V-2' } }],
    });
  });

  test('a record merged with itself is nothing to act on', () => {
    expect(read([msh('A40'), ...pair('M-1', { 1: 'M-1' })])).toEqual({
      kind: 'not-acted-on',
      reason: 'MRG-1 and PID-3 name the same record number: there is nothing to merge',
    });
  });

  test('MRG-4 stands in for MRG-1, as before HL7 v2.3', () => {
    expect(read([msh('A18'), ...pair('M-1', { 4: 'M-9' })])).toMatchObject({
      facts: [{ merge: { priorRecordNumber: 'M-9' } }],
    });
  });
});

describe('the patient', () => {
  const recordNumber = (
    three: FieldValue,
    settings: Partial<FeedSettings> = {},
    more: Record<number, FieldValue> = {},
  ) => factsOf('A08', { 3: three, ...more }, {}, [], settings).patient.recordNumber;

  test('the record number is the MR repetition, else PI, else the first that may be one, else PID-2', () => {
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

  test("of several hospitals' numbers it is that of the facility, in whatever order they stand", () => {
    const here = ['7', '', '', 'NORTH', 'MR'];
    const there = ['8', '', '', 'SOUTH', 'MR'];
    expect([recordNumber([here, there]), recordNumber([there, here])]).toEqual(['7', '7']);
    expect(recordNumber([['9', '', '', 'NORTH', 'PI'], there])).toBe('8');
  });

  test("the feed's authority comes before the type", () => {
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
  ])('%j is one identifier, in the order of components of its version', (three, identifier) => {
    expect(patientOf({ 3: three }).identifiers).toEqual([identifier]);
  });

  test('silence, deletion and values are three things', () => {
    const silent = patientOf({ 5: '', 7: '', 8: '', 11: '', 13: '', 19: '', 29: '', 30: '' });
    const deleted = patientOf({ 5: '""', 7: '""', 8: '""', 11: '""', 13: '""', 19: '""', 29: '""', 30: '""' });
    for (const key of ['name', 'birthDate', 'sex', 'address', 'ssnLast4', 'deceasedAt', 'deceased'] as const) {
      expect([key, silent[key]]).toEqual([key, undefined]);
      expect([key, deleted[key]]).toEqual([key, null]);
    }
    expect([silent.phones, deleted.phones]).toEqual([undefined, []]);
  });

  test('the legal name is chosen, an alias is not', () => {
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

  test('sex is a code of table 0001 or a word, anything else is silence', () => {
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

  test('phones come from either form, faxes do not, and an e-mail address is none', () => {
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

  test('of a social security number only the last four digits stay, wherever it stood', () => {
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

  test('a Medicare identifier is known by its form, member ids by type or policy', () => {
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

  test('PID-30 says that the patient died, and a time of death does', () => {
    expect(patientOf({ 30: 'Y', 29: '20260228' })).toMatchObject({
      deceased: true,
      deceasedAt: { localDate: '2026-02-28', precision: 'day' },
    });
    expect(patientOf({ 29: '20260228' }).deceased).toBe(true);
    expect(patientOf({ 30: 'N' }).deceased).toBe(false);
  });
});

describe('the visit', () => {
  test.each<[Record<number, FieldValue>, string | undefined]>([
    [{ 2: 'E' }, 'EMERGENCY'],
    [{ 2: 'i' }, 'INPATIENT'],
    [{ 2: 'B' }, 'INPATIENT'],
    [{ 2: 'O' }, 'OUTPATIENT'],
    [{ 2: 'OBV' }, 'OBSERVATION'],
    [{ 2: 'O', 18: 'OBS' }, 'OBSERVATION'],
    [{ 2: 'I', 10: 'OBS' }, 'OBSERVATION'],
    [{ 2: 'E', 10: 'OBS' }, 'EMERGENCY'],
    [{ 2: 'P' }, 'UNKNOWN'],
    [{ 2: 'zz' }, 'UNKNOWN'],
    [{}, undefined],
  ])('class %j is %s', (pv1, setting) => {
    expect(visitOf({ 19: 'V', ...pv1 })?.setting).toBe(setting);
  });

  test("the feed's own class map decides, and an unmapped class is reported", () => {
    const classMap: FeedSettings['classMap'] = [{ patientClass: 'X1', setting: 'SNF' }];
    expect(visitOf({ 2: 'x1' }, [], { classMap })?.setting).toBe('SNF');
    const reading = read([msh('A01'), { name: 'PID', fields: PATIENT }, { name: 'PV1', fields: { 2: 'I' } }], {
      classMap,
    });
    expect(reading).toMatchObject({
      warnings: ["PV1-2 has no entry in the feed's class map"],
      facts: [{ visit: { classCode: 'I' } }],
    });
  });

  test.each([
    ['03', '03'],
    ['3', '03'],
    ['snf', '03'],
    ['30', '30'],
    ['WENT AWAY', 'WENT AWAY'],
    ['""', null],
    ['', undefined],
  ])('disposition %j is %j', (sent, disposition) => {
    expect(visitOf({ 36: sent })?.disposition).toBe(disposition);
  });

  test('places, people, reasons and diagnoses are read', () => {
    const visit = visitOf(
      {
        3: [['4W', '12', 'A']],
        4: 'E',
        6: [['ED', '3']],
        7: [
          ['D-5', ['HOUSE', 'van'], 'MEG', '', '', '', '', '', 'NORTH'],
          ['1234567893', 'HOUSE', 'MEG', '', '', '', '', '', ['NPI', '2.16', 'ISO']],
        ],
        14: '7',
        37: [[['SNF-1', 'x'], '20260301']],
        50: 'ALT-1',
      },
      [
        { name: 'PV2', fields: { 3: [['R07.9', 'CHEST PAIN & COUGH']], 9: '20260305' } },
        { name: 'DG1', fields: { 3: [['I50.9', 'Heart failure', 'I10']], 6: 'F', 15: '1' } },
        { name: 'DG1', fields: { 4: 'RASH', 6: '?' } },
        { name: 'DG1', fields: { 1: '3' } },
        { name: 'IN1', fields: { 2: [['PPO1', 'Gold']], 3: 'PAYER1', 4: 'Elm Health', 36: 'POL-1' } },
        { name: 'IN1', fields: { 1: '2' } },
      ],
    );
    expect(visit).toMatchObject({
      location: { pointOfCare: '4W', room: '12', bed: 'A', facility: null },
      priorLocation: { pointOfCare: 'ED', room: '3' },
      admissionType: 'E',
      attending: { npi: '1234567893', localId: 'D-5', family: 'HOUSE', given: 'MEG' },
      admitSource: '7',
      dischargedTo: 'SNF-1',
      alternateVisitId: 'ALT-1',
      admitReason: 'CHEST PAIN & COUGH',
      expectedDischargeAt: { localDate: '2026-03-05', precision: 'day' },
      diagnoses: [
        { code: 'I50.9', description: 'Heart failure', type: 'F', priority: 1, codeSystem: 'I10' },
        { code: '', description: 'RASH', type: null, priority: null, codeSystem: null },
      ],
      payers: [{ code: 'PAYER1', company: 'Elm Health', plan: 'Gold', memberId: 'POL-1' }],
    });
  });

  test.each([
    ['18', 18],
    ['+4', 4],
    ['2.5', 3],
    ['0', 0],
    ['""', null],
    ['', undefined],
  ])('an estimated length of %j days is %j', (sent, estimatedDays) => {
    expect(visitOf({}, [{ name: 'PV2', fields: { 10: sent } }])?.estimatedDays).toBe(estimatedDays);
  });

  test.each(['about a week', '-3', '99999999'])('an estimated length of %j is silence, with a warning', (sent) => {
    const visit = { name: 'PV1', fields: { 2: 'I', 19: 'V-1' } };
    const reading = read([msh('A01'), { name: 'PID', fields: PATIENT }, visit, { name: 'PV2', fields: { 10: sent } }]);
    expect(reading).toMatchObject({ warnings: ['PV2-10 is no number of days'] });
    expect(reading).not.toHaveProperty('facts.0.visit.estimatedDays', expect.anything());
  });

  test('an NPI is known by its check digit alone', () => {
    expect(visitOf({ 7: [['1234567893', 'HOUSE', 'MEG']] })?.attending).toMatchObject({
      npi: '1234567893',
      localId: null,
    });
    expect(visitOf({ 7: [['1234567894', 'HOUSE', 'MEG']] })?.attending).toMatchObject({
      npi: null,
      localId: '1234567894',
    });
  });

  test('silence and deletion differ here too', () => {
    const silent = visitOf({ 2: 'I' });
    const deleted = visitOf({ 2: 'I', 3: '""', 7: '""', 44: '""' });
    for (const key of ['location', 'attending', 'admittedAt'] as const)
      expect([silent?.[key], deleted?.[key]]).toEqual([undefined, null]);
    expect([silent?.diagnoses, silent?.payers]).toEqual([undefined, undefined]);
  });

  test('without PV1, or with one that stands for none, only an account number makes a visit', () => {
    const person = (pid: Record<number, FieldValue>, pv1: SegmentValue[] = []) =>
      read([msh('A31'), { name: 'PID', fields: { ...PATIENT, ...pid } }, ...pv1]);
    expect(person({})).toMatchObject({ facts: [{ visit: null }] });
    expect(person({}, [{ name: 'PV1', fields: { 2: 'N' } }])).toMatchObject({ facts: [{ visit: null }] });
    expect(person({ 18: 'A-1' })).toMatchObject({ facts: [{ visit: { accountNumber: 'A-1' } }] });
  });
});

test('whatever stands in a message, reading it throws nothing and warnings quote nothing', () => {
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
      const told = reading?.kind === 'facts' ? reading.warnings.join() : reading?.reason;
      expect(told).not.toContain(secret);
    }),
  );
});

test("a feed's location map names the unit, and may say the setting where the class does not", () => {
  const message = parseMessage(
    ['MSH|^~\\&|APP|FAC|||20261120090000||ADT^A01|1|P|2.5.1', 'PID|1||77^^^FAC^MR', 'PV1|1|I|OBSU^12^A|||5n^3^B'].join(
      '\r',
    ),
  );
  if (!message) throw new Error('The message was not read');
  const locationMap = {
    OBSU: { unit: 'Observation unit', setting: 'OBSERVATION' as const },
    '5N': { unit: '5 North' },
  };
  const reading = readAdt(message, { ...DEFAULT_FEED_SETTINGS, locationMap });
  const visit = reading.kind === 'facts' ? reading.facts[0]?.visit : null;
  expect(visit).toMatchObject({
    setting: 'OBSERVATION',
    location: { pointOfCare: 'Observation unit', room: '12' },
    priorLocation: { pointOfCare: '5 North' },
  });
});
