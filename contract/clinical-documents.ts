/**
 * What is in a clinical document, as our own reader found it (`server/intake/ccda/`): no markup of the document's own, so that a page
 * can only show text, tables and lists. Times are as the document writes them: '2026', '2026-11', '2026-11-21', '2026-11-21T15:42' or, with the
 * document's offset, '2026-11-21T15:42-06:00'.
 */
import { z } from 'zod';

/** What a narrative consists of. `media` stands for a picture that the document refers to, `link` for the text of a link. */
export const NARRATIVE_KINDS = [
  'paragraph',
  'list',
  'orderedList',
  'item',
  'table',
  'head',
  'body',
  'foot',
  'row',
  'headerCell',
  'cell',
  'caption',
  'bold',
  'italics',
  'underline',
  'strike',
  'sub',
  'sup',
  'break',
  'footnote',
  'footnoteRef',
  'link',
  'media',
] as const;
export type NarrativeKind = (typeof NARRATIVE_KINDS)[number];

/** A text, or a part of a narrative with its own parts. */
export type NarrativeNode = string | NarrativePart;
export interface NarrativePart {
  kind: NarrativeKind;
  children?: NarrativeNode[] | undefined;
  /** Of a cell, if it is more than 1. */
  colSpan?: number | undefined;
  rowSpan?: number | undefined;
  /** The number of a footnote, for the footnote and what refers to it. */
  number?: number | undefined;
}

export const narrativePart: z.ZodType<NarrativePart> = z.object({
  kind: z.enum(NARRATIVE_KINDS),
  get children() {
    return z.array(z.union([z.string(), narrativePart])).optional();
  },
  colSpan: z.number().int().optional(),
  rowSpan: z.number().int().optional(),
  number: z.number().int().optional(),
});
const narrative = z.array(z.union([z.string(), narrativePart]));

/** A time, or a period: `from` and `to` as above; null if the document doesn't say. */
const period = z.object({ from: z.string().nullable(), to: z.string().nullable() });
export type Period = z.infer<typeof period>;

export const code = z.object({ code: z.string(), system: z.string().nullable() });

export const ENTRY_KINDS = [
  'allergy',
  'medication',
  'problem',
  'result',
  'vital',
  'procedure',
  'immunization',
  'encounter',
  'plan',
  'other',
] as const;
export type EntryKind = (typeof ENTRY_KINDS)[number];

/** A statement that the document's author coded. */
export const codedEntry = z.object({
  kind: z.enum(ENTRY_KINDS),
  /** What it is about, in words; else its code; null if the document says neither. */
  name: z.string().nullable(),
  code: code.nullable(),
  /** The document says that it is not so: no known allergies, a vaccine that was not given. */
  isNegated: z.boolean(),
  /** Why there is no information, in words; null if there is. */
  missing: z.string().nullable(),
  /** In words, such as 'Active'. */
  status: z.string().nullable(),
  /** When it holds or happened. */
  when: period.nullable(),
  /** A result or vital sign with its unit; a dose with its route and how often. */
  value: z.string().nullable(),
  /** The code of the interpretation, such as H or L, in words. */
  interpretation: z.string().nullable(),
  referenceRange: z.string().nullable(),
  /** Reactions, severity, place and the like: a label and what the document says. */
  details: z.array(z.object({ label: z.string(), text: z.string() })),
  /** The panel of a result, such as a blood count. */
  panel: z.string().nullable(),
});
export type CodedEntry = z.infer<typeof codedEntry>;

export const documentSection = z.object({
  /** Its place in the document, from 1; subsections come after their section. */
  number: z.number().int(),
  /** 0 for a section, 1 for a subsection and so on. */
  level: z.number().int(),
  /** The LOINC code; null if the document has none. */
  code: z.string().nullable(),
  title: z.string(),
  /** Why the document has no information for it, in words. */
  missing: z.string().nullable(),
  narrative,
  /** How many entries its author coded. */
  entryCount: z.number().int(),
  /** What those entries say. An entry can say several things, or none that is understood. */
  entries: z.array(codedEntry),
});
export type DocumentSection = z.infer<typeof documentSection>;

const identifier = z.object({ root: z.string(), value: z.string().nullable() });
export type DocumentIdentifier = z.infer<typeof identifier>;

const participant = z.object({ name: z.string().nullable(), organization: z.string().nullable() });

export const documentHeader = z.object({
  id: identifier.nullable(),
  title: z.string(),
  /** The LOINC code of the type of document. */
  typeCode: z.string().nullable(),
  /** Its name. */
  type: z.string().nullable(),
  /** When the document was written. */
  writtenAt: z.string().nullable(),
  /** N, R or V; null if the document doesn't say. */
  confidentiality: z.string().nullable(),
  authors: z.array(participant.extend({ at: z.string().nullable() })),
  custodian: z.string().nullable(),
  /** The documents that this one replaces or adds to. */
  related: z.array(z.object({ relation: z.string(), id: identifier })),
  patient: z.object({
    identifiers: z.array(identifier),
    name: z
      .object({ family: z.string(), given: z.string(), middle: z.string().nullable(), suffix: z.string().nullable() })
      .nullable(),
    /** YYYY-MM-DD */
    birthDate: z.string().nullable(),
    sex: z.enum(['Male', 'Female', 'Other', 'Unknown']).nullable(),
    address: z
      .object({
        line1: z.string().nullable(),
        line2: z.string().nullable(),
        city: z.string().nullable(),
        state: z.string().nullable(),
        zip: z.string().nullable(),
      })
      .nullable(),
    phones: z.array(z.string()),
    /** Whether the document has a second patient. */
    isOneOfSeveral: z.boolean().optional(),
  }),
  encounter: z
    .object({ identifiers: z.array(identifier), when: period.nullable(), place: z.string().nullable() })
    .nullable(),
});
export type DocumentHeader = z.infer<typeof documentHeader>;

/** A clinical document that could be read. */
export const clinicalDocument = z.object({
  header: documentHeader,
  sections: z.array(documentSection),
  /** What the document consists of instead of sections. `name`: a file that it refers to and does not contain. */
  body: z.object({ mediaType: z.string(), size: z.number().int(), name: z.string().nullable() }).nullable(),
});
export type ClinicalDocument = z.infer<typeof clinicalDocument>;
