/**
 * The only door through which a person id changes. A link row says who, since when and why; `person_id` elsewhere is a copy of the
 * newest link's, kept so that no hot path needs a join.
 */
import type { Queryable } from '#server/platform/database/pool.ts';
import { type Sql, sql } from '#server/platform/database/sql.ts';
import { idsOf, kindsOf, type Link, type LinkOutcome, loadLinks } from './queries.ts';
import { type Subject, subjectKey } from './subjects.ts';

/** A link to write. `from` and `to` are equal where the subject stays, and only the reason is new. */
export interface LinkChange {
  subject: Subject;
  from: string;
  to: string;
  outcome: LinkOutcome;
  ruleId: string | null;
  /** Field levels and such: no demographic value. */
  evidence: object;
  decidedBy: string | null;
}

/** What a link moved. Pings are not retold here (`server/pings` is downstream). */
export interface Relinked {
  linkId: string;
  subject: Subject;
  from: string;
  to: string;
  /** Encounters whose pings must be told again: those that now belong to `to`, and those of which the moved listings were told. */
  encounterIds: string[];
  /** Listings (roster_patients) that now belong to `to`: of the open visits of that person they may not have been told. */
  listingIds: string[];
}

export interface RelinkOptions {
  decidedBy: string | null;
  now: Date;
  outcome: LinkOutcome;
  ruleId: string | null;
  evidence: object;
}

/**
 * Links a subject to a person and rewrites all copies. Answers what moved: the subject, and source patients that were merged into
 * it, each once; nothing where the subject belonged to that person already (the link is written all the same).
 */
export async function relink(
  db: Queryable,
  subject: Subject,
  personId: string,
  options: RelinkOptions,
): Promise<Relinked[]> {
  const { now, ...reason } = options;
  const from = await personOf(db, subject);
  return applyLinks(db, [{ subject, from, to: personId, ...reason }], now);
}

/** The person to whom a subject belongs now; throws where there is no such subject. */
export async function personOf(db: Queryable, { kind, id }: Subject): Promise<string> {
  const { rows } = await db.query<{ person_id: string }>(
    kind === 'SOURCE_PATIENT'
      ? sql`select person_id from source_patients where id = ${id} for update`
      : sql`select person_id from roster_patients where id = ${id} for update`,
  );
  const [row] = rows;
  if (row === undefined) throw new Error(`There is no ${kind} ${id}`);
  return row.person_id;
}

/** Writes links and rewrites the copies, in a handful of statements however many there are. */
export async function applyLinks(db: Queryable, changes: readonly LinkChange[], now: Date): Promise<Relinked[]> {
  if (changes.length === 0) return [];
  const linkIds = await insertLinks(db, changes, now);
  const moved = changes.filter(({ from, to }) => from !== to);
  if (moved.length === 0) return [];
  const encounters = await moveSources(db, moved);
  const listings = await moveListings(db, moved);
  const told = await toldTo(db, listings);
  const relinked = moved.map(({ subject, from, to }) => ({
    linkId: linkIds.get(subjectKey(subject)) ?? '',
    subject,
    from,
    to,
    encounterIds: [
      ...new Set([...(encounters.get(subjectKey(subject)) ?? []), ...(told.get(subjectKey(subject)) ?? [])]),
    ],
    listingIds: listings.get(subjectKey(subject)) ?? [],
  }));
  const followers = await mergedInto(db, moved);
  return [...relinked, ...(await applyLinks(db, followers, now))];
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

/** Source patients with their encounters. */
async function moveSources(db: Queryable, changes: readonly LinkChange[]): Promise<Map<string, string[]>> {
  const moved = new Map<string, string[]>();
  const sources = ofKind(changes, 'SOURCE_PATIENT');
  if (sources.length === 0) return moved;
  await db.query(sql`update source_patients s set person_id = m.person_id from ${table(sources)} where s.id = m.id`);
  const encounters = await db.query<{ subjectId: string; id: string }>(sql`
    update encounters e set person_id = m.person_id from ${table(sources)} where e.source_patient_id = m.id
    returning e.source_patient_id as "subjectId", e.id`);
  collect(moved, 'SOURCE_PATIENT', encounters.rows);
  return moved;
}

/** Listings: those moved for themselves, and those that facilities have from the encounters of moved source patients. */
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

/** The encounters of which listings were told, by the subjects that the listings moved with. */
async function toldTo(db: Queryable, listings: ReadonlyMap<string, string[]>): Promise<Map<string, string[]>> {
  const told = new Map<string, string[]>();
  const listingIds = [...listings.values()].flat();
  if (listingIds.length === 0) return told;
  const { rows } = await db.query<{ listingId: string; id: string }>(sql`
    select distinct roster_patient_id as "listingId", encounter_id as id from pings
    where roster_patient_id = any (${listingIds}::bigint[])`);
  for (const [key, ids] of listings) {
    told.set(
      key,
      rows.filter(({ listingId }) => ids.includes(listingId)).map(({ id }) => id),
    );
  }
  return told;
}

/** Links of the source patients that were merged into those that moved: they go along. */
async function mergedInto(db: Queryable, changes: readonly LinkChange[]): Promise<LinkChange[]> {
  const sources = ofKind(changes, 'SOURCE_PATIENT');
  if (sources.length === 0) return [];
  const { rows } = await db.query<{ id: string; from: string; survivingId: string }>(sql`
    select s.id, s.person_id as from, l.evidence ->> 'survivingId' as "survivingId"
    from source_patients s
      cross join lateral (
        select outcome, evidence from person_links p
        where p.subject = 'SOURCE_PATIENT' and p.subject_id = s.id order by p.id desc limit 1) as l
    where s.person_id = any (${sources.map(({ from }) => from)}::bigint[])
      and l.outcome = 'merged' and l.evidence ->> 'survivingId' = any (${sources.map(({ subject }) => subject.id)}::text[])`);
  return rows.map(({ id, from, survivingId }) => {
    const followed = sources.find(({ subject }) => subject.id === survivingId);
    return mergeOf(id, from, followed?.to ?? from, survivingId);
  });
}

const mergeOf = (priorId: string, from: string, to: string, survivingId: string): LinkChange => ({
  subject: { kind: 'SOURCE_PATIENT', id: priorId },
  from,
  to,
  outcome: 'merged',
  ruleId: null,
  evidence: { survivingId },
  decidedBy: null,
});

/**
 * A facility merged two of its records (A40, MRG-1 into PID-3): whoever the surviving one is, the prior one is too, from now on.
 * Saying it twice changes nothing.
 */
export async function mergeSourcePatients(
  db: Queryable,
  priorId: string,
  survivingId: string,
  { now }: { now: Date },
): Promise<Relinked[]> {
  const prior: Subject = { kind: 'SOURCE_PATIENT', id: priorId };
  const to = await personOf(db, { kind: 'SOURCE_PATIENT', id: survivingId });
  const from = await personOf(db, prior);
  const newest = (await loadLinks(db, [prior])).get(subjectKey(prior));
  if (from === to && newest?.outcome === 'merged' && newest.evidence.survivingId === survivingId) return [];
  return applyLinks(db, [mergeOf(priorId, from, to, survivingId)], now);
}

/**
 * Of these source patients, none of which is merged into another one, those that had been (until the facility merged the other way
 * round, or the merge was taken out by a replay): the merge holds them no longer. They are to be identified anew.
 */
export async function releaseMerged(db: Queryable, ids: readonly string[], { now }: { now: Date }): Promise<Subject[]> {
  const subjects = ids.map((id): Subject => ({ kind: 'SOURCE_PATIENT', id }));
  const links = await loadLinks(db, subjects);
  const held = [...links.values()].filter(({ outcome }) => outcome === 'merged');
  const changes = held.map(({ id, subject, personId, ruleId }): LinkChange => {
    const evidence = { undone: id, was: 'a merge that the facility took back' };
    return { subject, from: personId, to: personId, outcome: 'undone', ruleId, evidence, decidedBy: null };
  });
  await applyLinks(db, changes, now);
  return held.map(({ subject }) => subject);
}

/** Thrown where a newer link than the one to be undone is in force. */
export class LinkSupersededError extends Error {
  override name = 'LinkSupersededError';
}

/** Takes a link back, which must be the one in force: the subject and all that it moved belong to the person before again. */
export async function undo(
  db: Queryable,
  linkId: string,
  { decidedBy, now }: { decidedBy: string | null; now: Date },
): Promise<Relinked[]> {
  const { rows } = await db.query<Subject>(
    sql`select subject as kind, subject_id as id from person_links where id = ${linkId}`,
  );
  const [subject] = rows;
  const link: Link | undefined = subject && (await loadLinks(db, [subject])).get(subjectKey(subject));
  if (subject === undefined || link?.id !== linkId) throw new LinkSupersededError('A newer link is in force');
  return relink(db, subject, link.previousPersonId ?? link.personId, {
    decidedBy,
    now,
    outcome: 'undone',
    ruleId: link.ruleId,
    evidence: { undone: link.id, was: link.outcome },
  });
}

/**
 * Whether a link stands whatever the demographics say: a person decided it, the facility merged it, or a person took back what the
 * matcher had done by itself.
 */
export function isPinned(link: Link | undefined): boolean {
  if (link === undefined) return false;
  if (link.outcome === 'undone') return link.evidence.was === 'matched' || link.evidence.was === 'merged';
  return link.outcome === 'decided' || link.outcome === 'merged';
}
