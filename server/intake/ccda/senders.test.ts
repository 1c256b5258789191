/** How differently senders write the same things: encodings, prefixes, values, narratives, files. */
import { describe, expect, test } from 'vitest';
import { readDocument } from './read-document.ts';
import { Unreadable } from './unreadable.ts';

const NAMESPACES = 'xmlns="urn:hl7-org:v3" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"';
const withSection = (text: string, entries = '', code = '30954-2') =>
  `<ClinicalDocument ${NAMESPACES}><component><structuredBody><component><section><code code="${code}"/><text>${text}</text>${entries}</section></component></structuredBody></component></ClinicalDocument>`;
const sectionOf = (document: string | Buffer) => readDocument(Buffer.from(document as string)).document.sections[0];
const narrative = (text: string) => sectionOf(withSection(text))?.narrative;
const withBody = (text: string) =>
  readDocument(
    Buffer.from(
      `<ClinicalDocument ${NAMESPACES}><component><nonXMLBody>${text}</nonXMLBody></component></ClinicalDocument>`,
    ),
  );

describe('encodings', () => {
  const declared = (encoding: string) =>
    `<?xml version="1.0" encoding="${encoding}"?>${withSection('Sulfonamide – é')}`;
  const utf16 = Buffer.from(declared('UTF-16'), 'utf16le');
  test.each<[string, Buffer]>([
    ['UTF-8 with a byte order mark', Buffer.from(`\uFEFF${declared('UTF-8')}`)],
    ['UTF-16, little end first', Buffer.concat([Buffer.from([0xff, 0xfe]), utf16])],
    ['UTF-16, big end first', Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(utf16).swap16()])],
    ['UTF-16 without a mark', utf16],
    ['windows-1252', Buffer.from(declared('windows-1252').replace('–', '\x96'), 'latin1')],
    ['UTF-8 that is called ASCII', Buffer.from(declared('US-ASCII'))],
    ['UTF-8 that is called UTF-16', Buffer.from(declared('UTF-16'))],
    ['a line end before the declaration', Buffer.from(`\r\n${declared('UTF-8')}`)],
  ])('%s', (_, bytes) => {
    expect(sectionOf(bytes)?.narrative).toEqual(['Sulfonamide – é']);
  });

  test('bytes of another encoding are refused with the line from which on they are', () => {
    const bytes = Buffer.from(`<?xml version="1.0"?>\n${withSection('\xe9')}`, 'latin1');
    expect(() => readDocument(bytes)).toThrow(Unreadable);
    expect(() => readDocument(bytes)).toThrow(/^From line \d+ on, .* send it again\.$/);
  });
});

test('a prefix for the namespace of CDA is read as none', () => {
  const prefixed = withSection('One<br/>Two')
    .replace('xmlns=', 'xmlns:c=')
    .replace(/<(\/?)(?=[a-zA-Z])/g, '<$1c:');
  expect(sectionOf(prefixed)?.narrative).toEqual(['One', { kind: 'break' }, 'Two']);
});

test.each([
  ['<value xsi:type="PQ" value="7.2" unit="g/dL"/>', '7.2 g/dL'],
  ['<value xsi:type="PQ" value="3" unit="{score}"/>', '3 score'],
  ['<value xsi:type="PQ" value="98.6" unit="[degF]"/>', '98.6 °F'],
  ['<value xsi:type="PQ" value="12" unit="10*3/uL"/>', '12 10³/uL'],
  ['<value xsi:type="IVL_PQ"><low value="3" unit="mg"/><high value="5" unit="mg"/></value>', '3 – 5 mg'],
  ['<value xsi:type="IVL_PQ"><low value="3" unit="mg"/></value>', '≥ 3 mg'],
  ['<value xsi:type="RTO"><numerator value="1"/><denominator value="128"/></value>', '1 / 128'],
  ['<value xsi:type="ST">Positive</value>', 'Positive'],
  ['<value xsi:type="CD" code="260385009" displayName="Negative"/>', 'Negative'],
  ['<value xsi:type="CD" nullFlavor="OTH"><originalText><reference value="#v"/></originalText></value>', 'See below'],
  ['<value xsi:type="ED"><reference value="#v"/></value>', 'See below'],
  ['<value xsi:type="TS" value="20260102"/>', '01/02/2026'],
  ['<value xsi:type="BL" value="false"/>', 'No'],
  ['<value xsi:type="REAL" value="1.50"/>', '1.50'],
])('the value %s is %s', (value, words) => {
  const section = sectionOf(
    withSection(
      '<content ID="v">See below</content>',
      `<entry><observation><code code="1" displayName="Test"/>${value}</observation></entry>`,
    ),
  );
  expect(section?.entries[0]).toMatchObject({ name: 'Test', value: words, missing: null });
});

test('a value that is missing says why', () => {
  const section = sectionOf(
    withSection(
      '',
      '<entry><observation><code code="1" displayName="Test"/><value xsi:type="PQ" nullFlavor="NAV"/></observation></entry>',
    ),
  );
  expect(section?.entries[0]).toMatchObject({ name: 'Test', value: null, missing: 'Not available yet' });
});

test('a medication of which everything is missing has the words that it refers to, and when it is taken', () => {
  const section = sectionOf(
    withSection(
      '<paragraph ID="m">Aspirin 81 mg</paragraph>',
      `<entry><substanceAdministration><text><reference value="#m"/></text><effectiveTime xsi:type="EIVL_TS"><event code="HS"/></effectiveTime>
        <doseQuantity nullFlavor="UNK"/><consumable><manufacturedProduct><manufacturedMaterial><code nullFlavor="UNK"/></manufacturedMaterial></manufacturedProduct></consumable></substanceAdministration></entry>`,
      '10160-0',
    ),
  );
  expect(section?.entries[0]).toMatchObject({ name: 'Aspirin 81 mg', code: null, value: 'at bedtime' });
});

describe('narratives', () => {
  test('text that this version takes back is struck through', () => {
    expect(narrative('<content revised="delete">10 mg</content> 20 mg')).toEqual([
      { kind: 'strike', children: ['10 mg'] },
      ' 20 mg',
    ]);
  });

  test('a paragraph with a table in it gives way to it', () => {
    expect(narrative('<paragraph>Before<table><tr><td>1</td></tr></table></paragraph>')).toMatchObject([
      'Before',
      { kind: 'table' },
    ]);
  });

  test('a list has its caption before it, and a picture its caption as text', () => {
    expect(
      narrative(
        '<list><caption>Doses</caption><item>One</item></list><renderMultiMedia><caption>ECG</caption></renderMultiMedia>',
      ),
    ).toEqual([
      { kind: 'paragraph', children: [{ kind: 'bold', children: ['Doses'] }] },
      { kind: 'list', children: [{ kind: 'item', children: ['One'] }] },
      { kind: 'media', children: ['ECG'] },
    ]);
  });

  test('a table in a cell, spans and footnotes stay where they are', () => {
    expect(
      narrative(
        '<table><tr><td colspan="2">a<table><tr><td>b<footnoteRef IDREF="f"/></td></tr></table></td></tr></table><footnote ID="f">c</footnote>',
      ),
    ).toMatchObject([
      { kind: 'table', children: [{ children: [{ children: [{ colSpan: 2, children: ['a', { kind: 'table' }] }] }] }] },
      { kind: 'footnote', number: 1, children: ['c'] },
    ]);
  });
});

describe('files in place of sections', () => {
  test('base64 may have line ends, and need not be called so', () => {
    for (const attributes of ['representation="B64" ', '']) {
      const { file } = withBody(`<text mediaType="application/pdf" ${attributes}>\n JVBERi0x\r\n LjQK </text>`);
      expect(file).toEqual({ mediaType: 'application/pdf', bytes: Buffer.from('%PDF-1.4\n') });
    }
  });

  test('a text is a text', () => {
    expect(withBody('<text mediaType="text/plain">Seen today &amp; well</text>').file?.bytes.toString()).toBe(
      'Seen today & well',
    );
  });

  test('a file elsewhere is named, and not fetched', () => {
    const { document, file } = withBody(
      '<text mediaType="application/pdf"><reference value="http://127.0.0.1:1/scan.pdf"/></text>',
    );
    expect(file).toBeNull();
    expect(document.body).toMatchObject({ size: 0, name: 'http://127.0.0.1:1/scan.pdf' });
  });
});

test.each([
  ['a record in the format of ASTM', '<ContinuityOfCareRecord xmlns="urn:astm-org:CCR"/>'],
  ['a FHIR resource', '<Bundle xmlns="http://hl7.org/fhir"/>'],
  ['a document within another element', `<Envelope><ClinicalDocument ${NAMESPACES}/></Envelope>`],
])('%s is refused, and its sender learns what to send', (_, text) => {
  expect(() => readDocument(Buffer.from(text))).toThrow(/not ClinicalDocument .* Send a C-CDA document\.$/);
});
