/** What EHRs write where the guides leave room or are not kept: statuses, names, codes and times in other places than in C-CDA's examples. */
import { describe, expect, test } from 'vitest';
import type { CodedEntry } from '#contract/clinical-documents.ts';
import { readDocument } from './read-document.ts';

const NAMESPACES = 'xmlns="urn:hl7-org:v3" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"';
const documentOf = (header: string, body = '') =>
  readDocument(
    Buffer.from(
      `<ClinicalDocument ${NAMESPACES}>${header}<component><structuredBody>${body}</structuredBody></component></ClinicalDocument>`,
    ),
  ).document;
const entriesOf = (section: string, entry: string): CodedEntry[] =>
  documentOf(
    '',
    `<component><section><code code="${section}"/><text><content ID="n1">Latex tape</content><content ID="n2">Coded name not available</content>
      <content ID="n3">No known discharge medications</content></text><entry>${entry}</entry></section></component>`,
  ).sections[0]?.entries ?? [];

const STATUS = (code: string, words: string) =>
  `<entryRelationship typeCode="REFR"><observation><code code="33999-4"/><statusCode code="completed"/>
    <value xsi:type="CE" code="${code}" displayName="${words}"/></observation></entryRelationship>`;
const medication = (inner: string, mood = 'EVN', material = '<code code="1" displayName="Metoprolol"/>', more = '') =>
  `<substanceAdministration moodCode="${mood}"${more}>${inner}<consumable><manufacturedProduct><manufacturedMaterial>${material}</manufacturedMaterial>
    </manufacturedProduct></consumable></substanceAdministration>`;
const COMPLETED = '<statusCode code="completed"/>';

describe('the status of a medication', () => {
  test.each([
    ['EVN', '55561003', 'Active'],
    ['INT', '55561003', 'Active'],
    ['EVN', '73425007', 'No longer active'],
  ])('is that of its observation, not of the act (%s)', (mood, code, words) => {
    expect(entriesOf('10160-0', medication(`${COMPLETED}${STATUS(code, words)}`, mood))).toMatchObject([
      { status: words },
    ]);
  });

  test('is in words, also where only its code is written', () => {
    const bare = STATUS('73425007', '').replace(' displayName=""', '');
    expect(entriesOf('10160-0', medication(bare))).toMatchObject([{ status: 'Inactive' }]);
  });

  test('is not said by an act that is completed, as all are by C-CDA R1.1', () => {
    const statusOf = (mood: string, more = '') =>
      entriesOf('10160-0', medication(COMPLETED + more, mood)).map(({ status }) => status);
    const template = (version: string) => `<templateId root="2.16.840.1.113883.10.20.22.4.16"${version}/>`;
    expect(statusOf('EVN', template(''))).toEqual([null]);
    expect(statusOf('INT', template(''))).toEqual([null]);
    expect(statusOf('EVN')).toEqual(['Completed']);
    expect(statusOf('EVN', template('') + template(' extension="2014-06-09"'))).toEqual(['Completed']);
    const stopped = '<statusCode code="aborted"/>';
    expect(entriesOf('10160-0', medication(stopped))).toMatchObject([{ status: 'Stopped' }]);
  });

  test('is active for one that a list intends', () => {
    const intended = medication('<statusCode code="active"/>', 'INT');
    expect(entriesOf('10160-0', intended)).toMatchObject([{ status: 'Active' }]);
    expect(entriesOf('18776-5', intended)).toMatchObject([{ status: 'Intended' }]);
  });
});

test('discharge medications are read from an act that says only by its template what it holds', () => {
  const act = `<act><templateId root="2.16.840.1.113883.10.20.22.4.35"/><code nullFlavor="NI"/><entryRelationship>${medication(COMPLETED)}</entryRelationship></act>`;
  expect(entriesOf('10183-2', act)).toMatchObject([{ kind: 'medication', name: 'Metoprolol' }]);
});

test('a problem without a status is not completed because it was observed', () => {
  const problem = `<observation>${COMPLETED}<value xsi:type="CD" code="195967001" displayName="Asthma"/></observation>`;
  expect(entriesOf('11450-4', problem)).toMatchObject([{ name: 'Asthma', status: null }]);
  const concern = (status: string) =>
    entriesOf('11450-4', `<act>${status}<entryRelationship typeCode="SUBJ">${problem}</entryRelationship></act>`);
  expect(concern('')).toMatchObject([{ status: null }]);
  expect(concern('<statusCode code="active"/>')).toMatchObject([{ status: 'Active' }]);
  expect(concern(COMPLETED)).toMatchObject([{ status: 'Completed' }]);
});

describe('names', () => {
  const allergyTo = (entity: string, more = '') =>
    entriesOf(
      '48765-2',
      `<act><entryRelationship typeCode="SUBJ" inversionInd="true"><observation${more}><value xsi:type="CD"/><participant><participantRole><playingEntity>${entity}</playingEntity>
        </participantRole></participant></observation></entryRelationship></act>`,
    );
  const UNCODED = '<code code="UNK" nullFlavor="UNK"><originalText><reference value="#n2"/></originalText></code>';

  test('an allergy without a code has its own name, not the words about the code', () => {
    expect(allergyTo(`${UNCODED}<name>LATEX TAPE</name>`)).toMatchObject([{ name: 'LATEX TAPE', code: null }]);
    expect(allergyTo(UNCODED)).toMatchObject([{ name: 'Coded name not available' }]);
    expect(allergyTo('<code code="111088007"/><name>Latex</name>')).toMatchObject([{ name: 'Latex' }]);
  });

  test('a medication without a code has its text, which says more than its name', () => {
    const material =
      '<code nullFlavor="OTH"><originalText>Lisinopril 10 mg tablet</originalText></code><name>Zestril</name>';
    expect(entriesOf('10160-0', medication('', 'EVN', material))).toMatchObject([{ name: 'Lisinopril 10 mg tablet' }]);
  });

  test('a problem with a bare code has the words that it refers to', () => {
    const problem = `<observation><text><reference value="#n1"/></text><value xsi:type="CD"><translation code="786.2"/></value></observation>`;
    expect(entriesOf('11450-4', problem)).toMatchObject([{ name: 'Latex tape', code: { code: '786.2' } }]);
  });

  test('what says itself that there is none is not denied a second time', () => {
    const none = (code: string) => medication(COMPLETED, 'INT', code, ' negationInd="true"');
    const said = '<originalText><reference value="#n3"/></originalText>';
    const inWords = none(`<code nullFlavor="OTH">${said}</code>`);
    const coded = none(`<code nullFlavor="OTH">${said}<translation code="410942007"/></code>`);
    expect(entriesOf('10183-2', inWords)).toMatchObject([{ name: 'No known discharge medications', isNegated: true }]);
    expect(entriesOf('10183-2', coded)).toMatchObject([{ name: 'No known medications', isNegated: true }]);
    const named = medication(COMPLETED, 'EVN', '<code displayName="Nortriptyline"/>', ' negationInd="true"');
    expect(entriesOf('10160-0', named)).toMatchObject([{ name: 'Not taken: Nortriptyline' }]);
  });

  test('an assertion is what is asserted', () => {
    const smoker = `<observation><code code="ASSERTION"/><value xsi:type="CD" code="8517006" displayName="Former smoker"/></observation>`;
    expect(entriesOf('29762-2', smoker)).toMatchObject([
      { name: 'Former smoker', value: null, code: { code: '8517006' } },
    ]);
    const unsaid = '<observation><code code="ASSERTION"/><value xsi:type="CD" nullFlavor="NI"/></observation>';
    expect(entriesOf('29762-2', unsaid)).toMatchObject([{ name: null, code: null, missing: 'No information' }]);
  });

  test('a disease in the family says whose it is', () => {
    const family = `<organizer><subject><relatedSubject><code code="FTH" displayName="Father"/></relatedSubject></subject>
      <component><observation><code code="64572001" displayName="Condition"/><value xsi:type="CD" displayName="Diabetes"/></observation></component></organizer>`;
    expect(entriesOf('10157-6', family)).toMatchObject([{ value: 'Diabetes', panel: 'Father' }]);
    const none = family.replace('<observation>', '<observation negationInd="true">');
    const healthy = none.replace('displayName="Diabetes"', 'code="55607006" displayName="Problem"');
    expect(entriesOf('10157-6', none)).toMatchObject([{ name: 'Not the case: Condition: Diabetes', panel: 'Father' }]);
    expect(entriesOf('10157-6', healthy)).toMatchObject([{ name: 'No known problems', panel: 'Father' }]);
  });
});

test('a reaction without a code is in words', () => {
  const allergy = `<observation><participant><participantRole><playingEntity><name>Aspirin</name></playingEntity></participantRole></participant>
    <entryRelationship typeCode="MFST"><observation><text>hives<reference value="#n1"/></text><value xsi:type="CD" nullFlavor="OTH"/></observation></entryRelationship></observation>`;
  expect(entriesOf('48765-2', allergy)[0]?.details).toEqual([{ label: 'Reaction', text: 'hives' }]);
});

test.each([
  ['<interpretationCode code="HH"/>', 'Critically high'],
  ['<interpretationCode nullFlavor="UNK"><originalText>H</originalText></interpretationCode>', 'High'],
  ['<interpretationCode nullFlavor="UNK"><originalText>See note</originalText></interpretationCode>', 'See note'],
])('the interpretation %s is %s', (interpretation, words) => {
  const result = `<observation><code code="1" displayName="Glucose"/><value xsi:type="PQ" value="152" unit="mg/dL"/>${interpretation}</observation>`;
  expect(entriesOf('30954-2', result)).toMatchObject([{ interpretation: words }]);
});

test.each([
  ['<low value="400" unit="mg/dL" inclusive="false"/>', '> 400 mg/dL'],
  ['<high value="0.01" unit="ng/mL" inclusive="false"/>', '< 0.01 ng/mL'],
  ['<low value="400" unit="mg/dL"/>', '≥ 400 mg/dL'],
])('a result with the bound %s is %s', (bound, words) => {
  const result = `<observation><code code="1" displayName="Test"/><value xsi:type="IVL_PQ">${bound}</value></observation>`;
  expect(entriesOf('30954-2', result)).toMatchObject([{ value: words }]);
});

test.each([
  [
    '<doseQuantity value="30.0" unit="1"><translation value="30.0"><originalText>units</originalText></translation></doseQuantity>',
    '30.0 units',
  ],
  [
    '<doseQuantity nullFlavor="OTH"><translation value="1" code="TAB" displayName="tablet"/></doseQuantity>',
    '1 tablet',
  ],
  [
    '<doseQuantity value="500" unit="mg"><translation value="500" code="x" displayName="milligram"/></doseQuantity>',
    '500 mg',
  ],
  ['<doseQuantity value="2" unit="1"/>', '2'],
])('the dose %s is %s', (dose, words) => {
  expect(entriesOf('10160-0', medication(dose))).toMatchObject([{ value: words }]);
});

test.each([
  ['<value xsi:type="PQ" nullFlavor="OTH"><translation value="4" code="x" displayName="plus"/></value>', '4 plus'],
  ['<value xsi:type="PQ" value="36"/>', '36'],
])('the result %s is %s', (value, words) => {
  expect(entriesOf('30954-2', `<observation><code displayName="Test"/>${value}</observation>`)).toMatchObject([
    { value: words },
  ]);
});

const EVENT = (code: string) =>
  `<effectiveTime xsi:type="EIVL_TS" operator="A"><event code="${code}"/></effectiveTime>`;
const PERIOD = (inner: string) => `<effectiveTime xsi:type="PIVL_TS" operator="A"><period ${inner}</effectiveTime>`;
test.each([
  [EVENT('ACM') + EVENT('HS'), 'before breakfast, at bedtime'],
  [PERIOD('value="24" unit="h"/>') + EVENT('HS'), 'every 24 hours, at bedtime'],
  [PERIOD('xsi:type="IVL_PQ"><low value="4" unit="h"/><high value="6" unit="h"/></period>'), 'every 4 – 6 hours'],
  [PERIOD('xsi:type="IVL_PQ"><low value="8" unit="h"/><high value="8" unit="h"/></period>'), 'every 8 hours'],
  [PERIOD('value="1" unit="d"/>'), 'every day'],
])('how often a medication is taken is said whole: %s', (times, words) => {
  expect(entriesOf('10160-0', medication(times))).toMatchObject([{ value: words }]);
});

describe('the patient', () => {
  const patientOf = (role: string) =>
    documentOf(`<recordTarget><patientRole>${role}</patientRole></recordTarget>`).header.patient;
  const named = (...names: string[]) => patientOf(`<patient>${names.join('')}</patient>`).name;

  test('has the name in use: not the one at birth, and no nickname as a middle name', () => {
    const name = '<name use="L"><given>Petra</given><given qualifier="CL">Peggy</given>';
    expect(named(`${name}<family qualifier="BR">Adler</family><family>Novak</family></name>`)).toEqual({
      family: 'Novak',
      given: 'Petra',
      middle: null,
      suffix: null,
    });
    expect(named(`${name}<family qualifier="BR">Adler</family></name>`)).toMatchObject({ family: 'Adler' });
    expect(
      named('<name use="SRCH"><family>Adler</family></name>', '<name use="C L"><family>Novak</family></name>'),
    ).toMatchObject({ family: 'Novak' });
  });

  test('may be named once for each record number, and another one beside them is said', () => {
    const target = (record: string, given: string) =>
      `<recordTarget><patientRole><id root="1.2.3" extension="${record}"/><patient><name><given>${given}</given><family>Novak</family></name></patient></patientRole></recordTarget>`;
    const patient = (...targets: string[]) => documentOf(targets.join('')).header.patient;
    expect(patient(target('1', 'Petra'), target('2', 'Petra'))).not.toHaveProperty('isOneOfSeveral');
    expect(patient(target('1', 'Petra'), target('2', 'Iris'))).toMatchObject({ isOneOfSeveral: true });
    expect(patient()).toMatchObject({ name: null, identifiers: [] });
  });

  test('has the address where they live now, and none that says nothing', () => {
    const address = (city: string, period = '', use = 'HP') =>
      `<addr use="${use}"><city>${city}</city>${period}</addr>`;
    const former = '<useablePeriod xsi:type="IVL_TS"><low value="2001"/><high value="2019"/></useablePeriod>';
    const current = '<useablePeriod xsi:type="IVL_TS"><low value="2019"/><high nullFlavor="NA"/></useablePeriod>';
    expect(patientOf(address('Elgin', former) + address('Joliet', current)).address?.city).toBe('Joliet');
    expect(patientOf(address('Elgin', '', 'BAD') + address('Joliet')).address?.city).toBe('Joliet');
    expect(patientOf('<addr><city nullFlavor="UNK"/></addr>').address).toBeNull();
  });
});
