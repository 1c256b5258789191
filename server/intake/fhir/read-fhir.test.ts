import { expect, test } from 'vitest';
import type { FhirParts } from '#server/testing/fhir.ts';
import { bundle, concept, END, read, START } from '#server/testing/fhir-reading.ts';

test('an admission says who, where, when and what', () => {
  const facts = read(bundle());
  expect(facts).toMatchObject({
    trigger: 'A01',
    sentAt: { instant: '2026-11-20T14:00:00Z', precision: 'second' },
    facilityIdentifier: 'FGH',
    patient: {
      recordNumber: 'MR-1',
      recordAuthority: 'urn:example:FGH',
      name: { family: 'Ostrander', given: 'Mirela', middle: null, suffix: null },
      birthDate: '1951-04-07',
      sex: 'Female',
      address: { line1: '12 Alder Lane', city: 'Fairhaven', state: 'NY', zip: '10021' },
    },
    visit: {
      visitNumber: 'V-1',
      admittedAt: { instant: '2026-11-20T14:00:00Z' },
      setting: 'INPATIENT',
      location: { pointOfCare: '3 West', facility: 'FGH' },
    },
    warnings: [],
  });
  expect(facts.visit?.dischargedAt).toBeUndefined();
});

test.each<[string, Partial<FhirParts>, string]>([
  ['an admission', { event: 'notification-admit' }, 'A01'],
  ['an arrival in the ED', { event: 'notification-admit', classCode: 'EMER' }, 'A04'],
  ['an outpatient', { event: 'notification-admit', classCode: 'AMB' }, 'A04'],
  ['observation', { event: 'notification-admit', classCode: 'OBSENC' }, 'A01'],
  ['a discharge', { event: 'notification-discharge', status: 'finished', end: END }, 'A03'],
  ['a transfer', { event: 'notification-transfer' }, 'A02'],
  ['a code of HL7 v2', { event: 'A06' }, 'A06'],
  ['a message type of HL7 v2', { event: 'ADT^A08' }, 'A08'],
  ['a cancel of HL7 v2, whatever the status', { event: 'A13', status: 'in-progress' }, 'A13'],
  ['a cancelled admission', { event: 'notification-admit', status: 'cancelled' }, 'A11'],
  ['an Encounter entered in error', { event: 'notification-discharge', status: 'entered-in-error' }, 'A23'],
  ['an admission that is planned', { event: 'notification-admit', status: 'planned' }, 'A05'],
  ['no event, planned', { event: '', status: 'planned' }, 'A05'],
  ['no event, PRENC', { event: '', status: 'in-progress', classCode: 'PRENC' }, 'A05'],
  ['no event, arrived', { event: '', status: 'arrived', classCode: 'EMER' }, 'A04'],
  ['no event, in progress', { event: '', status: 'in-progress' }, 'A01'],
  ['no event, on leave', { event: '', status: 'onleave' }, 'A21'],
  [
    'no event, back from leave',
    {
      event: '',
      status: 'in-progress',
      encounter: { statusHistory: [{ status: 'in-progress' }, { status: 'onleave' }] },
    },
    'A22',
  ],
  ['no event, finished', { event: '', status: 'finished', end: END }, 'A03'],
  ['no event, completed (R5)', { event: '', status: 'completed', end: END }, 'A03'],
  ['no event, unknown', { event: '', status: 'unknown' }, 'A08'],
  ['an event that is not known, in progress', { event: 'encounter-update', status: 'in-progress' }, 'A01'],
])('%s is read as what it means', (_, parts, trigger) => {
  expect(read(bundle(parts)).trigger).toBe(trigger);
});

test('the event may be a URI, and a Coding of STU3', () => {
  const uri = bundle({ event: '' });
  Object.assign(uri.entry[0]?.resource ?? {}, { eventUri: 'http://hl7.org/fhir/v2-0003#A03' });
  expect(read(uri).trigger).toBe('A03');
  const stu3 = bundle({ event: '' });
  Object.assign(stu3.entry[0]?.resource ?? {}, { event: { code: 'A02' }, timestamp: START });
  expect(read(stu3).trigger).toBe('A02');
});

test.each([
  ['IMP', 'INPATIENT'],
  ['ACUTE', 'INPATIENT'],
  ['NONAC', 'INPATIENT'],
  ['OBSENC', 'OBSERVATION'],
  ['EMER', 'EMERGENCY'],
  ['AMB', 'OUTPATIENT'],
  ['SS', 'OUTPATIENT'],
  ['VR', 'OUTPATIENT'],
  ['HH', 'HHA'],
  // A code of HL7 v2, which the standard class map has.
  ['E', 'EMERGENCY'],
])('class %s is %s', (classCode, setting) => {
  expect(read(bundle({ classCode })).visit?.setting).toBe(setting);
});

test('a class without a setting is reported, and the feed can map it', () => {
  const message = bundle({ classCode: 'DAYCARE' });
  expect(read(message)).toMatchObject({
    visit: { setting: 'UNKNOWN' },
    warnings: [expect.stringMatching(/^Encounter\.class/)],
  });
  const classMap = [{ patientClass: 'DAYCARE', setting: 'OUTPATIENT' as const }];
  expect(read(message, { classMap })).toMatchObject({ visit: { setting: 'OUTPATIENT' }, warnings: [] });
  // The class of R5, and a planned visit, whose class is P in HL7 v2.
  expect(read(bundle({ encounter: { class: [concept('EMER')] } })).visit?.setting).toBe('EMERGENCY');
  expect(read(bundle({ event: '', classCode: 'PRENC' })).visit).toMatchObject({ classCode: 'P', setting: 'UNKNOWN' });
});

const HL7 = 'http://terminology.hl7.org/CodeSystem/discharge-disposition';
test.each([
  [concept('home', HL7), '01'],
  [concept('alt-home', HL7), '01'],
  [concept('other-hcf', HL7), '70'],
  [concept('long', HL7), '04'],
  [concept('aadvice', HL7), '07'],
  [concept('exp', HL7), '20'],
  [concept('psy', HL7), '65'],
  [concept('rehab', HL7), '62'],
  [concept('snf', HL7), '03'],
  [concept('1', 'http://www.nubc.org/patient-discharge'), '01'],
  [concept('06', 'https://www.nubc.org/CodeSystem/PatDischargeStatus'), '06'],
  [{ text: 'Left against medical advice' }, '07'],
  [{ text: 'AMA' }, '07'],
  [concept('hosp', HL7, 'Hospice'), 'Hospice'],
  [concept('oth', HL7, 'Other'), 'Other'],
])('disposition %j is %s', (dischargeDisposition, status) => {
  const parts = { event: 'notification-discharge', status: 'finished', end: END } as const;
  const facts = read(bundle({ ...parts, encounter: { hospitalization: { dischargeDisposition } } }));
  expect(facts.visit?.disposition).toBe(status);
  expect(facts.warnings.length).toBe(/^\d\d$/.test(status) ? 0 : 1);
  expect(facts.visit?.dischargedAt?.instant).toBe('2026-11-22T16:30:00Z');
  // R5 calls it admission.
  const r5 = read(bundle({ ...parts, encounter: { admission: { dischargeDisposition } } }));
  expect(r5.visit?.disposition).toBe(status);
});

test('the end of a period is a discharge only once the visit has ended, and days stay days', () => {
  const admit = read(bundle({ end: '2026-11-25' }));
  expect(admit.visit?.dischargedAt).toBeUndefined();
  const left = read(
    bundle({ event: 'notification-discharge', status: 'finished', start: '2026-11-20', end: '2026-11-22' }),
  );
  expect(left.visit?.admittedAt).toMatchObject({ localDate: '2026-11-20', precision: 'day' });
  expect(left.visit?.dischargedAt).toMatchObject({ localDate: '2026-11-22', precision: 'day' });
  const month = read(bundle({ start: '2026-11' }));
  expect(month.visit?.admittedAt).toBeUndefined();
  expect(month.warnings).toEqual([expect.stringMatching(/^Encounter\.period\.start/)]);
});

test('a move is dated by the present location or class', () => {
  const location = [
    { location: { display: 'ED' }, status: 'completed', period: { start: START, end: '2026-11-20T12:00:00-05:00' } },
    { location: { display: '4 East' }, status: 'active', period: { start: '2026-11-20T12:00:00-05:00' } },
  ];
  const classHistory = [
    { class: { code: 'EMER' }, period: { start: START, end: '2026-11-20T11:45:00-05:00' } },
    { class: { code: 'IMP' }, period: { start: '2026-11-20T11:45:00-05:00' } },
  ];
  expect(read(bundle({ event: 'notification-transfer', encounter: { location } }))).toMatchObject({
    occurredAt: { instant: '2026-11-20T17:00:00Z' },
    visit: { location: { pointOfCare: '4 East' }, priorLocation: { pointOfCare: 'ED' } },
  });
  expect(read(bundle({ encounter: { classHistory } })).occurredAt?.instant).toBe('2026-11-20T16:45:00Z');
});

test('a bed in a room of a unit is all three, and the name of the whole facility is no unit', () => {
  const place = (id: string, name: string, type: string, partOf?: string) => ({
    fullUrl: `urn:uuid:${id}`,
    resource: {
      resourceType: 'Location',
      name,
      physicalType: concept(type),
      ...(partOf && { partOf: { reference: `urn:uuid:${partOf}` } }),
    },
  });
  const entries = [
    place('b', 'B', 'bd', 'r'),
    place('r', '312', 'ro', 'u'),
    place('u', '3 West', 'wa', 's'),
    place('s', 'Main Campus', 'si', 'b'),
  ];
  const encounter = { location: [{ location: { reference: 'urn:uuid:b' } }] };
  expect(read(bundle({ encounter, entries })).visit?.location).toEqual({
    pointOfCare: '3 West',
    room: '312',
    bed: 'B',
    facility: 'FGH',
  });
  expect(
    read(bundle({ encounter: { location: [{ location: { display: 'Fairhaven General' } }] } })).visit?.location,
  ).toBeUndefined();
});

test('the facility is what the feed lists of all that the message calls it', () => {
  expect(read(bundle(), {}, ['Fairhaven General']).facilityIdentifier).toBe('Fairhaven General');
  expect(read(bundle(), {}, ['Test EHR']).facilityIdentifier).toBe('Test EHR');
  const encounter = { serviceProvider: { display: 'Fairhaven North' } };
  expect(read(bundle({ encounter })).facilityIdentifier).toBe('Fairhaven North');
});

test('names, numbers and contacts are chosen by their use', () => {
  const { patient } = read(
    bundle({
      patient: {
        identifier: [
          { system: 'urn:oid:1.2.3', value: 'PI-9' },
          { use: 'old', system: 'urn:oid:1.2.3', value: 'MR-OLD', type: concept('MR') },
          { system: 'urn:oid:1.2.3', value: 'MR-9', type: concept('MR') },
          { system: 'http://hl7.org/fhir/sid/us-ssn', value: '078-05-1120' },
          { system: 'http://hl7.org/fhir/sid/us-mbi', value: '1EG4-TE5-MK73' },
        ],
        name: [
          { use: 'nickname', given: ['Mira'] },
          { use: 'maiden', family: 'Halloran', given: ['Mirela'] },
          { use: 'official', family: 'Ostrander', given: ['Mirela', 'Ann'], suffix: ['Jr'] },
        ],
        telecom: [
          { system: 'fax', value: '555-0100' },
          { system: 'phone', use: 'work', value: 'tel:+1-555-0101' },
          { system: 'phone', use: 'home', value: '(555) 555-0102' },
          { system: 'email', value: 'mirela@example.org' },
        ],
        address: [
          { use: 'old', line: ['1 Past Rd'] },
          { use: 'home', line: ['2 Elm St', 'Apt 4'], postalCode: '10022' },
        ],
        deceasedDateTime: '2026-11-20',
      },
    }),
  );
  expect(patient).toMatchObject({
    recordNumber: 'MR-9',
    recordAuthority: '1.2.3',
    ssnLast4: '1120',
    medicareId: '1EG4TE5MK73',
    name: { family: 'Ostrander', given: 'Mirela', middle: 'Ann', suffix: 'Jr' },
    formerFamilies: ['Halloran'],
    phones: ['(555) 555-0102', '+1-555-0101'],
    email: 'mirela@example.org',
    address: { line1: '2 Elm St', line2: 'Apt 4', zip: '10022' },
    deceased: true,
    deceasedAt: { precision: 'day', localDate: '2026-11-20' },
  });
  expect(JSON.stringify(patient)).not.toContain('05-1120');
  expect(read(bundle({ patient: { deceasedBoolean: false } })).patient.deceased).toBe(false);
  expect(read(bundle()).patient.deceased).toBeUndefined();
});

test('doctors, diagnoses, reasons and payers are found by reference, contained or by the full address', () => {
  const entries = [
    {
      fullUrl: 'https://ehr.example/fhir/Practitioner/7',
      resource: {
        resourceType: 'Practitioner',
        id: '7',
        identifier: [{ system: 'http://hl7.org/fhir/sid/us-npi', value: '1234567893' }],
        name: [{ family: 'Quill', given: ['Hedda'] }],
      },
    },
    {
      fullUrl: 'https://ehr.example/fhir/Condition/1',
      resource: {
        resourceType: 'Condition',
        id: '1',
        code: {
          coding: [
            { system: 'http://snomed.info/sct', code: '422504002' },
            { system: 'http://hl7.org/fhir/sid/icd-10-cm', code: 'I63.9', display: 'Stroke' },
          ],
        },
      },
    },
    {
      fullUrl: 'urn:uuid:cov',
      resource: {
        resourceType: 'Coverage',
        status: 'active',
        order: 1,
        subscriberId: 'M-77',
        payor: [{ display: 'Northern Pines' }],
        type: concept('HMO'),
        class: [{ type: concept('plan'), value: 'P1', name: 'Gold' }],
      },
    },
    {
      fullUrl: 'urn:uuid:no',
      resource: { resourceType: 'Coverage', status: 'cancelled', payor: [{ display: 'Old Plan' }] },
    },
  ];
  const encounter = {
    contained: [
      {
        resourceType: 'PractitionerRole',
        id: 'role',
        practitioner: { reference: 'https://ehr.example/fhir/Practitioner/7' },
      },
    ],
    participant: [
      { type: [concept('CON')], individual: { display: 'Dr. Nobody' } },
      { type: [concept('ATND')], individual: { display: 'Dr. Before' }, period: { end: START } },
      { type: [concept('ATND')], individual: { reference: '#role' } },
    ],
    diagnosis: [{ condition: { reference: 'Condition/1/_history/3' }, use: concept('AD'), rank: 1 }],
    reasonCode: [{ text: 'Weakness on one side' }],
    hospitalization: { admitSource: concept('emd'), destination: { display: 'Oak Hollow' } },
  };
  const facts = read(bundle({ encounter, entries }));
  expect(facts.visit).toMatchObject({
    attending: { npi: '1234567893', family: 'Quill', given: 'Hedda' },
    diagnoses: [{ code: 'I63.9', description: 'Stroke', type: 'A', priority: 1, codeSystem: 'I10C' }],
    admitReason: 'Weakness on one side',
    admitSource: '7',
    dischargedTo: 'Oak Hollow',
    payers: [{ company: 'Northern Pines', plan: 'Gold', planCode: 'P1', type: 'HMO', memberId: 'M-77' }],
  });
  expect(facts.patient.memberIds).toEqual([{ value: 'M-77', authority: 'Northern Pines', type: 'MB' }]);
});

test('the elements of R5 are read', () => {
  const encounter = {
    period: undefined,
    actualPeriod: { start: START },
    plannedEndDate: '2026-11-25',
    participant: [{ type: [concept('ATND')], actor: { display: 'Hedda Quill' } }],
    reason: [{ value: [{ concept: { text: 'Fall' } }] }],
    diagnosis: [{ condition: [{ concept: concept('S72.001A', 'http://hl7.org/fhir/sid/icd-10-cm', 'Hip fracture') }] }],
  };
  expect(read(bundle({ encounter })).visit).toMatchObject({
    admittedAt: { instant: '2026-11-20T14:00:00Z' },
    expectedDischargeAt: { localDate: '2026-11-25', precision: 'day' },
    attending: { family: 'Hedda Quill' },
    admitReason: 'Fall',
    diagnoses: [{ code: 'S72.001A', codeSystem: 'I10C' }],
  });
});

test('values that are empty or absent with a reason are no values', () => {
  const absent = {
    extension: [{ url: 'http://hl7.org/fhir/StructureDefinition/data-absent-reason', valueCode: 'unknown' }],
  };
  const { patient } = read(
    bundle({ patient: { gender: ' ', birthDate: undefined, _birthDate: absent, address: [{ _city: absent }] } }),
  );
  expect(patient).toMatchObject({ sex: undefined, birthDate: undefined, address: undefined });
});
