/**
 * What became of a fact, worded for the integration engineers who read it beside the message on the feed's screen. No patient data:
 * triggers, fields, kinds of events and reasons only. `docs/feeds.md` explains those that need an action.
 */
import type { EventCode } from '#contract/event-codes.ts';
import { DOCUMENT_STORED } from '#server/intake/messages/document-outcomes.ts';
import type { Fact } from './fold-input.ts';
import type { FoldedVisit } from './folded-visit.ts';
import type { HeldMerge } from './held-merges.ts';
import type { TimelineEntry } from './timeline.ts';
import { ACCOUNT_MOVES, isCancel, isOfDocument, RECORD_MERGES, VISIT_MOVES } from './visit-triggers.ts';

const EVENT_NAMES: Readonly<Record<EventCode, string>> = {
  ADMIT: 'admission',
  PRESENTED: 'ED arrival',
  VISIT: 'visit',
  DISCHARGE: 'discharge',
  DECEASED: 'death',
  TRANSFER: 'transfer',
  CLOSED: 'close',
  PAYOR_CHANGE: 'payer change',
  MEDICAL_LEAVE_OF_ABSENCE: 'medical leave',
  RESUMED_SERVICES: 'return from leave',
  ENDED_SERVICES: 'end of services',
  STARTED_HHA_SERVICES: 'start of home health',
  ENDED_HHA_SERVICES: 'end of home health',
};

const CREATED = 'Created: ';
const UPDATED = 'Updated: ';

export const created = (code: EventCode): string => CREATED + EVENT_NAMES[code];
export const createdByInference = (code: EventCode): string => `${created(code)}, inferred from PV1-44`;
/** `field`: what the event, or the leave that is none, would have been dated by. */
export const notDatedBy = (outcome: string, field: string): string => `${outcome}, not dated by ${field}`;
export const updated = (code: EventCode): string => UPDATED + EVENT_NAMES[code];
/** Whether an event was created or updated: if so, the fact's other outcomes don't matter. */
export const changesEvents = (outcome: string): boolean => outcome.startsWith(CREATED) || outcome.startsWith(UPDATED);

/** Returns the outcomes that change events; if none does, those that say why. */
export function joinOutcomes(outcomes: readonly (string | null)[]): string {
  const given = outcomes.filter((outcome) => outcome !== null);
  const changes = given.filter(changesEvents);
  const reasons = changes.length > 0 ? changes : given.filter((outcome) => outcome !== NO_NEW_EVENT);
  return [...new Set(reasons)].join('; ') || NO_NEW_EVENT;
}

/** A message may have created or updated a death that other messages corrected: whoever reads it must not take the patient for dead. */
export const withDeathCorrected = (outcome: string): string =>
  outcome
    .split('; ')
    .map((one) =>
      one === created('DECEASED') || one === updated('DECEASED') ? `${one}, corrected by another message` : one,
    )
    .join('; ');

export const NO_NEW_EVENT = 'No new event';
export const noNewEvent = (reason: string): string => `${NO_NEW_EVENT}: ${reason}`;

const CANCELED = 'Canceled by ';
export const canceledOutcome = (trigger: string): string => CANCELED + trigger;
export const isCanceledOutcome = (outcome: string): boolean => outcome.startsWith(CANCELED);
export const supersededOutcome = (trigger: string): string => `Superseded by ${trigger}`;

const MERGE_HELD = 'Waiting for a match review: the record numbers belong to different people';

/** The outcome of a cancel. `targets`: what it retracted; undefined if it repeats another cancel. */
export function cancelOutcome(targets: readonly TimelineEntry[] | undefined): string {
  if (!targets) return noNewEvent('repeats another cancel');
  const triggers = [...new Set(targets.map(({ fact }) => fact.adt.trigger))].sort();
  return triggers.length > 0 ? `Cancels ${triggers.join(', ')}` : 'Waiting for the message it cancels';
}

/** Returns fact id → outcome for all facts of a dossier: what its visits say, and for the other facts why they belong to no visit. */
export function outcomesOfDossier(
  facts: readonly Fact[],
  visits: readonly FoldedVisit[],
  held: readonly HeldMerge[] = [],
): Map<string, string> {
  const outcomes = new Map<string, string>();
  for (const visit of visits) for (const [id, outcome] of visit.outcomes) outcomes.set(id, outcome);
  for (const { factId } of held) outcomes.set(factId, MERGE_HELD);
  for (const fact of facts) if (!outcomes.has(fact.id)) outcomes.set(fact.id, outcomeWithoutVisit(fact.adt.trigger));
  return outcomes;
}

function outcomeWithoutVisit(trigger: string): string {
  if (RECORD_MERGES.has(trigger)) return noNewEvent('record numbers merged');
  if (ACCOUNT_MOVES.has(trigger) || VISIT_MOVES.has(trigger)) return noNewEvent('account or visit number changed');
  if (isCancel(trigger)) return 'Waiting for the visit it cancels';
  if (isOfDocument(trigger)) return DOCUMENT_STORED;
  if (trigger === 'A24' || trigger === 'A37') return noNewEvent('record numbers linked or unlinked');
  if (trigger === 'A08') return noNewEvent('no visit number, no day of admission, and no visit was open');
  return noNewEvent('about the person, not about a visit');
}

interface FoldedFacts {
  facts: readonly Pick<Fact, 'id' | 'adt'>[];
  visits: readonly FoldedVisit[];
}

/** Returns the content hashes of the facts whose report of a death doesn't count any more; a message that was sent twice goes with its copy. */
export function canceledContents({ facts, visits }: FoldedFacts): Set<string> {
  const outcomes = new Map(visits.flatMap((visit) => [...visit.outcomes]));
  const canceled = facts.flatMap(({ id, adt }) => (isCanceledOutcome(outcomes.get(id) ?? '') ? adt.contentHash : []));
  return new Set([...canceled, ...visits.flatMap(({ deathsTakenBack }) => [...deathsTakenBack])]);
}
