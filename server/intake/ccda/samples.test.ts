/** The published samples, read here and, independently, by the DOM and a walk. They are not part of this repository. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readDocument } from './read-document.ts';
import { Unreadable } from './unreadable.ts';

/** As far as the walk needs it. An import of its types would add those of a browser to the server's. */
interface DomNode {
  nodeType: number;
  localName: string | null;
  textContent: string | null;
  firstChild: DomNode | null;
  nextSibling: DomNode | null;
  childNodes: ArrayLike<DomNode>;
  getAttribute(name: string): string;
}
const { DOMParser } = createRequire(import.meta.url)('@xmldom/xmldom') as {
  DOMParser: new () => { parseFromString(text: string, type: string): DomNode };
};

const FOLDER = join(import.meta.dirname, '../../../../shared/samples/ccda');
const FALLBACK = join(import.meta.dirname, '../../../../../shared/samples/ccda');
const folder = [FOLDER, FALLBACK].find((each) => existsSync(each));
const files = folder ? readdirSync(folder).filter((name) => name.endsWith('.xml')) : [];
const SKIPPED = 'The samples (../shared/samples/ccda) are not on this machine';

/** Returns the elements with the path of names above them, in the order of the document. */
function withPaths(root: DomNode): { path: string[]; element: DomNode }[] {
  const found: { path: string[]; element: DomNode }[] = [];
  const visit = (node: DomNode, path: string[]): void => {
    for (let each = node.firstChild; each; each = each.nextSibling) {
      if (each.nodeType !== 1) continue;
      const element = each;
      const inner = [...path, element.localName ?? ''];
      found.push({ path: inner, element });
      visit(element, inner);
    }
  };
  visit(root, []);
  return found;
}

function independently(text: string) {
  const elements = withPaths(new DOMParser().parseFromString(text, 'text/xml'));
  const ends = (path: string[], ...names: string[]) => path.slice(-names.length).join('/') === names.join('/');
  const isSection = (path: string[]) => path[2] === 'structuredBody' && ends(path, 'component', 'section');
  const sections = elements.filter(({ path }) => isSection(path));
  return {
    codes: sections.map(({ element }) => {
      const code = Array.from(element.childNodes).find((each) => each.localName === 'code');
      return code?.getAttribute('code')?.trim() || null;
    }),
    entries: elements.filter(({ path }) => path.at(-1) === 'entry' && isSection(path.slice(0, -1))).length,
  };
}

describe.skipIf(files.length === 0)(files.length === 0 ? SKIPPED : 'published samples', () => {
  test.each(files)('%s is read, or refused with a reason and its place', (name) => {
    const bytes = readFileSync(join(folder ?? '', name));
    let read: ReturnType<typeof readDocument>;
    try {
      read = readDocument(bytes);
    } catch (error) {
      expect(error).toBeInstanceOf(Unreadable);
      expect((error as Unreadable).message).toMatch(/^Line \d+, column \d+: .+\. .+\.$/);
      expect(name).toBe('onc-NT_BadXml_r11_v2.xml');
      return;
    }
    const { sections } = read.document;
    const { codes, entries } = independently(bytes.toString('utf8').replace(/^\uFEFF/, ''));
    expect(sections.map(({ code }) => code)).toEqual(codes);
    expect(sections.reduce((sum, { entryCount }) => sum + entryCount, 0)).toBe(entries);
  });

  test('discharge medications and diagnoses are read from the acts that hold them', () => {
    const bytes = readFileSync(join(folder ?? '', 'hl7examples-Discharge_Summary.xml'));
    const { sections } = readDocument(bytes).document;
    const entries = sections
      .filter(({ title }) => /DISCHARGE (MED|DIAG)|ADMISSION DIAG/.test(title))
      .flatMap((each) => each.entries);
    expect(entries).toMatchObject([
      { kind: 'problem', name: 'Appendicitis', code: { code: '74400008' } },
      { kind: 'problem', name: 'Appendicitis', code: { code: '74400008' } },
      {
        kind: 'medication',
        code: { code: '197806' },
        status: 'Active',
        value: expect.stringContaining('every 6 hours'),
      },
    ]);
  });

  test('every word of a narrative is read', () => {
    for (const name of files.filter((each) => each !== 'onc-NT_BadXml_r11_v2.xml')) {
      const bytes = readFileSync(join(folder ?? '', name));
      const dom = new DOMParser().parseFromString(bytes.toString('utf8').replace(/^\uFEFF/, ''), 'text/xml');
      const texts = withPaths(dom).filter(
        ({ path }) => path.slice(-2).join('/') === 'section/text' && path[2] === 'structuredBody',
      );
      const expected = texts.map(({ element }) => wordsOf(element.textContent ?? ''));
      const actual = readDocument(bytes).document.sections.map(({ narrative }) =>
        wordsOf(JSON.stringify(textsOf(narrative))),
      );
      expect(
        actual.filter((each) => each.length > 0),
        name,
      ).toEqual(expected.filter((each) => each.length > 0));
    }
  });
});

/** Returns letters and digits in alphabetical order: tables put text that is outside of cells first. */
const wordsOf = (text: string): string => [...text.replace(/[^\p{L}\p{N}]/gu, '')].sort().join('');

function textsOf(parts: readonly unknown[]): string {
  return parts
    .map((part) => (typeof part === 'string' ? part : textsOf((part as { children?: unknown[] }).children ?? [])))
    .join(' ');
}
