/** What the tables of coded entries show, by the kind of entry: heads, and the part of an entry below each. */
import type { CodedEntry, EntryKind } from '#contract/clinical-documents.ts';

/**
 * `stated`: the value alone; `value`: with its interpretation, or why there is none. `exception`: a status that isn't what readers expect of a
 * vaccine, visit or result, such as planned or canceled.
 */
export type EntryPart = 'name' | 'stated' | 'value' | 'status' | 'exception' | 'when' | 'referenceRange' | 'details';
export type Column = readonly [head: string, part: EntryPart];

export const COLUMNS: Record<EntryKind, readonly Column[]> = {
  allergy: [
    ['Allergy', 'name'],
    ['Reaction', 'details'],
    ['Status', 'status'],
    ['Since', 'when'],
  ],
  medication: [
    ['Medication', 'name'],
    ['Dose, route, how often', 'stated'],
    ['Status', 'status'],
    ['When', 'when'],
    ['Details', 'details'],
  ],
  problem: [
    ['Problem', 'name'],
    ['Status', 'status'],
    ['When', 'when'],
  ],
  result: [
    ['Test', 'name'],
    ['Result', 'value'],
    ['Status', 'exception'],
    ['Reference range', 'referenceRange'],
    ['When', 'when'],
  ],
  vital: [
    ['Vital sign', 'name'],
    ['Value', 'value'],
    ['Status', 'exception'],
    ['When', 'when'],
  ],
  procedure: [
    ['Procedure', 'name'],
    ['Status', 'status'],
    ['When', 'when'],
    ['Details', 'details'],
  ],
  immunization: [
    ['Vaccine', 'name'],
    ['Status', 'exception'],
    ['When', 'when'],
    ['Details', 'details'],
  ],
  encounter: [
    ['Visit', 'name'],
    ['Status', 'exception'],
    ['When', 'when'],
    ['Details', 'details'],
  ],
  plan: [
    ['Planned', 'name'],
    ['Value', 'stated'],
    ['Status', 'status'],
    ['When', 'when'],
  ],
  other: [
    ['Item', 'name'],
    ['Value', 'value'],
    ['Status', 'exception'],
    ['When', 'when'],
    ['Details', 'details'],
  ],
};

/** Returns the status unless it is that of what is done, as most are. */
export const exceptionIn = ({ status }: CodedEntry): string | null => (status === 'Completed' ? null : status);

/** The texts of each part that a search looks at. */
const TEXTS: Record<EntryPart, (entry: CodedEntry) => (string | null)[]> = {
  name: ({ name, panel }) => [name, panel],
  stated: ({ value }) => [value],
  value: ({ value }) => [value],
  status: ({ status }) => [status],
  exception: (entry) => [exceptionIn(entry)],
  when: () => [],
  referenceRange: ({ referenceRange }) => [referenceRange],
  details: ({ details }) => details.map(({ text }) => text),
};

/** Returns the texts of an entry that its table shows and a search marks. */
export const textsOfEntry = (entry: CodedEntry): string[] =>
  COLUMNS[entry.kind].flatMap(([, part]) => TEXTS[part](entry)).filter((text) => text !== null);
