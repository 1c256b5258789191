/** What became of a fact, in words for the feed's screen. No patient data: triggers, event names and reasons only. */

import type { FoldedVisit } from './fold.ts';
import type { Fact } from './fold-input.ts';
import type { Dated } from './timeline.ts';
import { ACCOUNT_MOVES, isCancel, RECORD_MERGES, VISIT_MOVES } from './visit-triggers.ts';

export const struckOutcome = (trigger: string): string => `cancelled by ${trigger}`;

/** `targets`: what a cancel struck; undefined for a cancel that repeats another. */
export function cancelOutcome(targets: readonly Dated[] | undefined): string {
  if (!targets) return 'repeats another cancel';
  const triggers = [...new Set(targets.map(({ fact }) => fact.adt.trigger))].sort();
  return triggers.length > 0 ? `cancels ${triggers.join(', ')}` : 'a cancel without a target yet';
}

/** Fact id → what became of it, for all facts of a dossier: what the visits say, and why the others belong to none. */
export function outcomesOfDossier(facts: readonly Fact[], visits: readonly FoldedVisit[]): Map<string, string> {
  const outcomes = new Map<string, string>();
  for (const visit of visits) for (const [id, outcome] of visit.outcomes) outcomes.set(id, outcome);
  for (const fact of facts) if (!outcomes.has(fact.id)) outcomes.set(fact.id, outsideOutcome(fact.adt.trigger));
  return outcomes;
}

function outsideOutcome(trigger: string): string {
  if (RECORD_MERGES.has(trigger)) return 'record numbers merged: no event';
  if (ACCOUNT_MOVES.has(trigger) || VISIT_MOVES.has(trigger)) return 'account or visit re-keyed: no event';
  if (isCancel(trigger)) return 'a cancel without a visit yet';
  if (trigger === 'A24' || trigger === 'A37') return 'record numbers linked or unlinked: no event';
  return 'about the person, not about a visit: no event';
}
