import type { Transaction } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { settleDossierOf } from '#server/record/listings/settle-dossiers.ts';
import type { Subject } from '#server/record/matching/subjects.ts';

/** Carries out or takes back the merges that depend on a decision about the subject: those of the record numbers in the patient's dossier. */
export async function settleMerges(tx: Transaction, { kind, id }: Subject, now: Date): Promise<void> {
  if (kind !== 'SOURCE_PATIENT') return;
  const { rows } = await tx.query(sql`
    select from source_patients s join source_patients other using (dossier_id) where s.id = ${id} and other.id <> ${id} limit 1`);
  if (rows.length > 0) await settleDossierOf(tx, id, now);
}
