/** Reads and writes subjects, their links, and persons. */
import type { Queryable } from '#server/platform/database/pool.ts';
import { type Sql, sql } from '#server/platform/database/sql.ts';
import { MOST_RECORDS } from '#server/record/scoring/decide.ts';
import {
  type KnownDemographics,
  type Subject,
  type SubjectRecord,
  subjectKey,
  type TextRow,
  toRecords,
} from './subjects.ts';

export const kindsOf = (subjects: readonly Subject[]): string[] => subjects.map(({ kind }) => kind);
export const idsOf = (subjects: readonly Subject[]): string[] => subjects.map(({ id }) => id);
const idsOfKind = (subjects: readonly Subject[], kind: Subject['kind']): string[] =>
  idsOf(subjects.filter((subject) => subject.kind === kind));

/** The demographics of `roster_patients r`, as `SubjectRow` has them. */
export const ROSTER_DEMOGRAPHICS: Sql = sql`json_build_object(
  'family', r.last_name, 'given', r.first_name, 'middle', r.middle_name, 'suffix', r.name_suffix,
  'birthDate', r.date_of_birth, 'sex', r.gender, 'line1', nullif(concat_ws(' ', r.address1, r.address2), ''),
  'city', r.city, 'state', r.state, 'zip', r.zip, 'phones', json_build_array(r.home_phone, r.mobile_phone),
  'ssnLast4', r.ssn_last4, 'medicareId', r.medicare_id)`;

/**
 * Returns source patients and uploaded roster rows. A roster row without a content hash is a facility's own listing: it repeats
 * the source patient's demographics, so it does not count as a record of its own and moves with the source patient
 * (`write-links.ts`).
 */
async function selectSubjects(
  db: Queryable,
  sourceCondition: Sql,
  rosterCondition: Sql,
  known?: KnownDemographics,
): Promise<SubjectRecord[]> {
  const { rows } = await db.query<TextRow>(sql`
    select 'SOURCE_PATIENT' as kind, s.id, s.group_id as "groupId", s.person_id as "personId", s.demographics::text, false as "isListed"
    from source_patients s where ${sourceCondition}
    union all
    select 'ROSTER_PATIENT', r.id, r.group_id, r.person_id, ${ROSTER_DEMOGRAPHICS}::text, r.left_at is null
    from roster_patients r where r.content_hash is not null and ${rosterCondition}`);
  return toRecords(rows, known);
}

/** Returns the subjects that exist and may be identified. `known`: demographics that were read before, and those read now. */
export function loadSubjects(
  db: Queryable,
  subjects: readonly Subject[],
  known?: KnownDemographics,
): Promise<SubjectRecord[]> {
  return selectSubjects(
    db,
    sql`s.id = any (${idsOfKind(subjects, 'SOURCE_PATIENT')}::bigint[])`,
    sql`r.id = any (${idsOfKind(subjects, 'ROSTER_PATIENT')}::bigint[])`,
    known,
  );
}

/**
 * Returns the subjects, and the records of the persons that they and `found` are linked to. Of somebody with many records these are rows that are
 * listed, and then of each facility as many as of the others: one sender's excess must neither hold up the others nor hide their patients.
 * `read`: records whose demographics are read already.
 */
export async function loadPersonsOf(
  db: Queryable,
  subjects: readonly Subject[],
  found: readonly Subject[],
  { read = new Map(), known }: { read?: ReadonlyMap<string, SubjectRecord>; known?: KnownDemographics } = {},
): Promise<SubjectRecord[]> {
  const all = [...subjects, ...found];
  const { rows } = await db.query<Omit<SubjectRecord, 'demographics'>>(sql`
    with persons as (
      select person_id from source_patients where id = any (${idsOfKind(all, 'SOURCE_PATIENT')}::bigint[])
      union select person_id from roster_patients where id = any (${idsOfKind(all, 'ROSTER_PATIENT')}::bigint[]))
    select first.kind, first.id, first.group_id as "groupId", persons.person_id as "personId",
      case when first.is_listed then first.group_id end as "listedBy"
    from persons cross join lateral (
      select kind, id, group_id, is_listed from (
        select kind, id, group_id, is_listed, row_number() over (partition by is_listed, group_id order by kind, id) as turn
        from (
          select 'SOURCE_PATIENT' as kind, s.id, s.group_id, false as is_listed
          from source_patients s where s.person_id = persons.person_id
          union all
          select 'ROSTER_PATIENT', r.id, r.group_id, r.left_at is null
          from roster_patients r where r.person_id = persons.person_id and r.content_hash is not null) record) record
      order by is_listed desc, turn, kind, id limit ${MOST_RECORDS}) first`);
  const present = new Set(rows.map(subjectKey));
  const again = rows.flatMap((row) => {
    const demographics = read.get(subjectKey(row))?.demographics;
    return demographics === undefined ? [] : [{ ...row, demographics }];
  });
  const unread = [
    ...rows.filter((row) => !read.has(subjectKey(row))),
    ...subjects.filter((subject) => !present.has(subjectKey(subject))),
  ];
  return [...again, ...(await loadSubjects(db, unread, known))].sort(byKindAndId);
}

/** Of two records of one person that agree equally well with a subject, the first counts. */
const byKindAndId = (a: Subject, b: Subject): number =>
  a.kind === b.kind ? Number(a.id) - Number(b.id) : a.kind === 'SOURCE_PATIENT' ? -1 : 1;

/** Returns all records of these persons. */
export const loadSubjectsOf = (db: Queryable, personIds: readonly string[]): Promise<SubjectRecord[]> =>
  selectSubjects(db, sql`s.person_id = any (${personIds}::bigint[])`, sql`r.person_id = any (${personIds}::bigint[])`);

export type LinkOutcome = 'matched' | 'review' | 'new' | 'merged' | 'decided' | 'undone';

/** The link that is in force for a subject. */
export interface Link {
  id: string;
  subject: Subject;
  personId: string;
  previousPersonId: string | null;
  outcome: LinkOutcome;
  ruleId: string | null;
  decidedBy: string | null;
  evidence: Record<string, unknown>;
}

type LinkRow = Omit<Link, 'subject'> & Subject & { linkId: string };
const toLink = ({ kind, id, linkId, ...link }: LinkRow): Link => ({ ...link, id: linkId, subject: { kind, id } });

/** Returns the newest link of each subject that has one, by `subjectKey`. */
export async function loadLinks(db: Queryable, subjects: readonly Subject[]): Promise<Map<string, Link>> {
  const { rows } = await db.query<LinkRow>(sql`
    select s.kind, s.id, l.id as "linkId", l.person_id as "personId", l.previous_person_id as "previousPersonId",
      l.outcome, l.rule_id as "ruleId", l.decided_by as "decidedBy", l.evidence
    from unnest(${kindsOf(subjects)}::text[], ${idsOf(subjects)}::bigint[]) as s (kind, id)
      cross join lateral (
        select * from person_links p where p.subject = s.kind and p.subject_id = s.id order by p.id desc limit 1) as l`);
  return new Map(rows.map((row) => [subjectKey(row), toLink(row)]));
}

/**
 * Returns the source patients that the facility merged into each of the subjects, by the subject's `subjectKey`. Not those whom a person had
 * to confirm: their demographics contradict the subject's.
 */
export async function loadMerged(
  db: Queryable,
  subjects: readonly SubjectRecord[],
): Promise<Map<string, SubjectRecord[]>> {
  const sources = new Map(subjects.flatMap((each) => (each.kind === 'SOURCE_PATIENT' ? [[each.id, each]] : [])));
  if (sources.size === 0) return new Map();
  const { rows } = await db.query<{ id: string; survivingId: string }>(sql`
    select p.id, newest.evidence ->> 'survivingId' as "survivingId"
    from (select distinct person_id, group_id from source_patients where id = any (${[...sources.keys()]}::bigint[])) as person
      join source_patients p using (person_id, group_id)
      cross join lateral (
        select outcome, evidence from person_links l
        where l.subject = 'SOURCE_PATIENT' and l.subject_id = p.id order by l.id desc limit 1) as newest
    where newest.outcome = 'merged' and not newest.evidence ? 'isConfirmed'
    order by p.id`);
  const survivorOf = new Map(rows.map(({ id, survivingId }) => [id, sources.get(survivingId)]));
  const ids = [...survivorOf].flatMap(([id, survivor]) => (survivor && survivor.id !== id ? [id] : []));
  if (ids.length === 0) return new Map();
  const records = await loadSubjects(
    db,
    ids.map((id) => ({ kind: 'SOURCE_PATIENT', id })),
  );
  const isOfFacility = (record: SubjectRecord): boolean => {
    const survivor = survivorOf.get(record.id);
    return survivor?.personId === record.personId && survivor.groupId === record.groupId;
  };
  return Map.groupBy(records.filter(isOfFacility), ({ id }) => subjectKey(survivorOf.get(id) as SubjectRecord));
}

/** Whether a facility has more than one visit under the record number. */
export async function hasSeveralVisits(db: Queryable, { kind, id }: Subject): Promise<boolean> {
  if (kind !== 'SOURCE_PATIENT') return false;
  const { rows } = await db.query(sql`
    select from encounters where source_patient_id = ${id} and status <> 'CANCELLED' limit 2`);
  return rows.length > 1;
}

/** Creates persons, and returns their ids. */
export async function createPersons(db: Queryable, count: number, now: Date): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(sql`
    insert into persons (created_at) select ${now} from generate_series(1, ${count}) returning id`);
  return rows.map(({ id }) => id);
}
