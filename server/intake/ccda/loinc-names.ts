/** Names of the types of documents and sections (LOINC), as a reader in a US hospital knows them, and what a section's entries are about. */
import type { EntryKind } from '#contract/clinical-documents.ts';

const DOCUMENT_TYPES: Readonly<Record<string, string>> = {
  '34133-9': 'Continuity of Care Document',
  '18842-5': 'Discharge summary',
  '11506-3': 'Progress note',
  '57133-1': 'Referral note',
  '52521-2': 'Care plan',
  '11488-4': 'Consultation note',
  '34117-2': 'History and physical',
  '11504-8': 'Operative note',
  '28570-0': 'Procedure note',
  '18761-7': 'Transfer summary',
  '34111-5': 'Emergency department note',
  '18748-4': 'Diagnostic imaging report',
};

/** Returns the name of a type of document; undefined for a code that is not listed. */
export const documentTypeName = (code: string | null): string | undefined => DOCUMENT_TYPES[code ?? ''];

/** Whether a document of the type says how a stay ended. */
export const isDischargeSummary = (code: string | null): boolean => code === '18842-5';

const SECTIONS: Readonly<Record<string, [name: string, kind: EntryKind]>> = {
  '48765-2': ['Allergies', 'allergy'],
  '10160-0': ['Medications', 'medication'],
  '10183-2': ['Discharge medications', 'medication'],
  '75311-1': ['Discharge medications', 'medication'],
  '42346-7': ['Admission medications', 'medication'],
  '29549-3': ['Medications administered', 'medication'],
  '11450-4': ['Problems', 'problem'],
  '11348-0': ['Past medical history', 'problem'],
  '46241-6': ['Admission diagnosis', 'problem'],
  '11535-2': ['Discharge diagnosis', 'problem'],
  '78375-3': ['Discharge diagnosis', 'problem'],
  '51848-0': ['Assessment', 'other'],
  '30954-2': ['Results', 'result'],
  '8716-3': ['Vital signs', 'vital'],
  '47519-4': ['Procedures', 'procedure'],
  '11369-6': ['Immunizations', 'immunization'],
  '46240-8': ['Encounters', 'encounter'],
  '18776-5': ['Plan of treatment', 'plan'],
  '51847-2': ['Assessment and plan', 'plan'],
  '61146-7': ['Goals', 'plan'],
  '62387-6': ['Interventions', 'plan'],
  '8653-8': ['Hospital discharge instructions', 'other'],
  '8648-8': ['Hospital course', 'other'],
  '29762-2': ['Social history', 'other'],
  '10157-6': ['Family history', 'other'],
  '47420-5': ['Functional status', 'other'],
  '10190-7': ['Mental status', 'other'],
  '42348-3': ['Advance directives', 'other'],
  '46264-8': ['Medical equipment', 'procedure'],
  '48768-6': ['Payers', 'other'],
  '42349-1': ['Reason for referral', 'other'],
  '10154-3': ['Chief complaint', 'other'],
  '85847-2': ['Care team', 'other'],
};

/** Returns the name of a section; undefined for a code that is not listed. */
export const sectionName = (code: string | null): string | undefined => SECTIONS[code ?? '']?.[0];

/** Returns what the entries of a section are about. */
export const sectionKind = (code: string | null): EntryKind => SECTIONS[code ?? '']?.[1] ?? 'other';
