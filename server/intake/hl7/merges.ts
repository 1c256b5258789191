/** Reads MRG: which record, account or visit is merged into the message's patient or visit, or moved to it (HL7 v2.5.1, 3.4.10). */
import type { FeedSettings } from '#contract/feed-settings.ts';
import type { Identifier, MergeFacts } from './adt-facts.ts';
import { isSocialSecurityNumber, readIdentifiers, recordNumbersAmong } from './identifiers.ts';
import type { Segment } from './message.ts';

/** What MRG says, and every record number that it names (`priors`); the first is the facility's own, and the one in `merge`. */
export interface MergeReading {
  merge: MergeFacts;
  priors: readonly Identifier[];
}

/** Reads MRG-1 (or MRG-4, used before HL7 v2.3), MRG-3 and MRG-5. `ssns`: the patient's (`knownSsns`). */
export function readMerge(
  mrg: Segment,
  ssns: ReadonlySet<string>,
  facility: string,
  { recordNumber }: FeedSettings,
): MergeReading {
  const identifiers = (field: number) => readIdentifiers(mrg, field).filter((id) => !isSocialSecurityNumber(id, ssns));
  const priors =
    [1, 4]
      .map((field) => recordNumbersAmong(identifiers(field), recordNumber, facility))
      .find((ids) => ids.length > 0) ?? [];
  return {
    merge: {
      ...priorOf(priors[0]),
      priorAccountNumber: identifiers(3)[0]?.value ?? null,
      priorVisitNumber: identifiers(5)[0]?.value ?? null,
    },
    priors,
  };
}

const priorOf = (prior: Identifier | undefined): Pick<MergeFacts, 'priorRecordNumber' | 'priorRecordAuthority'> => ({
  priorRecordNumber: prior?.value ?? null,
  ...(prior?.authority != null && { priorRecordAuthority: prior.authority }),
});

/** A record number that is merged into another one of the same patient. */
export interface RecordPair {
  survivor: Identifier;
  merge: MergeFacts;
}

/**
 * Pairs the record numbers of MRG-1 with those of PID-3 that the same authority issued, in order; if PID-3 has fewer, the last one takes
 * the rest. A number without an authority pairs with any. `isComplete` is false if a number was left out, because PID-3 has none of its
 * authority. If no authorities agree, the first numbers are a pair, because a sender may write one authority in two ways.
 */
export function pairRecords(
  { merge, priors }: MergeReading,
  survivors: readonly Identifier[],
): { pairs: RecordPair[]; isComplete: boolean } {
  const pairs: RecordPair[] = [];
  const left: Identifier[] = [];
  for (const [authority, ofAuthority] of Map.groupBy(priors, authorityOf)) {
    const into = targetsOf(ofAuthority, authority, survivors);
    if (into.length === 0) left.push(...ofAuthority);
    for (const [index, prior] of ofAuthority.entries()) {
      const survivor = into[Math.min(index, into.length - 1)];
      if (survivor) pairs.push({ survivor, merge: mergeOf(prior, pairs.length === 0 ? merge : null) });
    }
  }
  const [first] = survivors;
  if (pairs.length > 0 || first === undefined) return { pairs, isComplete: left.length === 0 };
  return { pairs: [{ survivor: first, merge }], isComplete: left.length < 2 };
}

/** Returns the surviving numbers for those of an authority. A survivor that is merged itself is left out if it has no counterpart. */
function targetsOf(
  priors: readonly Identifier[],
  authority: string,
  survivors: readonly Identifier[],
): readonly Identifier[] {
  const of = (wanted: string) => survivors.filter((survivor) => authorityOf(survivor) === wanted);
  const unnamed = of('');
  const own = authority === '' && unnamed.length === 0 ? of(authorityOf(survivors[0])) : of(authority);
  const into = own.length > 0 ? own : unnamed;
  if (into.length === priors.length) return into;
  const lasting = into.filter(({ value }) => !priors.some((prior) => prior.value === value));
  return lasting.length > 0 ? lasting : into;
}

const authorityOf = (identifier: Identifier | undefined): string => identifier?.authority?.trim().toUpperCase() ?? '';

/** `whole`: what MRG says besides the record number; null for further pairs, because an account or visit is moved once. */
const mergeOf = (prior: Identifier, whole: MergeFacts | null): MergeFacts => ({
  ...priorOf(prior),
  priorAccountNumber: whole?.priorAccountNumber ?? null,
  priorVisitNumber: whole?.priorVisitNumber ?? null,
});
