/** Clinical documents made to take time: each shape in any size, for the reader's test and its bench. */

/** Returns a document whose only section has this narrative and these entries. */
export const documentWith = (text: string, prolog = '<?xml version="1.0"?>', entries = ''): Buffer =>
  Buffer.from(`${prolog}<ClinicalDocument xmlns="urn:hl7-org:v3" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><component><structuredBody><component><section>
    <code code="10160-0"/><title>Notes</title><text>${text}</text>${entries}</section></component></structuredBody></component></ClinicalDocument>`);

const inEntries = (entries: string, text = ''): Buffer => documentWith(text, undefined, entries);
const numbered = (count: number, piece: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => piece(at)).join('');

/** Shapes of documents, each of about `n` elements or pieces. */
export const SHAPES: Readonly<Record<string, (n: number) => Buffer>> = {
  'elements side by side': (n) => documentWith('<content>a</content>'.repeat(n)),
  'line breaks': (n) => documentWith('a<br/>'.repeat(n)),
  blanks: (n) => documentWith(' '.repeat(n * 10)),
  'blanks in titles': (n) => documentWith('', `<?xml version="1.0"?>`, `<title>${' '.repeat(n * 10)}</title>`),
  'pieces of text': (n) => documentWith('<![CDATA[a]]>'.repeat(n * 3)),
  'elements without a meaning': (n) => documentWith('<x>a</x>'.repeat(n)),
  'entities of XML': (n) => documentWith('&amp;'.repeat(n * 3)),
  'angle brackets': (n) => documentWith('&gt;&lt;'.repeat(n)),
  comments: (n) => documentWith('<!-- a - b -->'.repeat(n)),
  'comments that almost end': (n) => documentWith(`<!--${'- >'.repeat(n)}-->`),
  'processing instructions': (n) => documentWith('<?a b ? ?>'.repeat(n)),
  'footnotes in reverse': (n) => documentWith(numbered(n, (at) => `<footnoteRef IDREF="f${n - at}"/>`)),
  rows: (n) => documentWith(`<table>${'<tr><td>1</td></tr>'.repeat(n)}</table>`),
  'a row of cells': (n) => documentWith(`<table><tr>${'<td>1</td>'.repeat(n)}</tr></table>`),
  'texts beside a table': (n) => documentWith(`<table>${'<tr>a<td>1</td></tr>b'.repeat(n)}</table>`),
  'tables inside each other, again and again': (n) =>
    documentWith(`${'<table><tr><td>'.repeat(25)}x${'</td></tr></table>'.repeat(25)}`.repeat(Math.ceil(n / 75))),
  'lists inside each other, again and again': (n) =>
    documentWith(`${'<list><item>'.repeat(40)}x${'</item></list>'.repeat(40)}`.repeat(Math.ceil(n / 80))),
  'prefixes that are declared again': (n) => documentWith(numbered(n, (at) => `<p${at}:x xmlns:p${at}="urn:${at}"/>`)),
  'styles with many codes': (n) =>
    documentWith(`<content styleCode="${'x '.repeat(8000)}">a</content>`.repeat(Math.ceil(n / 1000))),
  'sections side by side': (n) =>
    documentWith(
      '',
      undefined,
      '<component><section><title>S</title><text>a</text></section></component>'.repeat(Math.ceil(n / 4)),
    ),
  'sections inside each other': (n) =>
    documentWith(
      '',
      undefined,
      `${'<component><section>'.repeat(45)}${'</section></component>'.repeat(45)}`.repeat(Math.ceil(n / 90)),
    ),
  'entries that all refer to one long text': (n) =>
    inEntries(
      '<entry><observation><code><originalText><reference value="#a"/></originalText></code></observation></entry>'.repeat(
        Math.ceil(n / 5),
      ),
      `<content ID="a">${'word '.repeat(n)}</content>`,
    ),
  'entries that refer to texts inside each other': (n) =>
    inEntries(
      numbered(
        Math.ceil(n / 5),
        (at) => `<entry><observation><text><reference value="#a${at % 80}"/></text></observation></entry>`,
      ),
      `${numbered(80, (at) => `<content ID="a${at}">`)}${'<content>word</content> '.repeat(n)}${'</content>'.repeat(80)}`,
    ),
  'an observation with many values': (n) =>
    inEntries(`<entry><observation>${'<value xsi:type="ST">a</value>'.repeat(n)}</observation></entry>`),
  'a panel of results': (n) =>
    inEntries(
      `<entry><organizer>${'<component><observation><value value="1" unit="g"/></observation></component>'.repeat(Math.ceil(n / 3))}</organizer></entry>`,
    ),
  'a medication with many times': (n) =>
    inEntries(`<entry><substanceAdministration>${'<effectiveTime/>'.repeat(n)}</substanceAdministration></entry>`),
};
