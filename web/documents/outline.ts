import type { ClinicalDocument, DocumentSection, NarrativeNode } from '#contract/clinical-documents.ts';
import { textsOfEntry } from './coded-columns.ts';
import { piecesOf } from './marked.tsx';

const ALLERGIES = ['48765-2'];
const MEDICATIONS = ['10183-2', '75311-1', '10160-0', '42346-7', '29549-3'];
/** What a reader expects in a summary of care, by LOINC codes. */
const EXPECTED: readonly (readonly [name: string, codes: readonly string[]])[] = [
  ['Allergies', ALLERGIES],
  ['Medications', MEDICATIONS],
  ['Problems', ['11450-4', '11348-0', '11535-2', '78375-3', '46241-6']],
  ['Results', ['30954-2']],
  ['Vital signs', ['8716-3']],
  ['Plan of treatment', ['18776-5', '51847-2', '61146-7']],
];

const rankOf = ({ code }: DocumentSection): number =>
  ALLERGIES.includes(code ?? '') ? 0 : MEDICATIONS.includes(code ?? '') ? 1 : 2;

/** Returns the sections with allergies and medications first, else in the document's order. Subsections stay with their section. */
export const inReadingOrder = (sections: readonly DocumentSection[]): DocumentSection[] => {
  const families: DocumentSection[][] = [];
  for (const section of sections) {
    if (section.level === 0) families.push([section]);
    else families.at(-1)?.push(section);
  }
  return families
    .map((family, at) => ({ family, at, rank: Math.min(...family.map(rankOf)) }))
    .sort((a, b) => a.rank - b.rank || a.at - b.at)
    .flatMap(({ family }) => family);
};

/** Returns the names of expected sections that the document lacks. */
export const lackingSections = ({ sections }: ClinicalDocument): string[] =>
  EXPECTED.filter(([, codes]) => !sections.some(({ code }) => codes.includes(code ?? ''))).map(([name]) => name);

const textsOf = (parts: readonly NarrativeNode[]): string[] =>
  parts.flatMap((part) => (typeof part === 'string' ? [part] : textsOf(part.children ?? [])));
/** Whether a narrative says anything: a table with a head alone lists nothing. */
export const hasContent = (parts: readonly NarrativeNode[]): boolean =>
  parts.some((part) => {
    if (typeof part === 'string') return part.trim() !== '';
    if (part.kind !== 'table') return part.kind === 'media' || hasContent(part.children ?? []);
    return (part.children ?? []).some((inner) => typeof inner !== 'string' && inner.kind !== 'head');
  });

/** Returns how many matches of the term are marked in a section: in its title, its coded entries, and its narrative if that is shown. */
export const matchesIn = ({ title, narrative, entries }: DocumentSection, term: string): number => {
  if (term === '') return 0;
  const texts = [title, ...entries.flatMap(textsOfEntry), ...(hasContent(narrative) ? textsOf(narrative) : [])];
  return texts.reduce((sum, text) => sum + (piecesOf(text, term).length - 1) / 2, 0);
};
