/** People whom facilities expect (pre-admit, docs/decisions/0083): who they are, and what ends a hold. */
import { writeAuditAs } from '#server/people/audit/write-audit.ts';
import { logChanges } from '#server/platform/changes/change-log.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { isSamePerson } from '#server/record/matching/look-up-person.ts';
import type { Demographics } from '#server/record/scoring/demographics.ts';

/** A held patient, as far as matching goes. Contains patient data: keep it out of logs. */
export interface HeldDemographics {
  firstName: string;
  lastName: string;
  gender: string;
  dob: string;
  zip: string | null;
  ssn: string | null;
}

export const demographicsOfHeld = ({ firstName, lastName, gender, dob, zip, ssn }: HeldDemographics): Demographics => ({
  family: lastName,
  formerFamilies: [],
  given: firstName,
  middle: null,
  suffix: null,
  birthDate: dob,
  sex: gender,
  line1: null,
  city: null,
  state: null,
  zip,
  phones: [],
  email: null,
  ssnLast4: ssn,
  medicareId: null,
  memberIds: [],
});

/** Logs for open pages that the held patients of these groups changed. */
export const logHeld = (
  tx: Queryable,
  change: 'matched' | 'deleted' | 'admitted' | 'over',
  groupIds: readonly string[],
  now: Date,
): Promise<void> =>
  logChanges(
    tx,
    [...new Set(groupIds)].map((groupId) => ({ kind: 'held', change, groupId, subjectId: null })),
    now,
  );

interface Arrival extends HeldDemographics {
  heldId: string;
  groupId: string;
  encounterId: string;
  personId: string;
}

/** A message about an admission may come before somebody enters the hold. */
const BEFORE_HOLD = sql`interval '1 day'`;

/**
 * Ends the holds of people who have arrived: a visit of one of these source patients began at the facility that holds them, and the matcher
 * says without review that it is them. An outpatient visit, such as tests before an operation, ends no hold.
 */
export async function admitHeld(tx: Queryable, sourcePatientIds: readonly string[], now: Date): Promise<void> {
  const { rows } = await tx.query<Arrival>(sql`
    select distinct on (h.id, e.person_id) h.id as "heldId", h.group_id as "groupId", h.first_name as "firstName", h.last_name as "lastName",
      h.gender, h.date_of_birth as dob, h.zip, h.ssn_last4 as ssn, e.id as "encounterId", e.person_id as "personId"
    from source_patients s
      join held_patients h on h.group_id = s.group_id and h.admitted_at is null and h.expires_at > ${now}
      join encounters e on e.source_patient_id = s.id and e.status in ('IN_PROGRESS', 'ON_LEAVE', 'FINISHED')
        and e.setting <> 'OUTPATIENT' and e.admitted_at >= h.created_at - ${BEFORE_HOLD}
    where s.id = any (${sourcePatientIds}::bigint[])
    order by h.id, e.person_id, e.admitted_at, e.id`);
  for (const { heldId, groupId, encounterId, personId, ...given } of rows) {
    if (!(await isSamePerson(tx, demographicsOfHeld(given), personId))) continue;
    await tx.query(sql`
      update held_patients set admitted_at = ${now}, encounter_id = ${encounterId}, person_id = ${personId} where id = ${heldId}`);
    await logHeld(tx, 'admitted', [groupId], now);
    const about = { action: 'pre-admit.admit', subject: 'group', subjectId: groupId } as const;
    await writeAuditAs(tx, { userId: null }, { ...about, detail: { heldId, encounterId }, requestId: null, now });
  }
}
