/** Acts that say nothing themselves, and hold the diagnoses or medications of a list. */
import type { EntryKind } from '#contract/clinical-documents.ts';
import { attribute, child, children } from './elements.ts';
import type { Element } from './xml-tree.ts';

/**
 * Hospital discharge and admission diagnosis, discharge and admission medication, preoperative and postoperative diagnosis (C-CDA R2.1), by template and,
 * for senders without it, by the code that is fixed.
 */
const WRAPPERS: Readonly<Record<string, EntryKind>> = {
  '2.16.840.1.113883.10.20.22.4.33': 'problem',
  '11535-2': 'problem',
  '2.16.840.1.113883.10.20.22.4.34': 'problem',
  '46241-6': 'problem',
  '2.16.840.1.113883.10.20.22.4.65': 'problem',
  '10219-4': 'problem',
  '2.16.840.1.113883.10.20.22.4.51': 'problem',
  '10218-6': 'problem',
  '2.16.840.1.113883.10.20.22.4.35': 'medication',
  '10183-2': 'medication',
  '2.16.840.1.113883.10.20.22.4.36': 'medication',
  '42346-7': 'medication',
};

/** Returns what such an act holds; null for another act, and for a negated one. */
export function wrappedKind(act: Element): EntryKind | null {
  if (attribute(act, 'negationInd')?.toLowerCase() === 'true') return null;
  const templates = children(act, 'templateId').map((each) => attribute(each, 'root'));
  const marks = [...templates, attribute(child(act, 'code'), 'code')];
  return marks.flatMap((mark) => (mark && Object.hasOwn(WRAPPERS, mark) ? (WRAPPERS[mark] ?? []) : []))[0] ?? null;
}
