/**
 * A source patient's demographics, from all messages of one facility. Each field has the value that was written last, so the order of
 * arrival doesn't matter.
 */
import type { AdtFacts, PatientFacts } from '#server/intake/hl7/adt-facts.ts';
import { deathBeforeStays, type StayTimes } from './death-before-stays.ts';
import { eventTime } from './event-time.ts';
import type { Fact } from './fold-input.ts';
import { isWrittenBefore, timelineEntry } from './timeline.ts';
import { isOfDocument } from './visit-triggers.ts';

/** PID without the fields about the record itself. A field that no message has is absent. */
export type Demographics = Omit<PatientFacts, 'recordNumber' | 'identifiers' | 'deceased' | 'deceasedAt'>;

export interface FoldedDemographics {
  demographics: Demographics;
  /** A message had PID-30. Once set, no message takes it back: a person has to, unless a cancel retracts the message itself. */
  deceased: boolean;
  /** YYYY-MM-DD */
  deceasedOn: string | null;
}

const FIELDS = [
  'name',
  'formerFamilies',
  'birthDate',
  'sex',
  'address',
  'phones',
  'email',
  'ssnLast4',
  'medicareId',
  'memberIds',
] as const;

/** `facts`: all of one record number, in any order. `canceled`: the content hashes of those that a cancel retracts, such as a discharge by its A13. `stays`: the patient's. */
export function foldDemographics(
  facts: readonly Fact[],
  canceled: ReadonlySet<string> = new Set(),
  stays: readonly StayTimes[] = [],
): FoldedDemographics {
  const demographics: Record<string, unknown> = {};
  let deceased = false;
  let deceasedOn: string | null = null;
  const deletions = facts.filter(isDeletion);
  const messages = facts.filter(({ adt }) => !isOfDocument(adt.trigger));
  // A document repeats what its author knew, so it only says what no message does.
  const documents = messages.length === facts.length ? [] : facts.filter(({ adt }) => isOfDocument(adt.trigger));
  for (const fact of [...documents.sort(byTimeWritten), ...messages.sort(byTimeWritten)]) {
    const { adt } = fact;
    for (const field of FIELDS) {
      const value = adt.patient[field];
      if (value === null) delete demographics[field];
      else if (value !== undefined) demographics[field] = value;
    }
    if (adt.patient.deceased && !canceled.has(adt.contentHash) && !isDeletedAfter(fact, deletions)) {
      deceased = true;
      deceasedOn = deathBeforeStays(fact, stays)?.localDate ?? deceasedOn;
    }
  }
  return { demographics, deceased, deceasedOn };
}

/** Whether a message deletes the patient. */
export const isDeletion = ({ adt }: Fact): boolean => adt.trigger === 'A29';

/** Whether a fact was written before the patient was deleted, so that it counts no longer. */
export function isDeletedAfter(fact: Fact, deletions: readonly Fact[]): boolean {
  const entryOf = (each: Fact) => {
    const at = eventTime(each);
    return at && timelineEntry(each, at);
  };
  const entry = deletions.length > 0 ? entryOf(fact) : null;
  return (
    entry != null && deletions.map(entryOf).some((deletion) => deletion != null && isWrittenBefore(entry, deletion))
  );
}

/** Returns MSH-7, MSH-10 and the content, as a text that sorts facts by when they were written, whatever the order of arrival. */
export function timeWritten({ adt }: Fact): string {
  const known = timesWritten.get(adt);
  if (known !== undefined) return known;
  const time = [adt.sentAt?.instant ?? '', adt.controlId, adt.contentHash].join('\u001f');
  timesWritten.set(adt, time);
  return time;
}

/** Facts are sorted again and again: by record number, by visit, at each facility. */
const timesWritten = new WeakMap<AdtFacts, string>();

export const byTimeWritten = (a: Fact, b: Fact): number => compare(timeWritten(a), timeWritten(b));

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
