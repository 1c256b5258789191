import type { PatientFacts } from '#server/intake/hl7/adt-facts.ts';
import { asActor } from '#server/people/access/door.ts';
import { writeAudit } from '#server/people/audit/write-audit.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { sortKey } from '#server/platform/text/sort-key.ts';
import { noteEntry } from '#server/record/listings/identity-attempts.ts';
import type { EntryCall } from './store-entry.ts';

/** Throws IDENTITY_GUESSES, and reports it in the audit log, if the group keeps entering this person with other details. */
export async function refuseGuesses(
  db: Database,
  { actor, now, requestId }: EntryCall,
  groupId: string,
  { recordNumber, name, birthDate, ssnLast4, medicareId, address, phones }: PatientFacts,
): Promise<void> {
  const identity = {
    recordNumber,
    sortFirst: sortKey(name?.given ?? ''),
    sortLast: sortKey(name?.family ?? ''),
    birthDate: birthDate ?? '',
    ssnLast4: ssnLast4 ?? null,
    medicareId: medicareId ?? null,
    zip: address?.zip ?? null,
    homePhone: phones?.[0] ?? null,
  };
  const isAccepted = await asActor(db, actor, 'canEditPatientsAndEvents', async (tx) => {
    if (await noteEntry(tx, groupId, identity, now)) return true;
    const entry = { action: 'roster.guess-pattern', subject: 'group' as const, subjectId: groupId };
    await writeAudit(tx, { ...entry, detail: { entries: 1 }, requestId, now });
    return false;
  });
  // After the transaction, so that the report stays.
  if (!isAccepted) throw new ApiError('IDENTITY_GUESSES');
}
