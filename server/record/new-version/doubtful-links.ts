/** Links of an earlier version of the matcher that this version would not make (`doubtful_links`), and what they gave access to. */
import { listingOpens } from '#server/people/access/policy.ts';
import type { Queryable, Transaction } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { IS_IN_FORCE } from '#server/record/matching/doubtful-persons.ts';
import { currentVersion } from '#server/record/matching/list-snapshots.ts';
import type { SubjectKind } from '#server/record/matching/subjects.ts';
import { type UnsupportedLink, unsupportedLinks } from '#server/record/matching/unsupported-links.ts';
import type { Evidence } from '#server/record/scoring/decide.ts';

/** Records the links to these persons that would not be made now. */
export async function recordDoubts(tx: Transaction, personIds: readonly string[], now: Date): Promise<void> {
  const doubts = await unsupportedLinks(tx, personIds);
  await tx.query(sql`delete from doubtful_links where person_id = any (${personIds}::bigint[])`);
  for (const doubt of doubts) await record(tx, doubt, now);
}

/**
 * Visits and pings that the link shows to groups, and these groups: the visits of its records to listings of the person's other
 * records, and theirs to listings of its records.
 */
async function record(tx: Queryable, { link, moving, outcome, evidence }: UnsupportedLink, now: Date): Promise<void> {
  const { subject, personId } = link;
  const idsOf = (kind: SubjectKind): string[] => moving.filter((record) => record.kind === kind).map(({ id }) => id);
  const sources = idsOf('SOURCE_PATIENT');
  await tx.query(sql`
    with listings as (
      select r.id, r.group_id, r.person_id, r.opens_from, r.left_at,
        r.id = any (${idsOf('ROSTER_PATIENT')}::bigint[]) or r.content_hash is null and exists (
          select from source_patients s
          where s.id = any (${sources}::bigint[]) and s.group_id = r.group_id and s.record_number = r.member_id) as is_own
      from roster_patients r where r.person_id = ${personId}),
    visits as (
      select e.*, e.source_patient_id = any (${sources}::bigint[]) as is_own
      from encounters e where e.person_id = ${personId} and e.status <> 'CANCELLED'),
    opened as (
      select e.id as encounter_id, l.group_id, null::bigint as ping_id from visits e join listings l
        on l.is_own <> e.is_own and l.group_id <> e.group_id and l.left_at is null and ${listingOpens(sql`l`, sql`e`)}
      union all
      select e.id, p.group_id, p.id from visits e
        join pings p on p.encounter_id = e.id join listings l on l.id = p.roster_patient_id and l.is_own <> e.is_own)
    insert into doubtful_links (subject, subject_id, person_id, link_id, version, outcome, evidence, visits, pings, groups, found_at)
    select ${subject.kind}, ${subject.id}, ${personId}, ${link.id}, ${evidence.version}, ${outcome}, ${JSON.stringify(evidence)},
      count(distinct encounter_id), count(distinct ping_id), count(distinct group_id), ${now}
    from opened
    on conflict (subject, subject_id) do update set person_id = excluded.person_id, link_id = excluded.link_id,
      version = excluded.version, outcome = excluded.outcome, evidence = excluded.evidence, visits = excluded.visits,
      pings = excluded.pings, groups = excluded.groups, found_at = excluded.found_at`);
}

export interface DoubtfulLink {
  /** The link in force, which may be newer than the one in doubt. */
  linkId: string;
  kind: SubjectKind;
  subjectId: string;
  groupId: string;
  groupName: string;
  personId: string;
  linkedAt: string;
  /** Of the matcher that made the link. */
  madeBy: string | null;
  rule: string | null;
  /** What this version would do instead. */
  outcome: UnsupportedLink['outcome'];
  evidence: Evidence;
  visits: number;
  pings: number;
  groups: number;
}

/** Returns the doubtful links still in force, those that show the most first. */
export async function doubtfulLinks(db: Queryable): Promise<DoubtfulLink[]> {
  const { rows } = await db.query<DoubtfulLink>(sql`
    select (select max(l.id) from person_links l where l.subject = d.subject and l.subject_id = d.subject_id) as "linkId", d.subject as kind, d.subject_id as "subjectId", g.id as "groupId", g.name as "groupName",
      d.person_id as "personId", made.created_at as "linkedAt", made.evidence ->> 'version' as "madeBy", made.rule_id as rule,
      d.outcome, d.evidence, d.visits, d.pings, d.groups
    from doubtful_links d
      join person_links made on made.id = d.link_id
      join groups g on g.id = case when d.subject = 'SOURCE_PATIENT'
        then (select s.group_id from source_patients s where s.id = d.subject_id)
        else (select r.group_id from roster_patients r where r.id = d.subject_id) end
    where ${IS_IN_FORCE}
    order by d.visits desc, d.pings desc, made.id`);
  return rows;
}

/** Deletes what an earlier version of the matcher doubted and this one no longer looked at, because the link was changed since. */
export async function forgetEarlierDoubts(tx: Queryable): Promise<void> {
  await tx.query(sql`delete from doubtful_links where version <> ${await currentVersion(tx)}`);
}
