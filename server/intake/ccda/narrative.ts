/**
 * The narrative of a section (CDA R2 4.3.5) → a closed tree of our own. Attributes are dropped except for spans, so there are no styles,
 * addresses or scripts; an element without a meaning gives way to what it contains, so no text is lost.
 */
import type { NarrativeKind, NarrativeNode, NarrativePart } from '#contract/clinical-documents.ts';
import { attribute } from './elements.ts';
import { MOST_SPAN } from './limits.ts';
import type { Element } from './xml-tree.ts';

const KINDS: Readonly<Record<string, NarrativeKind>> = {
  paragraph: 'paragraph',
  item: 'item',
  table: 'table',
  thead: 'head',
  tbody: 'body',
  tfoot: 'foot',
  tr: 'row',
  th: 'headerCell',
  td: 'cell',
  caption: 'caption',
  sub: 'sub',
  sup: 'sup',
  br: 'break',
  linkHtml: 'link',
  renderMultiMedia: 'media',
  img: 'media',
  // Elements of HTML, which some senders write.
  p: 'paragraph',
  div: 'paragraph',
  ul: 'list',
  ol: 'orderedList',
  li: 'item',
  b: 'bold',
  strong: 'bold',
  i: 'italics',
  em: 'italics',
  u: 'underline',
  a: 'link',
};
/** HTML of which not even the text is for reading. */
const DROPPED: ReadonlySet<string> = new Set(['script', 'style', 'head', 'iframe', 'object', 'svg']);
const STYLES: Readonly<Record<string, NarrativeKind>> = {
  bold: 'bold',
  italics: 'italics',
  underline: 'underline',
  emphasis: 'italics',
  strikethrough: 'strike',
};

/** Returns the narrative of a section's `text`. */
export function readNarrative(text: Element | undefined): NarrativeNode[] {
  if (text === undefined) return [];
  const footnotes = new Map<string, number>();
  return trimmed(partsOf(text, footnotes));
}

const localName = ({ name }: Element): string => (name.includes(':') ? name.slice(name.indexOf(':') + 1) : name);

function partsOf(from: Element, footnotes: Map<string, number>): NarrativeNode[] {
  const [only] = from.children;
  // Most elements of a narrative are cells with one text.
  if (only === undefined) return [];
  if (typeof only === 'string' && from.children.length === 1) return [spaced(only)];
  const parts: NarrativeNode[] = [];
  let hasText = false;
  for (const each of from.children) {
    if (typeof each === 'string') {
      parts.push(each);
      hasText = true;
      continue;
    }
    for (const part of partOf(each, footnotes)) {
      parts.push(part);
      hasText ||= typeof part === 'string';
    }
  }
  return hasText ? withTextsJoined(parts) : parts;
}

/** Returns the parts with texts that follow each other as one. Joined once: adding each to a text that grows would copy it each time. */
function withTextsJoined(parts: readonly NarrativeNode[]): NarrativeNode[] {
  const joined: NarrativeNode[] = [];
  let pieces: string[] = [];
  for (const [index, part] of parts.entries()) {
    if (typeof part !== 'string') {
      joined.push(part);
      continue;
    }
    pieces.push(part);
    if (typeof parts[index + 1] === 'string') continue;
    joined.push(spaced(pieces.length === 1 ? part : pieces.join('')));
    pieces = [];
  }
  return joined;
}

/** Returns the text with single blanks. Most texts have them already. */
const spaced = (text: string): string => (/[^\S ]|\s\s/.test(text) ? text.replace(/\s+/g, ' ') : text);

function partOf(element: Element, footnotes: Map<string, number>): NarrativeNode[] {
  const name = localName(element);
  if (DROPPED.has(name)) return [];
  const kind = name === 'content' ? styleOf(element) : KINDS[name];
  if (kind === undefined) return specialPart(name, element, footnotes) ?? partsOf(element, footnotes);
  if (kind === 'table') return tableOf(element, footnotes);
  if (kind === 'break') return [{ kind }];
  const parts = inside(element, footnotes);
  // A paragraph holds no other blocks; what it has of them takes its place.
  if (kind === 'paragraph' && parts.some(isBlock)) return parts;
  if (kind === 'media') return [{ kind, children: parts.flatMap(insideCaption) }];
  const part: NarrativePart = { kind, children: parts };
  if ((kind === 'cell' || kind === 'headerCell') && element.attributes.length > 0) {
    part.colSpan = spanOf(element, 'colspan');
    part.rowSpan = spanOf(element, 'rowspan');
  }
  return [part];
}

/** Lists and footnotes, which need more than their name. */
function specialPart(name: string, element: Element, footnotes: Map<string, number>): NarrativeNode[] | undefined {
  switch (name) {
    case 'list': {
      const isOrdered = attribute(element, 'listType')?.toLowerCase() === 'ordered';
      const parts = inside(element, footnotes);
      const captions = parts.filter(isCaption).flatMap(insideCaption);
      const caption: NarrativePart = { kind: 'paragraph', children: [{ kind: 'bold', children: captions }] };
      return [
        ...(captions.length > 0 ? [caption] : []),
        { kind: isOrdered ? 'orderedList' : 'list', children: parts.filter((each) => !isCaption(each)) },
      ];
    }
    case 'footnote': {
      const number = numberOf(footnotes, attribute(element, 'ID'));
      return [{ kind: 'footnote', number, children: inside(element, footnotes) }];
    }
    case 'footnoteRef':
      return [{ kind: 'footnoteRef', number: numberOf(footnotes, attribute(element, 'IDREF')) }];
    default:
      return undefined;
  }
}

const BLOCKS: ReadonlySet<NarrativeKind> = new Set(['paragraph', 'list', 'orderedList', 'table', 'footnote']);
const isBlock = (part: NarrativeNode): boolean => typeof part !== 'string' && BLOCKS.has(part.kind);
/** Only a table has a caption of its own. */
const isCaption = (part: NarrativeNode): boolean => typeof part !== 'string' && part.kind === 'caption';
const insideCaption = (part: NarrativeNode): NarrativeNode[] =>
  typeof part !== 'string' && part.kind === 'caption' ? (part.children ?? []) : [part];

const inside = (element: Element, footnotes: Map<string, number>): NarrativeNode[] =>
  trimmed(partsOf(element, footnotes));

/** The first style that has a meaning: a narrative marks text with one at a time. */
const styleOf = (element: Element): NarrativeKind | undefined => {
  // What this version of the document takes back.
  if (attribute(element, 'revised') === 'delete') return 'strike';
  const codes = attribute(element, 'styleCode');
  if (codes === undefined) return undefined;
  for (const code of codes.slice(0, 200).toLowerCase().split(/\s+/))
    if (Object.hasOwn(STYLES, code)) return STYLES[code];
  return undefined;
};

function spanOf(element: Element, name: string): number | undefined {
  const span = Number(attribute(element, name) ?? attribute(element, name === 'colspan' ? 'colSpan' : 'rowSpan') ?? 1);
  return Number.isInteger(span) && span > 1 ? Math.min(span, MOST_SPAN) : undefined;
}

/** Numbers footnotes in the order in which the narrative mentions them. */
function numberOf(footnotes: Map<string, number>, id = ''): number {
  const known = footnotes.get(id);
  if (known !== undefined) return known;
  footnotes.set(id, footnotes.size + 1);
  return footnotes.size;
}

const PARTS_OF_TABLES: ReadonlySet<NarrativeKind> = new Set(['head', 'body', 'foot', 'caption']);

/** A table holds a caption, and rows in a head, a body and a foot. What else is in it comes before it. */
function tableOf(element: Element, footnotes: Map<string, number>): NarrativeNode[] {
  const parts: NarrativePart[] = [];
  const before: NarrativeNode[] = [];
  for (const part of partsOf(element, footnotes)) {
    if (typeof part === 'string') {
      if (part.trim() !== '') before.push(part);
    } else if (part.kind === 'row') {
      const last = parts.at(-1);
      if (last?.kind === 'body') last.children?.push(part);
      else parts.push({ kind: 'body', children: [part] });
    } else if (PARTS_OF_TABLES.has(part.kind)) parts.push(part);
    else before.push(part);
  }
  for (const part of parts) if (part.kind !== 'caption') part.children = rowsOf(part);
  return [...before, { kind: 'table', children: parts }];
}

/** A row holds cells only, and a head, body or foot rows only. */
function rowsOf({ children: parts = [] }: NarrativePart): NarrativeNode[] {
  const rows = parts.every(isRow) ? parts : wrapped(parts, isRow);
  for (const row of rows as NarrativePart[]) {
    if (!row.children?.every(isCell)) row.children = wrapped(row.children ?? [], isCell);
  }
  return rows;
}

const isRow = (part: NarrativeNode): boolean => typeof part !== 'string' && part.kind === 'row';
const isCell = (part: NarrativeNode): boolean =>
  typeof part !== 'string' && (part.kind === 'cell' || part.kind === 'headerCell');

/** Returns rows or cells, with what is none in one of its own. */
function wrapped(parts: readonly NarrativeNode[], isOne: typeof isRow): NarrativeNode[] {
  const cellOf = (part: NarrativeNode): NarrativePart => ({ kind: 'cell', children: [part] });
  return parts
    .filter((part) => typeof part !== 'string' || part.trim() !== '')
    .map((part) => {
      if (isOne(part)) return part;
      return isOne === isRow ? { kind: 'row', children: [cellOf(part)] } : cellOf(part);
    });
}

const isText = (part: NarrativeNode): boolean => typeof part === 'string';

/** Drops blanks at the beginning and end, and those between blocks. */
function trimmed(parts: NarrativeNode[]): NarrativeNode[] {
  const [only] = parts;
  if (parts.length === 1 && typeof only === 'string') {
    const text = only.trim();
    return text === '' ? [] : [text];
  }
  if (!parts.some(isText)) return parts;
  const kept: NarrativeNode[] = [];
  for (let at = 0; at < parts.length; at += 1) {
    const part = parts[at] as NarrativeNode;
    const isNeeded =
      typeof part !== 'string' || !/^\s*$/.test(part) || (isInline(parts[at - 1]) && isInline(parts[at + 1]));
    if (isNeeded) kept.push(part);
  }
  const [first, last] = [kept[0], kept.at(-1)];
  if (typeof first === 'string') kept[0] = first.trimStart();
  if (typeof last === 'string') kept[kept.length - 1] = (kept.at(-1) as string).trimEnd();
  return kept[0] === '' || kept.at(-1) === '' ? kept.filter((part) => part !== '') : kept;
}

const INLINE: ReadonlySet<NarrativeKind> = new Set([
  'bold',
  'italics',
  'underline',
  'strike',
  'sub',
  'sup',
  'footnoteRef',
  'link',
]);
const isInline = (part: NarrativeNode | undefined): boolean =>
  part !== undefined && (typeof part === 'string' ? part !== '' : INLINE.has(part.kind));

/** Returns the elements of a narrative by their ID, for entries that refer to them. */
export function elementsById(text: Element | undefined): Map<string, Element> {
  const found = new Map<string, Element>();
  const visit = (element: Element): void => {
    const id = attribute(element, 'ID') ?? attribute(element, 'id');
    if (id !== undefined && !found.has(id)) found.set(id, element);
    for (const each of element.children) if (typeof each !== 'string') visit(each);
  };
  if (text !== undefined) visit(text);
  return found;
}

/** Returns whether a narrative has any words. */
export const hasWords = (parts: readonly NarrativeNode[]): boolean =>
  parts.some((part) =>
    typeof part === 'string' ? /\S/.test(part) : part.kind === 'media' || hasWords(part.children ?? []),
  );
