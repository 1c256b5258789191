/** What changed between the medication lists of two documents. By name: a list that is coded differently is still the same list. */

import type { z } from 'zod';
import type { ClinicalDocument, CodedEntry } from '#contract/clinical-documents.ts';
import type { medicationChange } from '#contract/documents.ts';

export type MedicationChange = z.infer<typeof medicationChange>;

/** The list that holds after a stay comes first: discharge medications, then medications. */
const LISTS = ['10183-2', '75311-1', '10160-0'];

/** Returns the medications of a document that are not negated, also stopped ones; null if it has no list with one that is taken. */
export function medicationsOf({ sections }: ClinicalDocument): CodedEntry[] | null {
  for (const code of LISTS) {
    const entries = sections.filter((section) => section.code === code).flatMap((section) => section.entries);
    const listed = entries.filter(({ kind, name, isNegated }) => kind === 'medication' && name !== null && !isNegated);
    if (listed.some(isTaken)) return listed;
  }
  return null;
}

/** 'Stopped' is the act's status; the others are what senders code in an observation of the status. */
const NOT_TAKEN = /^(stopped|inactive|no longer active|discontinued|prior history)/i;
const isTaken = ({ status }: CodedEntry): boolean => !NOT_TAKEN.test(status ?? '');

/** Returns additions, then what was stopped, then removals, then changes of dose, route or frequency; each by name. */
export function medicationChanges(before: readonly CodedEntry[], after: readonly CodedEntry[]): MedicationChange[] {
  const [old, now] = [byName(before.filter(isTaken)), byName(after.filter(isTaken))];
  const stopped = byName(after.filter((each) => !isTaken(each)));
  const added = [...now]
    .filter(([key]) => !old.has(key))
    .map(([, { name, value }]) => change('ADDED', name, null, value));
  const gone = [...old]
    .filter(([key]) => !now.has(key))
    .map(([key, { name, value }]) => change(stopped.has(key) ? 'STOPPED' : 'REMOVED', name, value, null));
  const changed = [...now].flatMap(([key, { name, value }]) => {
    const was = old.get(key);
    return was && was.value !== value ? [change('CHANGED', name, was.value, value)] : [];
  });
  const kinds = [added, gone.filter(isStopped), gone.filter((each) => !isStopped(each)), changed];
  return kinds.flatMap((each) => each.sort((a, b) => a.name.localeCompare(b.name)));
}

const isStopped = ({ change: kind }: MedicationChange): boolean => kind === 'STOPPED';
const change = (
  kind: MedicationChange['change'],
  name: string | null,
  before: string | null,
  after: string | null,
): MedicationChange => ({
  change: kind,
  name: name ?? '',
  before,
  after,
});

/** A medication that is listed twice counts once, with all its doses. */
function byName(entries: readonly CodedEntry[]): Map<string, { name: string | null; value: string | null }> {
  const found = new Map<string, { name: string | null; value: string | null }>();
  for (const { name, value } of entries) {
    const key = (name ?? '').toLowerCase().replace(/\s+/g, ' ').trim();
    const known = found.get(key);
    const values = [known?.value, value].filter((each) => each !== null && each !== undefined);
    found.set(key, { name: known?.name ?? name, value: [...new Set(values)].sort().join('; ') || null });
  }
  return found;
}
