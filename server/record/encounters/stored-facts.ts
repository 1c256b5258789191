/** Reads the facts of dossiers, and writes those that a batch adds and what became of each. */
import type { EventCode } from '#contract/event-codes.ts';
import type { AdtFacts } from '#server/intake/hl7/adt-facts.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import type { PlacedFact } from './dossiers.ts';

export interface StoredFact {
  id: string;
  sourcePatientId: string;
  dossierId: string;
  groupId: string;
  adt: AdtFacts;
  manualCode: EventCode | null;
  encounterId: string | null;
  messageId: string;
  outcome: string;
  receivedAt: string;
  isBackfill: boolean;
  /** The feed, if it sent for several facilities. */
  sharedFeedId: string | null;
}

const FACTS_OF = `
select f.id, f.source_patient_id as "sourcePatientId", s.dossier_id as "dossierId",
       s.group_id as "groupId", f.adt, f.manual_code as "manualCode", f.encounter_id as "encounterId",
       f.message_id as "messageId", f.outcome, f.received_at as "receivedAt", f.is_backfill as "isBackfill",
       f.shared_feed_id as "sharedFeedId"
from source_patients s join facts f on f.source_patient_id = s.id
where s.dossier_id = any($1::bigint[]) order by f.id`;

export async function factsOf(tx: Queryable, dossierIds: readonly string[]): Promise<StoredFact[]> {
  return (await tx.query<StoredFact>(FACTS_OF, [dossierIds])).rows;
}

/** A fact that is not stored yet, as it will be read once it is, except that fields of its `adt` may be undefined instead of absent. */
export interface AddedFact extends StoredFact {
  ordinal: number;
}

/** Gives facts their ids, in order. */
export async function numberFacts(tx: Queryable, facts: readonly PlacedFact[]): Promise<AddedFact[]> {
  if (facts.length === 0) return [];
  const { rows } = await tx.query<{ id: string }>(`select nextval('facts_id_seq') as id from generate_series(1, $1)`, [
    facts.length,
  ]);
  return facts.map(({ manualCode = null, ...fact }, index) => ({
    ...fact,
    id: rows[index]?.id ?? '',
    manualCode: manualCode as EventCode | null,
    outcome: '',
    dossierId: '',
  }));
}

/** What became of a fact: its visit, if it is part of one, and the holder of its record number. */
export interface FactOutcome {
  id: string;
  encounterId: string | null;
  outcome: string;
  sourcePatientId: string;
}

const INSERT_FACTS = `
insert into facts (id, source_patient_id, message_id, ordinal, adt, manual_code, received_at, is_backfill, encounter_id, shared_feed_id, outcome)
overriding system value
select * from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::int[], $5::jsonb[], $6::text[], $7::timestamptz[], $8::boolean[],
  $9::bigint[], $10::bigint[], $11::text[])`;

const UPDATE_FACTS = `
update facts f set encounter_id = o.encounter_id, outcome = o.outcome, source_patient_id = o.source_patient_id
from unnest($1::bigint[], $2::bigint[], $3::text[], $4::bigint[]) as o (id, encounter_id, outcome, source_patient_id)
where f.id = o.id`;

/** Inserts the added facts with their outcomes, and updates stored ones whose outcome is another now. */
export async function writeFacts(
  tx: Queryable,
  facts: readonly StoredFact[],
  added: readonly AddedFact[],
  outcomes: ReadonlyMap<string, FactOutcome>,
): Promise<void> {
  const isNew = new Set(added.map(({ id }) => id));
  const changed = facts.flatMap((fact) => {
    const now = outcomes.get(fact.id);
    const isSame =
      now?.encounterId === fact.encounterId &&
      now.outcome === fact.outcome &&
      now.sourcePatientId === fact.sourcePatientId;
    return now === undefined || isNew.has(fact.id) || isSame ? [] : [now];
  });
  await Promise.all([insertFacts(tx, added, outcomes), updateFacts(tx, changed)]);
}

async function insertFacts(
  tx: Queryable,
  added: readonly AddedFact[],
  outcomes: ReadonlyMap<string, FactOutcome>,
): Promise<void> {
  if (added.length === 0) return;
  const of = added.map(({ id }) => {
    const outcome = outcomes.get(id);
    if (outcome === undefined) throw new Error('A new fact is in none of the dossiers that were folded');
    return outcome;
  });
  await tx.query(INSERT_FACTS, [
    added.map((fact) => fact.id),
    of.map((outcome) => outcome.sourcePatientId),
    added.map((fact) => fact.messageId),
    added.map((fact) => fact.ordinal),
    added.map((fact) => JSON.stringify(fact.adt)),
    added.map((fact) => fact.manualCode),
    added.map((fact) => fact.receivedAt),
    added.map((fact) => fact.isBackfill),
    of.map((outcome) => outcome.encounterId),
    added.map((fact) => fact.sharedFeedId),
    of.map((outcome) => outcome.outcome),
  ]);
}

async function updateFacts(tx: Queryable, changed: readonly FactOutcome[]): Promise<void> {
  if (changed.length === 0) return;
  await tx.query(UPDATE_FACTS, [
    changed.map((fact) => fact.id),
    changed.map((fact) => fact.encounterId),
    changed.map((fact) => fact.outcome),
    changed.map((fact) => fact.sourcePatientId),
  ]);
}
