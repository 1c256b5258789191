/** Documents made to harm a viewer or a parser: nothing of them is resolved, kept as markup, or slow. */
import { describe, expect, test } from 'vitest';
import { documentWith, SHAPES } from '#server/testing/hostile-documents.ts';
import { MOST_ATTRIBUTES, MOST_BYTES, MOST_DEPTH } from './limits.ts';
import { readDocument } from './read-document.ts';

const reasonOf = (bytes: Uint8Array): string => {
  try {
    readDocument(bytes);
  } catch (error) {
    return (error as Error).message;
  }
  return 'read';
};
const read = (text: string) => readDocument(documentWith(text)).document.sections[0]?.narrative;

describe('what is refused', () => {
  test.each([
    ['entities that multiply', '<!DOCTYPE a [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>'],
    ['an external entity', '<!DOCTYPE a [<!ENTITY a SYSTEM "file:///etc/passwd">]>'],
    ['an external declaration', '<!DOCTYPE a SYSTEM "http://127.0.0.1:1/a.dtd">'],
    ['a parameter entity', '<!DOCTYPE a [<!ENTITY % a SYSTEM "http://127.0.0.1:1/a">%a;]>'],
  ])('%s', (_, doctype) => {
    expect(reasonOf(documentWith('x', `<?xml version="1.0"?>${doctype}`))).toMatch(
      /^Line 1, column \d+: .*DOCTYPE.* send it again\.$/,
    );
  });

  test('an entity that nobody declared, with its line', () => {
    expect(reasonOf(documentWith('a\n&xxe;'))).toMatch(
      /^Line 3, column \d+: An entity is used that XML does not define\./,
    );
  });

  test.each([
    ['in a text', '<paragraph>a\nSmith & Sons</paragraph>', 'Line 3, column 7'],
    ['before a semicolon far below', '<paragraph>A&B</paragraph><paragraph>\n;</paragraph>', 'Line 2, column 65'],
    ['in an attribute', '<paragraph ID="a & b">x</paragraph>', 'Line 2, column 70'],
    ['after a comment and a literal text with more', '<!-- & --><![CDATA[ & ]]>&amp;&#38; &', 'Line 2, column 89'],
    ['as half of an operator', 'if a && b', 'Line 2, column 58'],
  ])('an ampersand %s, at its own place and with what to write', (_, text, place) => {
    expect(reasonOf(documentWith(text))).toBe(
      `${place}: An ampersand (&) begins no entity. An ampersand in a text is written as &amp;. Correct the document, then send it again.`,
    );
  });

  test('an earlier mistake comes before an ampersand', () => {
    expect(reasonOf(documentWith('<paragraph></list> &'))).toMatch(/A closing tag does not match/);
  });

  test('30,000 elements inside each other', () => {
    expect(reasonOf(documentWith('<content>'.repeat(30_000)))).toContain(`More than ${MOST_DEPTH} elements`);
  });

  test('an element with 100,000 attributes', () => {
    const attributes = Array.from({ length: 100_000 }, (_, n) => `a${n}=""`).join(' ');
    expect(reasonOf(documentWith(`<content ${attributes}/>`))).toContain(`more than ${MOST_ATTRIBUTES} attributes`);
  });

  test('an attribute of a megabyte', () => {
    expect(reasonOf(documentWith(`<content ID="${'a'.repeat(1_000_000)}"/>`))).toContain('An attribute is longer');
  });

  test('more bytes than fit', () => {
    expect(reasonOf(Buffer.alloc(MOST_BYTES + 1, 0x20))).toContain('larger than 16 MB');
  });

  test.each([
    ['another element', '<html/>', 'not ClinicalDocument'],
    ['another namespace', '<ClinicalDocument xmlns="urn:other"/>', 'not ClinicalDocument'],
    ['no document', '', 'no element'],
    ['text alone', 'Discharge summary', 'text outside of the document element'],
    ['bytes that are not text', Buffer.from([0x3c, 0x61, 0x3e, 0xff, 0xfe, 0x00]), 'not text in its encoding'],
    ['an unknown encoding', '<?xml version="1.0" encoding="klingon"?><a/>', 'Send the document in UTF-8'],
  ])('%s', (_, bytes, reason) => {
    expect(reasonOf(Buffer.from(bytes))).toContain(reason);
  });

  test('the reason repeats nothing of the document', () => {
    expect(reasonOf(Buffer.from('<ClinicalDocument xmlns="urn:hl7-org:v3"><Achterberg></a>'))).not.toContain(
      'Achterberg',
    );
  });
});

describe('what does nothing', () => {
  test('scripts, styles and processing instructions are not read', () => {
    expect(read('Before<script>alert(1)</script><style>*{}</style><?php echo 1 ?> after')).toEqual(['Before after']);
  });

  test('a link is its text, and a picture is a place where one was', () => {
    const narrative = read(
      '<linkHtml href="javascript:alert(1)">Click</linkHtml><paragraph><renderMultiMedia referencedObject="x"/></paragraph>',
    );
    expect(narrative).toEqual([
      { kind: 'link', children: ['Click'] },
      { kind: 'paragraph', children: [{ kind: 'media', children: [] }] },
    ]);
  });

  test('no attribute of a narrative is kept except for spans', () => {
    const narrative = read(
      '<table onload="x" style="background:url(http://a)"><tr><td colspan="900" onclick="x">1</td></tr></table>',
    );
    expect(narrative).toEqual([
      {
        kind: 'table',
        children: [
          {
            kind: 'body',
            children: [
              { kind: 'row', children: [{ kind: 'cell', children: ['1'], colSpan: 100, rowSpan: undefined }] },
            ],
          },
        ],
      },
    ]);
  });

  test('markup in text stays text', () => {
    expect(read('&lt;img src=x onerror=alert(1)&gt;<![CDATA[<b>]]>')).toEqual(['<img src=x onerror=alert(1)><b>']);
  });
});

/** The growth with the size is measured by `npm run bench -- --only documents`; other programs on the machine would disturb it here. */
describe('what is not slower than its size', () => {
  /** Milliseconds. Linear time is a tenth of it, quadratic time many times as much. */
  const MOST = 3000;
  test.each(Object.entries(SHAPES))('%s', (_, shape) => {
    const bytes = shape(20_000);
    const start = performance.now();
    const { sections } = readDocument(bytes).document;
    expect(performance.now() - start).toBeLessThan(MOST);
    expect(JSON.stringify(sections).length).toBeLessThan(bytes.length * 5);
  });
});
