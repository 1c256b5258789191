/**
 * The only code that links subjects to persons. A link says who the subject is, since when and why. `person_id` in other tables
 * is a copy of the newest link's, so that frequent queries need no join.
 */
import type { Queryable } from '#server/platform/database/pool.ts';
import { type Sql, sql } from '#server/platform/database/sql.ts';
import { idsOf, kindsOf, type LinkOutcome } from './queries.ts';
import { type Subject, subjectKey } from './subjects.ts';

/** A link to write. `from` and `to` are equal if only the outcome, rule or evidence is new. */
export interface LinkChange {
  subject: Subject;
  from: string;
  to: string;
  outcome: LinkOutcome;
  ruleId: string | null;
  /** Rule, field levels and the like; never demographic values. */
  evidence: object;
  decidedBy: string | null;
}

/** What a link moved. The caller sends the pings again (`pings/notify.ts`, "resendMoved"). */
export interface Relinked {
  linkId: string;
  subject: Subject;
  from: string;
  to: string;
  /** Encounters whose pings must be sent again: those that now belong to `to`, and those that moved listings have pings about. */
  encounterIds: string[];
  /** Listings (`roster_patients`) that now belong to `to`: they may have no pings yet about that person's open visits. */
  listingIds: string[];
}

/**
 * Writes links and updates the copies, in a fixed number of statements. Returns everything that moved to another person,
 * including source patients that were merged into the subjects, and subjects that people joined with them.
 */
export async function writeLinks(db: Queryable, changes: readonly LinkChange[], now: Date): Promise<Relinked[]> {
  if (changes.length === 0) return [];
  const linkIds = await insertLinks(db, changes, now);
  const moved = changes.filter(({ from, to }) => from !== to);
  if (moved.length === 0) return [];
  const encounters = await moveSources(db, moved);
  const listings = await moveListings(db, moved);
  const notified = await notifiedEncounters(db, listings);
  const relinked = moved.map(({ subject, from, to }) => ({
    linkId: linkIds.get(subjectKey(subject)) ?? '',
    subject,
    from,
    to,
    encounterIds: [
      ...new Set([...(encounters.get(subjectKey(subject)) ?? []), ...(notified.get(subjectKey(subject)) ?? [])]),
    ],
    listingIds: listings.get(subjectKey(subject)) ?? [],
  }));
  const followers = [...(await mergedInto(db, moved)), ...(await joinedWith(db, moved, linkIds))];
  return [...relinked, ...(await writeLinks(db, followers, now))];
}

async function insertLinks(db: Queryable, changes: readonly LinkChange[], now: Date): Promise<Map<string, string>> {
  const subjects = changes.map(({ subject }) => subject);
  const { rows } = await db.query<Subject & { linkId: string }>(sql`
    insert into person_links
      (subject, subject_id, person_id, previous_person_id, outcome, rule_id, evidence, decided_by, created_at)
    select kind, id, person_id, nullif(previous_id, person_id), outcome, rule_id, evidence::jsonb, decided_by, ${now}
    from unnest(
      ${kindsOf(subjects)}::text[], ${idsOf(subjects)}::bigint[], ${changes.map(({ to }) => to)}::bigint[],
      ${changes.map(({ from }) => from)}::bigint[], ${changes.map(({ outcome }) => outcome)}::text[],
      ${changes.map(({ ruleId }) => ruleId)}::text[], ${changes.map(({ evidence }) => JSON.stringify(evidence))}::text[],
      ${changes.map(({ decidedBy }) => decidedBy)}::bigint[])
      as c (kind, id, person_id, previous_id, outcome, rule_id, evidence, decided_by)
    returning subject as kind, subject_id as id, person_links.id as "linkId"`);
  return new Map(rows.map((row) => [subjectKey(row), row.linkId]));
}

const table = (changes: readonly LinkChange[]): Sql =>
  sql`unnest(${changes.map(({ subject }) => subject.id)}::bigint[], ${changes.map(({ to }) => to)}::bigint[]) as m (id, person_id)`;

const ofKind = (changes: readonly LinkChange[], kind: Subject['kind']): LinkChange[] =>
  changes.filter(({ subject }) => subject.kind === kind);

function collect(into: Map<string, string[]>, kind: Subject['kind'], rows: { subjectId: string; id: string }[]): void {
  for (const { subjectId, id } of rows) {
    const key = subjectKey({ kind, id: subjectId });
    into.set(key, [...(into.get(key) ?? []), id]);
  }
}

/** Moves source patients with their encounters and documents. */
async function moveSources(db: Queryable, changes: readonly LinkChange[]): Promise<Map<string, string[]>> {
  const moved = new Map<string, string[]>();
  const sources = ofKind(changes, 'SOURCE_PATIENT');
  if (sources.length === 0) return moved;
  await db.query(sql`update source_patients s set person_id = m.person_id from ${table(sources)} where s.id = m.id`);
  const encounters = await db.query<{ subjectId: string; id: string }>(sql`
    update encounters e set person_id = m.person_id from ${table(sources)} where e.source_patient_id = m.id
    returning e.source_patient_id as "subjectId", e.id`);
  collect(moved, 'SOURCE_PATIENT', encounters.rows);
  await db.query(
    sql`update documents d set person_id = m.person_id from ${table(sources)} where d.source_patient_id = m.id`,
  );
  return moved;
}

/** Moves listings that are subjects themselves, and the facilities' own listings of source patients that moved. */
async function moveListings(db: Queryable, changes: readonly LinkChange[]): Promise<Map<string, string[]>> {
  const moved = new Map<string, string[]>();
  const listings = ofKind(changes, 'ROSTER_PATIENT');
  if (listings.length > 0) {
    const { rows } = await db.query<{ subjectId: string; id: string }>(sql`
      update roster_patients r set person_id = m.person_id from ${table(listings)} where r.id = m.id
      returning r.id as "subjectId", r.id`);
    collect(moved, 'ROSTER_PATIENT', rows);
  }
  const sources = ofKind(changes, 'SOURCE_PATIENT');
  if (sources.length > 0) {
    const { rows } = await db.query<{ subjectId: string; id: string }>(sql`
      update roster_patients r set person_id = m.person_id
      from ${table(sources)} join source_patients s on s.id = m.id
      where r.group_id = s.group_id and r.member_id = s.record_number and r.content_hash is null
      returning m.id as "subjectId", r.id`);
    collect(moved, 'SOURCE_PATIENT', rows);
  }
  return moved;
}

/** Returns the encounters that the moved listings have pings about, by the subject each listing moved with. */
async function notifiedEncounters(
  db: Queryable,
  listings: ReadonlyMap<string, string[]>,
): Promise<Map<string, string[]>> {
  const notified = new Map<string, string[]>();
  const listingIds = [...listings.values()].flat();
  if (listingIds.length === 0) return notified;
  const { rows } = await db.query<{ listingId: string; id: string }>(sql`
    select distinct roster_patient_id as "listingId", encounter_id as id from pings
    where roster_patient_id = any (${listingIds}::bigint[])`);
  for (const [key, ids] of listings) {
    notified.set(
      key,
      rows.filter(({ listingId }) => ids.includes(listingId)).map(({ id }) => id),
    );
  }
  return notified;
}

/** Returns the links of source patients that were merged into one that moved: they move with it. */
async function mergedInto(db: Queryable, changes: readonly LinkChange[]): Promise<LinkChange[]> {
  const sources = ofKind(changes, 'SOURCE_PATIENT');
  if (sources.length === 0) return [];
  const { rows } = await db.query<{ id: string; from: string; survivingId: string; evidence: object }>(sql`
    select s.id, s.person_id as from, l.evidence ->> 'survivingId' as "survivingId", l.evidence
    from source_patients s
      cross join lateral (
        select outcome, evidence from person_links p
        where p.subject = 'SOURCE_PATIENT' and p.subject_id = s.id order by p.id desc limit 1) as l
    where s.person_id = any (${sources.map(({ from }) => from)}::bigint[])
      and l.outcome = 'merged' and l.evidence ->> 'survivingId' = any (${sources.map(({ subject }) => subject.id)}::text[])`);
  return rows.map(({ id, from, survivingId, evidence }) => {
    const followed = sources.find(({ subject }) => subject.id === survivingId);
    return { ...mergeOf(id, from, followed?.to ?? from, survivingId), evidence };
  });
}

/**
 * Returns the links of subjects that people joined with one that moved, if nothing else is left of its person. "A is B" makes the two one person:
 * without B, A would be at a person whom no one lists, and pinned there.
 */
async function joinedWith(
  db: Queryable,
  changes: readonly LinkChange[],
  linkIds: ReadonlyMap<string, string>,
): Promise<LinkChange[]> {
  const { rows } = await db.query<JoinedRow>(sql`
    select l.*, bool_and(l."isMerged" or l."isJoined") over (partition by l.from) as "areAll"
    from (
      select 'SOURCE_PATIENT' as kind, id, person_id from source_patients where person_id = any (${changes.map(({ from }) => from)}::bigint[])
      union all
      select 'ROSTER_PATIENT', id, person_id from roster_patients
      where person_id = any (${changes.map(({ from }) => from)}::bigint[]) and content_hash is not null) s
      cross join lateral (
        select s.kind, s.id, s.person_id as from, p.id as "linkId", p.rule_id as "ruleId", p.evidence, p.decided_by as "decidedBy",
          p.outcome = 'merged' as "isMerged", p.outcome = 'decided' and p.previous_person_id is not null as "isJoined"
        from person_links p where p.subject = s.kind and p.subject_id = s.id order by p.id desc limit 1) l`);
  return rows
    .filter(({ areAll, isJoined }) => areAll && isJoined)
    .flatMap((row) => {
      const leader = changes.find(({ from }) => from === row.from);
      return leader ? [followingOf(row, leader.to, linkIds.get(subjectKey(leader.subject)) ?? '')] : [];
    });
}

/** The newest link of a subject that people joined with another. */
export interface JoinedLink extends Subject {
  linkId: string;
  from: string;
  ruleId: string | null;
  evidence: Record<string, unknown>;
  decidedBy: string | null;
}

type JoinedRow = JoinedLink & { isMerged: boolean; isJoined: boolean; areAll: boolean };

/** Returns the link of a joined subject that follows another one. The evidence keeps which link was decided, and which links it followed, oldest first. */
export function followingOf(joined: JoinedLink, to: string, leaderLinkId: string): LinkChange {
  const { kind, id, linkId, from, ruleId, evidence, decidedBy } = joined;
  const moved = { ...evidence, decision: decisionOf(linkId, evidence), follows: [...followed(evidence), leaderLinkId] };
  return { subject: { kind, id }, from, to, outcome: 'decided', ruleId, evidence: moved, decidedBy };
}

/** Returns the link that a person decided, of a decided link that may have followed others since. */
export const decisionOf = (linkId: string, evidence: Record<string, unknown>): string =>
  typeof evidence.decision === 'string' ? evidence.decision : linkId;

/** Returns the links that a decided link followed, oldest first. */
export const followed = (evidence: Record<string, unknown>): string[] =>
  Array.isArray(evidence.follows) ? evidence.follows.map(String) : [];

export const mergeOf = (priorId: string, from: string, to: string, survivingId: string): LinkChange => ({
  subject: { kind: 'SOURCE_PATIENT', id: priorId },
  from,
  to,
  outcome: 'merged',
  ruleId: null,
  evidence: { survivingId },
  decidedBy: null,
});
