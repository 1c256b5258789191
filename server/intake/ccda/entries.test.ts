/** What coded entries say, in the forms in which C-CDA writes them. */
import { expect, test } from 'vitest';
import { readDocument } from './read-document.ts';

const section = (code: string, inner: string) =>
  readDocument(
    Buffer.from(`<ClinicalDocument xmlns="urn:hl7-org:v3" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><component><structuredBody><component><section>
      <code code="${code}"/><text><paragraph ID="p1">Penicillin V</paragraph></text>${inner}</section></component></structuredBody></component></ClinicalDocument>`),
  ).document.sections[0];
const first = (code: string, inner: string) => section(code, `<entry>${inner}</entry>`)?.entries[0];

const allergy = (
  attributes: string,
  participant: string,
) => `<act><statusCode code="active"/><entryRelationship typeCode="SUBJ">
  <observation ${attributes}><value xsi:type="CD" code="419199007" displayName="Allergy to substance"/>${participant}</observation></entryRelationship></act>`;
const substance = (code: string) =>
  `<participant typeCode="CSM"><participantRole><playingEntity>${code}</playingEntity></participantRole></participant>`;

test('an allergy has the substance as its name', () => {
  const entry = first('48765-2', allergy('', substance('<code code="7980" displayName="Penicillin"/>')));
  expect(entry).toMatchObject({
    kind: 'allergy',
    name: 'Penicillin',
    isNegated: false,
    status: 'Active',
    code: { code: '7980' },
  });
});

test('a substance without a code has the words of the narrative that it refers to', () => {
  const entry = first(
    '48765-2',
    allergy('', substance('<code nullFlavor="OTH"><originalText><reference value="#p1"/></originalText></code>')),
  );
  expect(entry).toMatchObject({ name: 'Penicillin V', code: null, missing: null });
});

test('a negated allergy to any substance is no known allergies, not an allergy', () => {
  const entry = first('48765-2', allergy('negationInd="true"', substance('<code nullFlavor="NA"/>')));
  expect(entry).toMatchObject({ name: 'No known allergies', isNegated: true, missing: null });
});

test('a negated allergy to a substance names it', () => {
  const entry = first(
    '48765-2',
    allergy('negationInd="true"', substance('<code code="7980" displayName="Penicillin"/>')),
  );
  expect(entry?.name).toBe('No known allergy: Penicillin');
});

test('a vaccine that was not given says so', () => {
  const entry = first(
    '11369-6',
    `<substanceAdministration negationInd="true"><consumable><manufacturedProduct><manufacturedMaterial>
      <code code="88" displayName="Influenza"/></manufacturedMaterial></manufacturedProduct></consumable></substanceAdministration>`,
  );
  expect(entry).toMatchObject({ kind: 'immunization', name: 'Not given: Influenza', isNegated: true });
});

test('a medication has dose, route and how often', () => {
  const entry = first(
    '10160-0',
    `<substanceAdministration><statusCode code="active"/><effectiveTime xsi:type="IVL_TS"><low value="20260101"/><high nullFlavor="UNK"/></effectiveTime>
      <effectiveTime xsi:type="PIVL_TS" operator="A"><period value="8" unit="h"/></effectiveTime><routeCode displayName="Oral"/><doseQuantity value="500" unit="mg"/>
      <consumable><manufacturedProduct><manufacturedMaterial><code code="308182" displayName="Amoxicillin"/></manufacturedMaterial></manufacturedProduct></consumable>
    </substanceAdministration>`,
  );
  expect(entry).toMatchObject({
    name: 'Amoxicillin',
    value: '500 mg, Oral, every 8 hours',
    when: { from: '2026-01-01', to: null },
    status: 'Active',
  });
});

const wrappedIn = (template: string, code: string, inner: string) =>
  `<act><templateId root="2.16.840.1.113883.10.20.22.4.${template}"/><code code="${code}" displayName="What it is"/><statusCode code="completed"/>
    <entryRelationship typeCode="SUBJ">${inner}</entryRelationship></act>`;
const IBUPROFEN = `<substanceAdministration moodCode="INT"><statusCode code="active"/>
  <effectiveTime xsi:type="PIVL_TS" operator="A"><period value="6" unit="h"/></effectiveTime><routeCode displayName="Oral"/>
  <consumable><manufacturedProduct><manufacturedMaterial><code code="197806" displayName="Ibuprofen 600 mg oral tablet"/></manufacturedMaterial></manufacturedProduct></consumable>
  </substanceAdministration>`;
const DIAGNOSIS = `<observation><code code="29308-4" displayName="Diagnosis"/><statusCode code="completed"/>
  <value xsi:type="CD" code="74400008" displayName="Appendicitis"/></observation>`;

test.each([
  ['35', '10183-2', '75311-1'],
  ['36', '42346-7', '42346-7'],
  ['99', '10183-2', '10183-2'],
])('a medication within the act of template 4.%s (%s) is read, with its own status', (template, code, ofSection) => {
  expect(first(ofSection, wrappedIn(template, code, IBUPROFEN))).toMatchObject({
    kind: 'medication',
    name: 'Ibuprofen 600 mg oral tablet',
    code: { code: '197806' },
    status: 'Active',
    value: 'Oral, every 6 hours',
  });
});

test.each([
  ['33', '11535-2', 'C-CDAV2-DDN'],
  ['34', '46241-6', '42347-5'],
  ['65', '10219-4', '10219-4'],
])(
  'a diagnosis within the act of template 4.%s (%s) is read, whatever the code of its section',
  (template, code, ofSection) => {
    expect(first(ofSection, wrappedIn(template, code, DIAGNOSIS))).toMatchObject({
      kind: 'problem',
      name: 'Appendicitis',
      code: { code: '74400008' },
      missing: null,
    });
  },
);

test('an act that has no medication in it is shown as what it is', () => {
  const empty = wrappedIn('35', '10183-2', '<observation><code code="1" displayName="Note"/></observation>');
  expect(first('10183-2', empty)).toMatchObject({ name: 'What it is' });
});

test('a result has its unit, its range and its panel; without a value it says why', () => {
  const observation = (value: string) => `<component><observation><code code="718-7" displayName="Hemoglobin"/>${value}
    <interpretationCode code="L"/><referenceRange><observationRange><value xsi:type="IVL_PQ"><low value="12" unit="g/dL"/><high value="15.5" unit="g/dL"/></value></observationRange></referenceRange>
    </observation></component>`;
  const found = section(
    '30954-2',
    `<entry><organizer><code code="58410-2" displayName="Blood count"/>${observation('<value xsi:type="PQ" value="9.1" unit="g/dL"/>')}${observation('<value xsi:type="PQ" nullFlavor="NAV"/>')}</organizer></entry>`,
  );
  expect(found?.entryCount).toBe(1);
  expect(found?.entries).toMatchObject([
    {
      value: '9.1 g/dL',
      interpretation: 'Low',
      referenceRange: '12 – 15.5 g/dL',
      panel: 'Blood count',
      missing: null,
    },
    { value: null, missing: 'Not available yet' },
  ]);
});

test('what is planned is not said to have happened', () => {
  const entry = first(
    '18776-5',
    '<observation moodCode="RQO"><code displayName="Colonoscopy"/><statusCode code="active"/></observation>',
  );
  expect(entry).toMatchObject({ kind: 'plan', name: 'Colonoscopy', status: 'Ordered' });
});

test('a section without information says so', () => {
  expect(section('48765-2', '')?.missing).toBeNull();
  const bytes = Buffer.from(
    `<ClinicalDocument xmlns="urn:hl7-org:v3"><component><structuredBody><component><section nullFlavor="NASK"><code code="48765-2"/></section></component></structuredBody></component></ClinicalDocument>`,
  );
  expect(readDocument(bytes).document.sections[0]).toMatchObject({ title: 'Allergies', missing: 'Not asked' });
});

test('subsections follow their section, one level below', () => {
  const inner = '<component><section><title>Inner</title></section></component>';
  const found = readDocument(
    Buffer.from(
      `<ClinicalDocument xmlns="urn:hl7-org:v3"><component><structuredBody><component><section><title>Outer</title>${inner}</section></component><component><section><title>Last</title></section></component></structuredBody></component></ClinicalDocument>`,
    ),
  ).document.sections.map(({ title, level, number }) => ({ title, level, number }));
  expect(found).toEqual([
    { title: 'Outer', level: 0, number: 1 },
    { title: 'Inner', level: 1, number: 2 },
    { title: 'Last', level: 0, number: 3 },
  ]);
});

test('a PDF in place of sections is decoded, in whatever lines its base64 comes', () => {
  const base64 = Buffer.from('%PDF-1.4 test').toString('base64');
  const { document, file } = readDocument(
    Buffer.from(
      `<ClinicalDocument xmlns="urn:hl7-org:v3"><component><nonXMLBody><text mediaType="application/pdf" representation="B64">\n${base64.slice(0, 5)}\n${base64.slice(5)}\n</text></nonXMLBody></component></ClinicalDocument>`,
    ),
  );
  expect(document.body).toEqual({ mediaType: 'application/pdf', size: 13, name: null });
  expect(file?.bytes.toString()).toBe('%PDF-1.4 test');
});

test.each([
  [
    'UTF-8 with a byte order mark',
    Buffer.from(
      '\ufeff<?xml version="1.0"?><ClinicalDocument xmlns="urn:hl7-org:v3"><title>Márquez</title></ClinicalDocument>',
    ),
  ],
  [
    'UTF-16',
    Buffer.from('\ufeff<ClinicalDocument xmlns="urn:hl7-org:v3"><title>Márquez</title></ClinicalDocument>', 'utf16le'),
  ],
  [
    'ISO-8859-1',
    Buffer.from(
      '<?xml version="1.0" encoding="ISO-8859-1"?><ClinicalDocument xmlns="urn:hl7-org:v3"><title>Márquez</title></ClinicalDocument>',
      'latin1',
    ),
  ],
  [
    'a prefix',
    Buffer.from('<n1:ClinicalDocument xmlns:n1="urn:hl7-org:v3"><n1:title>Márquez</n1:title></n1:ClinicalDocument>'),
  ],
])('a document in %s is read', (_, bytes) => {
  expect(readDocument(bytes).document.header.title).toBe('Márquez');
});

test('a negated statement says that it is not so, with its value in the words and no status', () => {
  const fever = `<observation negationInd="true"><code code="1" displayName="Fever observed"/><statusCode code="completed"/>
    <value xsi:type="BL" value="true"/></observation>`;
  expect(first('30954-2', fever)).toMatchObject({
    name: 'Not the case: Fever observed: Yes',
    value: null,
    isNegated: true,
    status: null,
  });
  const operation = `<procedure negationInd="true"><code code="2" displayName="Appendectomy"/><statusCode code="completed"/></procedure>`;
  expect(first('47519-4', operation)).toMatchObject({ name: 'Not done: Appendectomy', status: null });
  expect(first('48765-2', allergy('negationInd="true"', substance('<code nullFlavor="NA"/>')))?.status).toBeNull();
});

test('a dose has what is counted, and a medication that is taken as needed says so', () => {
  const medication = (inner: string) =>
    first(
      '10160-0',
      `<substanceAdministration><doseQuantity value="2"/>${inner}<consumable><manufacturedProduct><manufacturedMaterial>
        <code code="3" displayName="Albuterol"/></manufacturedMaterial></manufacturedProduct></consumable></substanceAdministration>`,
    )?.value;
  const puffs = '<administrationUnitCode code="PUFF" displayName="Puff"/>';
  expect(medication('')).toBe('2');
  expect(medication(puffs)).toBe('2 Puff');
  const wheezing =
    '<precondition><criterion><value xsi:type="CD" code="56018004" displayName="Wheezing"/></criterion></precondition>';
  expect(medication(puffs + wheezing)).toBe('2 Puff, as needed for Wheezing');
  expect(medication('<precondition><criterion/></precondition>')).toBe('2, as needed');
});
