/**
 * Facts in the database. A dossier holds the source patients of one facility that merges and moves connect, and those of facilities of
 * one feed that a stay connects which goes on from the one to the other; its facts are folded together. A dossier only grows, so that the order in which messages come does not matter.
 */

import type { AdtFacts } from '#server/intake/hl7/adt-facts.ts';
import type { Transaction } from '#server/platform/database/pool.ts';
import { marksOf } from '#server/record/fold/same-stay.ts';
import { recordNumbersOf } from '#server/record/fold/visit-identifiers.ts';

/** A fact that is not stored yet. */
export interface NewFact {
  messageId: string;
  receivedAt: string;
  /** Its place among the facts of its message, from 0. */
  ordinal: number;
  /** The facility that it comes from. */
  groupId: string;
  adt: AdtFacts;
  manualCode?: string;
  /** History that is loaded: it tells nobody. */
  isBackfill: boolean;
  /** The feed, where it sends for several facilities: a stay may go on from the one to the other. */
  sharedFeedId: string | null;
}

interface SourcePatientRow {
  id: string;
  groupId: string;
  recordNumber: string;
  dossierId: string;
}

/** One text for a source patient, to be a key of maps. */
export const ownerKey = (groupId: string, recordNumber: string): string => `${groupId}\u0000${recordNumber}`;

/**
 * Stores facts, with the source patients that they name, and joins the dossiers that they connect. What `messageIds` (those of the
 * facts, and of messages that give none any more) gave before, in a replay, is replaced. Answers with the ids of the dossiers to
 * fold again, which stay locked until the end of the transaction.
 */
export async function storeFacts(
  tx: Transaction,
  facts: NewFact[],
  messageIds: readonly string[],
  now: Date,
): Promise<string[]> {
  const replaced = await removeFacts(tx, messageIds);
  const named = facts.map((fact) =>
    recordNumbersOf({ id: '0', adt: fact.adt }).map((number) => ownerKey(fact.groupId, number)),
  );
  await ensureSourcePatients(tx, [...new Set(named.flat())], now);
  const ofSameStay = await keysOfSameStay(tx, facts);
  const connected = named.map((keys, index) => [...keys, ...(ofSameStay[index] ?? [])]);
  const patients = await lockDossiers(
    tx,
    [...new Set(connected.flat())],
    replaced.map(({ sourcePatientId }) => sourcePatientId),
  );
  await joinDossiers(tx, connected, patients);
  await insertFacts(tx, facts, patients, replaced);
  return [...new Set([...patients.values()].map((patient) => patient.dossierId))];
}

interface ReplacedFact {
  sourcePatientId: string;
  groupId: string;
  messageId: string;
  ordinal: number;
  encounterId: string | null;
}

async function removeFacts(tx: Transaction, messageIds: readonly string[]): Promise<ReplacedFact[]> {
  const { rows } = await tx.query<ReplacedFact>(
    `delete from facts f using source_patients s where f.message_id = any($1::bigint[]) and s.id = f.source_patient_id
     returning f.source_patient_id as "sourcePatientId", s.group_id as "groupId", f.message_id as "messageId", f.ordinal,
       f.encounter_id as "encounterId"`,
    [messageIds],
  );
  return rows;
}

/** Each new source patient stands on a person of its own until matching says otherwise. */
const ENSURE = `
with named as (
  select n.group_id, n.record_number from unnest($1::bigint[], $2::text[]) as n (group_id, record_number)
  where not exists (select from source_patients s where s.group_id = n.group_id and s.record_number = n.record_number)
), numbered as (
  select group_id, record_number, row_number() over (order by group_id, record_number) as n from named
), person as (
  insert into persons (is_provisional, created_at) select true, $3 from named returning id
), numbered_person as (
  select id, row_number() over (order by id) as n from person
), identity as (
  select numbered.*, numbered_person.id as person_id, nextval('source_patients_id_seq') as id from numbered join numbered_person using (n)
)
insert into source_patients (id, group_id, record_number, dossier_id, person_id, demographics, created_at)
overriding system value
select id, group_id, record_number, id, person_id, '{}', $3 from identity order by group_id, record_number
on conflict do nothing`;

async function ensureSourcePatients(tx: Transaction, keys: string[], now: Date): Promise<void> {
  const pairs = keys.map((key) => key.split('\u0000') as [string, string]);
  await tx.query(ENSURE, [pairs.map(([group]) => group), pairs.map(([, number]) => number), now.toISOString()]);
}

/** Puts source patients into dossiers that are locked: those that a record number turned out to be of, beside the one that it names. */
export async function addToDossiers(
  tx: Transaction,
  added: readonly { key: string; dossierId: string }[],
  now: Date,
): Promise<void> {
  const keys = added.map(({ key }) => key);
  await ensureSourcePatients(tx, keys, now);
  const pairs = keys.map((key) => key.split('\u0000') as [string, string]);
  await tx.query(
    `update source_patients s set dossier_id = a.dossier_id
     from unnest($1::bigint[], $2::text[], $3::bigint[]) as a (group_id, record_number, dossier_id)
     where s.group_id = a.group_id and s.record_number = a.record_number`,
    [pairs.map(([group]) => group), pairs.map(([, number]) => number), added.map(({ dossierId }) => dossierId)],
  );
}

const REGISTER_STAYS = `
insert into shared_stays (feed_id, mark, group_id, record_number)
select distinct on (feed_id, mark) feed_id, mark, group_id, record_number
from unnest($1::bigint[], $2::text[], $3::bigint[], $4::text[]) as s (feed_id, mark, group_id, record_number)
order by feed_id, mark on conflict do nothing`;

const KNOWN_STAYS = `
select feed_id as "feedId", mark, group_id as "groupId", record_number as "recordNumber"
from shared_stays join unnest($1::bigint[], $2::text[]) as s (feed_id, mark) using (feed_id, mark)`;

interface SharedStay {
  feedId: string;
  mark: string;
  groupId: string;
  recordNumber: string;
}

/**
 * For each fact the source patients at the facilities of its feed under whom the same stay was first heard of (`same-stay.ts`). Whoever comes first
 * registers the stay, which makes another transaction with the same one wait: one of two always knows of the other.
 */
async function keysOfSameStay(tx: Transaction, facts: readonly NewFact[]): Promise<string[][]> {
  const stays = facts.flatMap(({ sharedFeedId: feedId, groupId, adt }, index) =>
    feedId === null
      ? []
      : marksOf(adt).map((mark) => ({ index, feedId, mark, groupId, recordNumber: adt.patient.recordNumber.trim() })),
  );
  const keys: string[][] = facts.map(() => []);
  if (stays.length === 0) return keys;
  const feedIds = stays.map(({ feedId }) => feedId);
  const marks = stays.map(({ mark }) => mark);
  const owners = [stays.map(({ groupId }) => groupId), stays.map(({ recordNumber }) => recordNumber)];
  await tx.query(REGISTER_STAYS, [feedIds, marks, ...owners]);
  const { rows } = await tx.query<SharedStay>(KNOWN_STAYS, [feedIds, marks]);
  const known = new Map(rows.map((stay) => [`${stay.feedId}/${stay.mark}`, stay]));
  for (const { index, feedId, mark } of stays) {
    const first = known.get(`${feedId}/${mark}`);
    if (first) keys[index]?.push(ownerKey(first.groupId, first.recordNumber));
  }
  return keys;
}

const LOCK = `
with asked as (
  select dossier_id from source_patients s
  join unnest($1::bigint[], $2::text[]) as n (group_id, record_number) using (group_id, record_number)
  union
  select dossier_id from source_patients where id = any($3::bigint[])
)
select id, group_id as "groupId", record_number as "recordNumber", dossier_id as "dossierId"
from source_patients where dossier_id in (select dossier_id from asked)
order by id for update`;

/** Locks whole dossiers, in the order of ids; asks again where another transaction has joined one of them meanwhile. */
async function lockDossiers(tx: Transaction, keys: string[], ids: string[]): Promise<Map<string, SourcePatientRow>> {
  const pairs = keys.map((key) => key.split('\u0000') as [string, string]);
  const values = [pairs.map(([group]) => group), pairs.map(([, number]) => number), ids];
  let before = '';
  for (;;) {
    const { rows } = await tx.query<SourcePatientRow>(LOCK, values);
    const seen = rows.map((row) => `${row.id}:${row.dossierId}`).join();
    if (seen === before) return new Map(rows.map((row) => [ownerKey(row.groupId, row.recordNumber), row]));
    before = seen;
  }
}

/** Joins the dossiers that one fact connects, under the smallest id. Changes the rows given too. */
async function joinDossiers(
  tx: Transaction,
  named: string[][],
  patients: Map<string, SourcePatientRow>,
): Promise<void> {
  const joins: [from: string, into: string][] = [];
  for (const keys of named) {
    const ids = new Set(keys.flatMap((key) => patients.get(key)?.dossierId ?? []));
    if (ids.size < 2) continue;
    const into = [...ids].reduce((a, b) => (BigInt(a) < BigInt(b) ? a : b));
    for (const patient of patients.values()) if (ids.has(patient.dossierId)) patient.dossierId = into;
    for (const from of ids) if (from !== into) joins.push([from, into]);
  }
  for (const [from, into] of joins) {
    await tx.query('update source_patients set dossier_id = $2 where dossier_id = $1', [from, into]);
  }
}

const INSERT_FACTS = `
insert into facts (source_patient_id, message_id, ordinal, adt, manual_code, received_at, is_backfill, encounter_id)
select * from unnest($1::bigint[], $2::bigint[], $3::int[], $4::jsonb[], $5::text[], $6::timestamptz[], $7::boolean[], $8::bigint[])`;

/** A fact that takes another one's place keeps its encounter, by which its visit is found again, unless the facility is another one. */
async function insertFacts(
  tx: Transaction,
  facts: NewFact[],
  patients: Map<string, SourcePatientRow>,
  replaced: ReplacedFact[],
): Promise<void> {
  const owner = (fact: NewFact) => patients.get(ownerKey(fact.groupId, fact.adt.patient.recordNumber))?.id;
  const placeOf = (messageId: string, ordinal: number, groupId: string) => `${messageId}/${ordinal}/${groupId}`;
  const encounterAt = new Map(replaced.map((r) => [placeOf(r.messageId, r.ordinal, r.groupId), r.encounterId]));
  await tx.query(INSERT_FACTS, [
    facts.map(owner),
    facts.map((fact) => fact.messageId),
    facts.map((fact) => fact.ordinal),
    facts.map((fact) => JSON.stringify(fact.adt)),
    facts.map((fact) => fact.manualCode ?? null),
    facts.map((fact) => fact.receivedAt),
    facts.map((fact) => fact.isBackfill),
    facts.map(({ messageId, ordinal, groupId }) => encounterAt.get(placeOf(messageId, ordinal, groupId)) ?? null),
  ]);
}
