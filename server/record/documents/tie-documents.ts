/**
 * Whose documents are, which visit they belong to, and which of them hold: settled anew whenever their dossier is, so that the order of
 * arrival doesn't matter.
 */
import type { AdtFacts } from '#server/intake/hl7/adt-facts.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { isOfDocument } from '#server/record/fold/visit-triggers.ts';

/** Gives new documents the patients of their facts; called once the facts are stored. */
export async function adoptDocuments(
  tx: Queryable,
  facts: readonly { messageId: string; adt: Pick<AdtFacts, 'trigger'> }[],
): Promise<void> {
  const messageIds = facts.filter(({ adt }) => isOfDocument(adt.trigger)).map(({ messageId }) => messageId);
  if (messageIds.length === 0) return;
  await tx.query(sql`
    update documents d set source_patient_id = f.source_patient_id from facts f
    where d.message_id = any (${messageIds}::bigint[]) and f.message_id = d.message_id and f.ordinal = 0`);
}

/**
 * SQL: the visit of document `d` of source patient `s` with the fact `f`: the one of the link by which it came, else one of the patient's at the
 * facility with a number that the document names (of several stays with one number that which began on the day that it names, or else the
 * last), else the only one that began on that day.
 */
const VISIT = sql`
  select coalesce(
    (select e.id from source_patients o join facts k on k.source_patient_id = o.id join encounters e on e.id = k.encounter_id
     where f.adt ? 'link' and o.dossier_id = s.dossier_id and k.adt ->> 'contentHash' = f.adt #>> '{link,about}'
       and e.group_id = d.group_id and e.person_id = s.person_id and e.status <> 'CANCELLED' limit 1),
    (select e.id from encounters e
     where e.source_patient_id in (select id from source_patients o where o.dossier_id = s.dossier_id)
       and e.group_id = d.group_id and e.person_id = s.person_id and e.status <> 'CANCELLED'
       and ((e.state -> 'visitNumbers') ?| d.visit_numbers or (e.state -> 'accountNumbers') ?| d.visit_numbers)
     order by (e.state #>> '{admittedAt,localDate}' is not distinct from d.visit_day::text) desc, e.admitted_at desc nulls last, e.id desc limit 1),
    (select min(e.id) from encounters e
     where e.source_patient_id in (select id from source_patients o where o.dossier_id = s.dossier_id)
       and e.group_id = d.group_id and e.person_id = s.person_id and e.status <> 'CANCELLED'
       and e.state #>> '{admittedAt,localDate}' = d.visit_day::text
     having count(*) = 1)) as id`;

/** SQL: a later message of the same facility about the patient says something about document `d`. */
const LATER = sql`
  select k.act, k.document_number, k.parent_number from documents k join source_patients ks on ks.id = k.source_patient_id
  where ks.dossier_id = s.dossier_id and k.group_id = d.group_id and k.id <> d.id
    and (k.sent_at, k.id) > (d.sent_at, d.id)`;

/**
 * SQL: the facility's system sent the content of document `d`, which came by a link, or someone uploaded it again. One is shown, the system's if it
 * sent it, and what was taken back counts for nothing.
 */
const SENT_AGAIN = sql`
  select from documents k join source_patients ks on ks.id = k.source_patient_id
  where d.uploaded_by is not null and ks.dossier_id = s.dossier_id and k.group_id = d.group_id and k.id <> d.id
    and k.content_id = d.content_id and (k.uploaded_by is null or k.id > d.id)
    and not exists (
      select from documents c join source_patients cs on cs.id = c.source_patient_id
      where cs.dossier_id = s.dossier_id and c.group_id = k.group_id and c.act = 'CANCEL' and c.document_number = k.document_number
        and (c.sent_at, c.id) > (k.sent_at, k.id))`;

/** Ties the documents of dossiers whose visits and persons are settled. */
export async function tieDocuments(tx: Queryable, dossierIds: readonly string[]): Promise<void> {
  await tx.query(sql`
    update documents d set source_patient_id = tied.source_id, person_id = tied.person_id, encounter_id = tied.encounter_id,
      status = tied.status
    from (
      select d.id, s.id as source_id, s.person_id, visit.id as encounter_id,
        case when exists (select from (${LATER}) l where l.act = 'CANCEL' and l.document_number = d.document_number) then 'CANCELLED'
          when exists (select from (${LATER}) l where l.act <> 'CANCEL' and l.act <> 'ADDENDUM' and l.document_number = d.document_number)
            or exists (select from (${LATER}) l where l.act = 'REPLACE' and l.parent_number = d.document_number)
            or exists (${SENT_AGAIN}) then 'REPLACED'
          else 'CURRENT' end as status
      from source_patients own join documents d on d.source_patient_id = own.id
        left join facts f on f.message_id = d.message_id and f.ordinal = 0
        join source_patients s on s.id = coalesce(f.source_patient_id, own.id)
        cross join lateral (${VISIT}) visit
      where own.dossier_id = any (${dossierIds}::bigint[])) tied
    where d.id = tied.id
      and (d.source_patient_id, d.person_id, d.encounter_id, d.status)
        is distinct from (tied.source_id, tied.person_id, tied.encounter_id, tied.status)`);
}
