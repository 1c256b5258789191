import { describe, expect, test } from 'vitest';
import { DEFAULT_FEED_SETTINGS } from '#contract/feed-defaults.ts';
import type { FeedSettings } from '#contract/feed-settings.ts';
import { factsOf, msh, PATIENT, read } from '#server/testing/adt-reading.ts';
import type { FieldValue, SegmentValue } from '#server/testing/hl7-writing.ts';
import { readAdt } from './adt.ts';
import { parseMessage } from './message.ts';

const visitOf = (pv1: Record<number, FieldValue>, more: SegmentValue[] = [], settings: Partial<FeedSettings> = {}) =>
  factsOf('A01', {}, pv1, more, settings).visit;

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

  test("the feed's own class map decides, and an unmapped class gives a warning", () => {
    const classMap: FeedSettings['classMap'] = [{ patientClass: 'X1', setting: 'SNF' }];
    expect(visitOf({ 2: 'x1' }, [], { classMap })?.setting).toBe('SNF');
    const reading = read([msh('A01'), { name: 'PID', fields: PATIENT }, { name: 'PV1', fields: { 2: 'I' } }], {
      classMap,
    });
    expect(reading).toMatchObject({
      warnings: ["PV1-2 isn't in the feed's class map (setting unknown)"],
      facts: [{ visit: { classCode: 'I' } }],
    });
  });

  test.each<[Record<number, FieldValue>, string | undefined]>([
    [{ 2: 'O', 18: 'obv' }, 'OBSERVATION'],
    [{ 2: 'O', 10: '23H' }, 'OBSERVATION'],
    [{ 2: 'OP', 10: 'MED', 18: 'OBV' }, 'OBSERVATION'],
    [{ 2: 'O', 10: 'OBV', 18: '23H' }, 'OUTPATIENT'],
    [{ 2: 'O', 10: 'MED', 18: 'CLI' }, 'OUTPATIENT'],
    [{ 2: 'O' }, 'OUTPATIENT'],
    [{ 2: 'E', 18: 'OBV' }, 'EMERGENCY'],
    [{ 2: 'I', 18: 'OBV' }, 'INPATIENT'],
    [{ 2: 'zz', 18: 'OBV' }, 'UNKNOWN'],
    [{ 18: 'OBV' }, undefined],
  ])("%j is %s, with the feed's observation codes", (pv1, setting) => {
    const observationCodes = { patientTypes: ['OBV'], hospitalServices: ['23H'] };
    expect(visitOf({ 19: 'V', ...pv1 }, [], { observationCodes })?.setting).toBe(setting);
  });

  test('an update of an outpatient that leaves a field with observation codes empty keeps the setting', () => {
    const none: string[] = [];
    const settingIn = (
      trigger: string,
      pv1: Record<number, FieldValue>,
      hospitalServices = none,
      patientTypes = ['OBV'],
    ) =>
      factsOf(trigger, {}, { 2: 'O', 19: 'V', ...pv1 }, [], { observationCodes: { patientTypes, hospitalServices } })
        .visit?.setting;
    for (const trigger of ['A02', 'A03', 'A08', 'A12', 'A13', 'A21']) {
      const sent: Record<number, FieldValue>[] = [{}, { 10: 'MED' }, { 18: 'CLI' }, { 18: 'OBV' }];
      expect(sent.map((pv1) => settingIn(trigger, pv1))).toEqual([undefined, undefined, 'OUTPATIENT', 'OBSERVATION']);
      expect(settingIn(trigger, { 18: 'CLI' }, ['23H'])).toBeUndefined();
      expect(settingIn(trigger, { 10: 'MED', 18: 'CLI' }, ['23H'])).toBe('OUTPATIENT');
      expect(settingIn(trigger, {}, none, none)).toBe('OUTPATIENT');
    }
    for (const trigger of ['A01', 'A04', 'A05', 'A06', 'A07', 'A14']) expect(settingIn(trigger, {})).toBe('OUTPATIENT');
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

  test('locations, providers, reasons, diagnoses and payers are read', () => {
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
        { name: 'IN1', fields: { 1: '2', 2: 'HMO7', 15: 'HMO' } },
        { name: 'IN1', fields: { 1: '3' } },
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
      payers: [
        { code: 'PAYER1', company: 'Elm Health', plan: 'Gold', memberId: 'POL-1', planCode: 'PPO1' },
        { code: null, company: null, plan: 'HMO7', memberId: null, type: 'HMO' },
      ],
    });
  });

  test.each<[FieldValue[], object | undefined]>([
    [
      ['R07.9', 'Chest pain', 'I10', 'CP', 'Pain, chest', 'L'],
      { code: 'R07.9', description: 'Chest pain', codeSystem: 'I10' },
    ],
    [['', '', '', 'R07.9', 'Chest pain', 'I10'], { code: 'R07.9', description: 'Chest pain', codeSystem: 'I10' }],
    [
      ['CP', 'Pain, chest', 'L', 'R07.9', 'Chest pain', 'I10C'],
      { code: 'R07.9', description: 'Chest pain', codeSystem: 'I10C' },
    ],
    [
      ['CP', 'Pain, chest', 'L', 'R07.9', '', 'ICD-10-CM'],
      { code: 'R07.9', description: 'Pain, chest', codeSystem: 'ICD-10-CM' },
    ],
    [
      ['786.50', '', 'I9', '29857009', 'Chest pain', 'SCT'],
      { code: '786.50', description: 'Chest pain', codeSystem: 'I9' },
    ],
    [['', 'Chest pain', '', '', 'Pain', ''], { code: '', description: 'Chest pain', codeSystem: null }],
    [['', '', '', '', 'Chest pain', 'L'], { code: '', description: 'Chest pain', codeSystem: null }],
    [['""', '""', '', '', '', ''], undefined],
  ])('DG1-3 %j is %j', (three, diagnosis) => {
    const [read] = visitOf({ 2: 'I' }, [{ name: 'DG1', fields: { 3: [three as string[]] } }])?.diagnoses ?? [];
    if (diagnosis === undefined) expect(read).toBeUndefined();
    else expect(read).toMatchObject(diagnosis);
  });

  test.each<[string, { name: string; fields: Record<number, FieldValue> }[], string | null | undefined]>([
    ['DRG-1', [{ name: 'DRG', fields: { 1: [['291', 'Heart failure']] } }], '291'],
    [
      'DRG-1 before DG1-8',
      [
        { name: 'DG1', fields: { 3: 'I50.9', 8: '292' } },
        { name: 'DRG', fields: { 1: '291' } },
      ],
      '291',
    ],
    [
      'the first DG1-8 there is',
      [
        { name: 'DG1', fields: { 3: 'I50.9' } },
        { name: 'DG1', fields: { 3: 'J18.9', 8: '193' } },
      ],
      '193',
    ],
    ['a deleted DRG-1', [{ name: 'DRG', fields: { 1: '""' } }], null],
    ['neither', [{ name: 'DG1', fields: { 3: 'I50.9' } }], undefined],
  ])('the diagnosis related group is read from %s', (_, segments, drg) => {
    expect(visitOf({ 2: 'I' }, segments)?.drg).toBe(drg);
  });

  test('DG1-2 names the system of the code that has none', () => {
    const coded = (three: string[]) => visitOf({}, [{ name: 'DG1', fields: { 2: 'I10', 3: [three] } }])?.diagnoses?.[0];
    expect(coded(['R07.9'])).toMatchObject({ code: 'R07.9', codeSystem: 'I10' });
    expect(coded(['', '', '', 'R07.9'])).toMatchObject({ code: 'R07.9', codeSystem: 'I10' });
    expect(coded(['R07.9', '', '', 'CP', '', 'L'])).toMatchObject({ code: 'R07.9', codeSystem: 'I10' });
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

  test.each(['about a week', '-3', '99999999'])('an estimated length of %j is ignored, with a warning', (sent) => {
    const visit = { name: 'PV1', fields: { 2: 'I', 19: 'V-1' } };
    const reading = read([msh('A01'), { name: 'PID', fields: PATIENT }, visit, { name: 'PV2', fields: { 10: sent } }]);
    expect(reading).toMatchObject({ warnings: ["PV2-10 isn't a number of days"] });
    expect(reading).not.toHaveProperty('facts.0.visit.estimatedDays', expect.anything());
  });

  test('an NPI is recognized by its check digit alone', () => {
    expect(visitOf({ 7: [['1234567893', 'HOUSE', 'MEG']] })?.attending).toMatchObject({
      npi: '1234567893',
      localId: null,
    });
    expect(visitOf({ 7: [['1234567894', 'HOUSE', 'MEG']] })?.attending).toMatchObject({
      npi: null,
      localId: '1234567894',
    });
  });

  test('an ampersand between blanks is text, not a separator', () => {
    const of = (name: string[]) => factsOf('A02', {}, { 2: 'I', 3: [[name, '12']], 37: [[name]] }).visit;
    expect(of(['MED ', ' SURG'])).toMatchObject({
      location: { pointOfCare: 'MED & SURG' },
      dischargedTo: 'MED & SURG',
    });
    expect(of(['MED', '1.2.3', 'ISO'])).toMatchObject({ location: { pointOfCare: 'MED' }, dischargedTo: 'MED' });
  });

  test('an empty field and a deletion are distinguished here too', () => {
    const silent = visitOf({ 2: 'I' });
    const deleted = visitOf({ 2: 'I', 3: '""', 7: '""', 44: '""' });
    for (const key of ['location', 'attending', 'admittedAt'] as const)
      expect([silent?.[key], deleted?.[key]]).toEqual([undefined, null]);
    expect([silent?.diagnoses, silent?.payers]).toEqual([undefined, undefined]);
  });

  test('without PV1, or with a placeholder PV1, only an account number makes a visit', () => {
    const person = (pid: Record<number, FieldValue>, pv1: SegmentValue[] = []) =>
      read([msh('A31'), { name: 'PID', fields: { ...PATIENT, ...pid } }, ...pv1]);
    expect(person({})).toMatchObject({ facts: [{ visit: null }] });
    expect(person({}, [{ name: 'PV1', fields: { 2: 'N' } }])).toMatchObject({ facts: [{ visit: null }] });
    expect(person({ 18: 'A-1' })).toMatchObject({ facts: [{ visit: { accountNumber: 'A-1' } }] });
    const dummy = { 2: 'N', 3: 'The validator wants a PV1', 7: 'ATD' };
    expect(person({}, [{ name: 'PV1', fields: dummy }])).toMatchObject({ facts: [{ visit: null }] });
  });

  test('a stay of class N is no placeholder: nursing facilities send it with times and without a visit number', () => {
    const location = [['WEST', '215', 'A', 'ELM']];
    const stay = { 2: 'N', 3: location, 7: [['G-7', 'HALE', 'MAE']], 36: '03', 44: '202603011400', 45: '202603090900' };
    const { visit } = factsOf('A03', { 18: 'R-4254' }, stay);
    expect(visit).toMatchObject({ accountNumber: 'R-4254', setting: 'UNKNOWN', disposition: '03' });
    expect([visit?.location?.pointOfCare, visit?.attending?.family]).toEqual(['WEST', 'HALE']);
    expect([visit?.admittedAt?.localDate, visit?.dischargedAt?.localDate]).toEqual(['2026-03-01', '2026-03-09']);
    for (const field of [44, 45])
      expect(factsOf('A08', {}, { 2: 'N', 3: location, [field]: '20260301' }).visit?.location?.facility).toBe('ELM');
  });
});

test("a feed's location map names the unit and can set its setting", () => {
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
