/**
 * A clinical document (CDA R2, C-CDA) → its header, its sections with narrative and coded entries, or the body that it has instead. Pure,
 * and in time that grows with the size of the document.
 */
import type { ClinicalDocument, CodedEntry, DocumentSection } from '#contract/clinical-documents.ts';
import { at, attribute, child, children, textOf } from './elements.ts';
import { type EntryContext, readEntry } from './entries.ts';
import { readHeader } from './header.ts';
import { LONGEST_REFERENCED, MOST_ENTRIES, MOST_SECTIONS } from './limits.ts';
import { sectionKind, sectionName } from './loinc-names.ts';
import { elementsById, hasWords, readNarrative } from './narrative.ts';
import { missingIn } from './null-flavors.ts';
import { Unreadable } from './unreadable.ts';
import type { Referenced } from './values.ts';
import { type Element, readXml } from './xml-tree.ts';

/** Raise it when the same bytes are read differently: what was read before is then read again. */
export const READER_VERSION = 5;

/** What was read, and a file that the document carries in place of sections. */
export interface ReadDocument {
  document: ClinicalDocument;
  file: { mediaType: string; bytes: Buffer } | null;
}

/** Returns what a document says. Throws Unreadable, for its sender, if it is not well-formed or no clinical document. */
export function readDocument(bytes: Uint8Array): ReadDocument {
  const root = readXml(bytes, (element) => (element.name === 'section' ? readSections(element) : undefined));
  if (root.name !== 'ClinicalDocument') {
    const what =
      'The document element is not ClinicalDocument of HL7 CDA (namespace urn:hl7-org:v3). Send a C-CDA document.';
    throw new Unreadable(what, { line: 1, column: 1 });
  }
  const sections = sectionsIn(at(root, 'component', 'structuredBody')).slice(0, MOST_SECTIONS);
  for (const [index, section] of sections.entries()) section.number = index + 1;
  const body = child(child(root, 'component'), 'nonXMLBody');
  const file = body ? fileOf(body) : null;
  return {
    document: {
      header: readHeader(root),
      sections,
      body: file && { mediaType: file.mediaType, size: file.bytes?.length ?? 0, name: file.name },
    },
    file: file?.bytes ? { mediaType: file.mediaType, bytes: file.bytes } : null,
  };
}

/** Returns the sections that the components of a body or section hold, as they were read when they ended. */
const sectionsIn = (element: Element | undefined): DocumentSection[] =>
  children(element, 'component').flatMap((component) =>
    children(component, 'section').flatMap((section) => section.read as DocumentSection[]),
  );

/** Returns a section and, after it, its subsections. */
function readSections(section: Element): DocumentSection[] {
  const code = attribute(child(section, 'code'), 'code') ?? null;
  const text = child(section, 'text');
  const narrative = readNarrative(text);
  const entries = children(section, 'entry');
  const referenced = textsOf(text);
  const kind = sectionKind(code);
  const own: DocumentSection = {
    number: 0,
    level: 0,
    code,
    title:
      textOf(child(section, 'title')) ??
      sectionName(code) ??
      attribute(child(section, 'code'), 'displayName') ??
      'Untitled section',
    missing: missingIn(section) ?? (hasWords(narrative) || entries.length > 0 ? null : missingIn(text)),
    narrative,
    entryCount: entries.length,
    entries: statementsIn(entries, { kind, referenced }),
  };
  return [own, ...sectionsIn(section).map((inner) => ({ ...inner, level: inner.level + 1 }))];
}

/** Returns what finds the text with an id. Many entries may refer to one long text, and most sections to none. */
function textsOf(narrative: Element | undefined): Referenced {
  let byId: Map<string, Element> | null = null;
  const texts = new Map<string, string | undefined>();
  return (id) => {
    byId ??= elementsById(narrative);
    if (!texts.has(id)) texts.set(id, shortened(textOf(byId.get(id))));
    return texts.get(id);
  };
}

const shortened = (text: string | undefined): string | undefined =>
  text && text.length > LONGEST_REFERENCED ? `${text.slice(0, LONGEST_REFERENCED)}…` : text;

function statementsIn(entries: readonly Element[], context: EntryContext): CodedEntry[] {
  const found: CodedEntry[] = [];
  for (const entry of entries) {
    found.push(...readEntry(entry, context).slice(0, MOST_ENTRIES - found.length));
    if (found.length === MOST_ENTRIES) break;
  }
  return found;
}

const MEDIA_TYPE = /^[a-z]+\/[a-z0-9.+-]{1,60}$/;

function fileOf(body: Element): { mediaType: string; bytes: Buffer | null; name: string | null } {
  const text = child(body, 'text');
  const given = attribute(text, 'mediaType')?.toLowerCase() ?? '';
  const mediaType = MEDIA_TYPE.test(given) ? given : 'text/plain';
  const content = (text?.children ?? []).filter((each) => typeof each === 'string').join('');
  const reference = attribute(child(text, 'reference'), 'value');
  if (/^\s*$/.test(content)) return { mediaType, bytes: null, name: reference?.slice(0, 200) ?? null };
  // Some senders leave out that a file is in base64, the only form in which it can be here.
  const isBase64 = attribute(text, 'representation')?.toUpperCase() === 'B64' || !mediaType.startsWith('text/');
  return { mediaType, bytes: Buffer.from(content, isBase64 ? 'base64' : 'utf8'), name: null };
}
