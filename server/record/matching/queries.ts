/** What identifying reads and writes: subjects, their blocking keys, their links. */
import type { Queryable } from '#server/platform/database/pool.ts';
import { type Sql, sql } from '#server/platform/database/sql.ts';
import { type Subject, type SubjectRecord, type SubjectRow, subjectKey, toRecord } from './subjects.ts';

export const kindsOf = (subjects: readonly Subject[]): string[] => subjects.map(({ kind }) => kind);
export const idsOf = (subjects: readonly Subject[]): string[] => subjects.map(({ id }) => id);
const idsOfKind = (subjects: readonly Subject[], kind: Subject['kind']): string[] =>
  idsOf(subjects.filter((subject) => subject.kind === kind));

/**
 * Source patients and uploaded roster rows. A listing without a content hash is one that a facility has from its own encounters: it
 * says nothing that its source patient does not say, so it is no witness (`relink.ts` moves it along).
 */
async function selectSubjects(db: Queryable, sourceCondition: Sql, rosterCondition: Sql): Promise<SubjectRecord[]> {
  const { rows } = await db.query<SubjectRow>(sql`
    select 'SOURCE_PATIENT' as kind, s.id, s.group_id as "groupId", s.person_id as "personId", s.demographics
    from source_patients s where ${sourceCondition}
    union all
    select 'ROSTER_PATIENT', r.id, r.group_id, r.person_id, jsonb_build_object(
      'family', r.last_name, 'given', r.first_name, 'middle', r.middle_name, 'suffix', r.name_suffix,
      'birthDate', r.date_of_birth, 'sex', r.gender, 'line1', nullif(concat_ws(' ', r.address1, r.address2), ''),
      'city', r.city, 'state', r.state, 'zip', r.zip, 'phones', jsonb_build_array(r.home_phone, r.mobile_phone),
      'ssnLast4', r.ssn_last4, 'medicareId', r.medicare_id)
    from roster_patients r where r.content_hash is not null and ${rosterCondition}`);
  return rows.map(toRecord);
}

/** Those of the subjects that exist and may be identified. */
export function loadSubjects(db: Queryable, subjects: readonly Subject[]): Promise<SubjectRecord[]> {
  return selectSubjects(
    db,
    sql`s.id = any (${idsOfKind(subjects, 'SOURCE_PATIENT')}::bigint[])`,
    sql`r.id = any (${idsOfKind(subjects, 'ROSTER_PATIENT')}::bigint[])`,
  );
}

/** Every witness of the persons to whom the subjects are linked. In two steps, for a list of ids is what makes the planner use the index. */
export async function loadPersonsOf(db: Queryable, subjects: readonly Subject[]): Promise<SubjectRecord[]> {
  const { rows } = await db.query<{ persons: string[] }>(sql`
    select array(
      select person_id from source_patients where id = any (${idsOfKind(subjects, 'SOURCE_PATIENT')}::bigint[])
      union select person_id from roster_patients where id = any (${idsOfKind(subjects, 'ROSTER_PATIENT')}::bigint[])
    )::text[] as persons`);
  const persons = rows[0]?.persons ?? [];
  return selectSubjects(
    db,
    sql`s.person_id = any (${persons}::bigint[])`,
    sql`r.person_id = any (${persons}::bigint[])`,
  );
}

const LOCK_SPACE = 7_463_202;
const LOCKS = 256;

function bucketOf(key: string): number {
  let hash = 0;
  for (let i = 0; i < key.length; i++) hash = (Math.imul(hash, 31) + key.charCodeAt(i)) | 0;
  return (hash >>> 0) % LOCKS;
}

/**
 * Until the transaction ends, no other one identifies anybody who shares a key: else two messages about one new person, at the
 * same moment, would make two. Few locks however many keys, always in one order.
 */
export async function lockKeys(db: Queryable, keys: Iterable<string>): Promise<void> {
  const buckets = [...new Set([...keys].map(bucketOf))].sort((a, b) => a - b);
  await db.query(
    sql`select count(pg_advisory_xact_lock(${LOCK_SPACE}, bucket)) from unnest(${buckets}::int[]) as b (bucket)`,
  );
}

/** The subjects' keys as they stand, by `subjectKey`. */
export async function loadKeys(db: Queryable, subjects: readonly Subject[]): Promise<Map<string, string[]>> {
  const { rows } = await db.query<Subject & { keys: string[] }>(sql`
    select k.subject as kind, k.subject_id as id, array_agg(k.key) as keys
    from unnest(${kindsOf(subjects)}::text[], ${idsOf(subjects)}::bigint[]) as s (kind, id)
      join blocking_keys k on k.subject = s.kind and k.subject_id = s.id
    group by k.subject, k.subject_id`);
  return new Map(rows.map((row) => [subjectKey(row), row.keys]));
}

export type KeyRow = Subject & { key: string };

/** Takes keys away and adds others. */
export async function writeKeys(db: Queryable, removed: readonly KeyRow[], added: readonly KeyRow[]): Promise<void> {
  const table = (rows: readonly KeyRow[]): Sql =>
    sql`unnest(${rows.map(({ key }) => key)}::text[], ${kindsOf(rows)}::text[], ${idsOf(rows)}::bigint[]) as k (key, kind, id)`;
  if (removed.length > 0) {
    await db.query(sql`delete from blocking_keys b using ${table(removed)}
      where b.key = k.key and b.subject = k.kind and b.subject_id = k.id`);
  }
  if (added.length > 0) {
    await db.query(sql`insert into blocking_keys (key, subject, subject_id)
      select key, kind, id from ${table(added)} on conflict do nothing`);
  }
}

/** A key that more subjects than this share tells nobody from anybody; looking at them all would take seconds. */
export const MOST_HITS = 2000;

/** The subjects that have each key; a key with more than MOST_HITS has none. */
export async function findByKeys(db: Queryable, keys: readonly string[]): Promise<Map<string, Subject[]>> {
  const { rows } = await db.query<{ key: string; kinds: Subject['kind'][]; ids: string[] }>(sql`
    select k.key, hit.kinds, hit.ids::text[] as ids
    from unnest(${keys}::text[]) as k (key)
      cross join lateral (
        select array_agg(subject) as kinds, array_agg(subject_id) as ids
        from (select subject, subject_id from blocking_keys b where b.key = k.key limit ${MOST_HITS + 1}) as first) as hit
    where cardinality(hit.ids) <= ${MOST_HITS}`);
  return new Map(
    rows.map(({ key, kinds, ids }) => [key, ids.map((id, i) => ({ kind: kinds[i] as Subject['kind'], id }))]),
  );
}

export type LinkOutcome = 'matched' | 'review' | 'new' | 'merged' | 'decided' | 'undone';

/** The link in force of a subject. */
export interface Link {
  id: string;
  subject: Subject;
  personId: string;
  previousPersonId: string | null;
  outcome: LinkOutcome;
  ruleId: string | null;
  evidence: Record<string, unknown>;
}

type LinkRow = Omit<Link, 'subject'> & Subject & { linkId: string };
const toLink = ({ kind, id, linkId, ...link }: LinkRow): Link => ({ ...link, id: linkId, subject: { kind, id } });

/** The newest link of each subject that has one, by `subjectKey`. */
export async function loadLinks(db: Queryable, subjects: readonly Subject[]): Promise<Map<string, Link>> {
  const { rows } = await db.query<LinkRow>(sql`
    select s.kind, s.id, l.id as "linkId", l.person_id as "personId", l.previous_person_id as "previousPersonId",
      l.outcome, l.rule_id as "ruleId", l.evidence
    from unnest(${kindsOf(subjects)}::text[], ${idsOf(subjects)}::bigint[]) as s (kind, id)
      cross join lateral (
        select * from person_links p where p.subject = s.kind and p.subject_id = s.id order by p.id desc limit 1) as l`);
  return new Map(rows.map((row) => [subjectKey(row), toLink(row)]));
}

/** Whether a facility has more than one visit under a record number. */
export async function hasSeveralVisits(db: Queryable, { kind, id }: Subject): Promise<boolean> {
  if (kind !== 'SOURCE_PATIENT') return false;
  const { rows } = await db.query(sql`
    select from encounters where source_patient_id = ${id} and status <> 'CANCELLED' limit 2`);
  return rows.length > 1;
}

/** Makes persons of whom nothing is known yet. */
export async function createPersons(db: Queryable, count: number, now: Date): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(sql`
    insert into persons (is_provisional, created_at) select true, ${now} from generate_series(1, ${count}) returning id`);
  return rows.map(({ id }) => id);
}

export async function setProvisional(db: Queryable, persons: ReadonlyMap<string, boolean>): Promise<void> {
  await db.query(sql`
    update persons p set is_provisional = n.is_provisional
    from unnest(${[...persons.keys()]}::bigint[], ${[...persons.values()]}::bool[]) as n (id, is_provisional)
    where p.id = n.id and p.is_provisional <> n.is_provisional`);
}
