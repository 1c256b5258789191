/**
 * Groups facts into dossiers. A dossier contains the source patients of a facility that merges and moves connect, and
 * those at other facilities of the same feed that have the same stay, or the same record number of one authority. Its facts are folded
 * together. A dossier only grows, so the order of arrival of messages doesn't matter.
 */

import type { AdtFacts } from '#server/intake/hl7/adt-facts.ts';
import type { Transaction } from '#server/platform/database/pool.ts';
import { isHolderOf } from '#server/record/fold/record-holders.ts';
import { recordNumbersOf } from '#server/record/fold/visit-identifiers.ts';
import { keysElsewhereOf } from './shared-marks.ts';

/** A fact that is not stored yet. */
export interface NewFact {
  messageId: string;
  receivedAt: string;
  /** Its position among the facts of its message, from 0. */
  ordinal: number;
  /** The facility that it is from. */
  groupId: string;
  adt: AdtFacts;
  manualCode?: string;
  /** From a historical feed: it sends no pings. */
  isBackfill: boolean;
  /** The feed's id if it sends for several facilities, which may share patients; else null. */
  sharedFeedId: string | null;
}

/** A fact of a known source patient. `encounterId`: of the fact that it replaces. */
export interface PlacedFact extends NewFact {
  sourcePatientId: string;
  encounterId: string | null;
}

interface SourcePatientRow {
  id: string;
  groupId: string;
  recordNumber: string;
  dossierId: string;
}

/** Returns a map key for a source patient. */
export const ownerKey = (groupId: string, recordNumber: string): string => `${groupId}\u0000${recordNumber}`;

/** Dossiers to fold, which stay locked until the end of the transaction, and the facts that are new in them. */
export interface Unsettled {
  dossierIds: string[];
  /** Not stored yet: `refold` writes them once, with what became of them. */
  added: PlacedFact[];
}

/**
 * Finds the dossiers of facts: stores the source patients that they name, joins and locks the dossiers that they connect. In a replay the
 * facts replace all earlier facts of `messageIds`, which also contains messages that no longer give any facts.
 */
export async function placeFacts(
  tx: Transaction,
  facts: NewFact[],
  messageIds: readonly string[],
  now: Date,
): Promise<Unsettled> {
  const replaced = await removeFacts(tx, messageIds);
  const named = facts.map((fact) => recordNumbersOf(fact).map((number) => ownerKey(fact.groupId, number)));
  const keysElsewhere = await keysElsewhereOf(tx, facts);
  await ensureSourcePatients(tx, [...new Set(named.flat())], now);
  const connected = named.map((keys, index) => [
    ...keys,
    ...(keysElsewhere[index] ?? []).map(({ groupId, recordNumber }) => ownerKey(groupId, recordNumber)),
  ]);
  const patients = await lockDossiers(
    tx,
    [...new Set(connected.flat())],
    replaced.map(({ sourcePatientId }) => sourcePatientId),
  );
  await joinDossiers(tx, connected, patients);
  return {
    dossierIds: [...new Set([...patients.values()].map((patient) => patient.dossierId))],
    added: placed(facts, patients, replaced),
  };
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

/** Each new source patient gets a person of its own until matching links it to another. */
const ENSURE = `
with named as (
  select n.group_id, n.record_number from unnest($1::bigint[], $2::text[]) as n (group_id, record_number)
  where not exists (select from source_patients s where s.group_id = n.group_id and s.record_number = n.record_number)
), numbered as (
  select group_id, record_number, row_number() over (order by group_id, record_number) as n from named
), person as (
  insert into persons (created_at) select $3 from named returning id
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

/**
 * Adds source patients to locked dossiers: those found when a record number turned out to belong to several patients, or to be merged at
 * another facility. One that exists in another dossier brings that along.
 */
export async function addToDossiers(
  tx: Transaction,
  added: readonly { key: string; dossierId: string }[],
  now: Date,
): Promise<void> {
  const keys = added.map(({ key }) => key);
  await ensureSourcePatients(tx, keys, now);
  const patients = await lockDossiers(tx, keys, []);
  for (const { key, dossierId: into } of added) {
    const from = patients.get(key)?.dossierId;
    if (from === undefined || from === into) continue;
    for (const patient of patients.values()) if (patient.dossierId === from) patient.dossierId = into;
    await tx.query(JOIN, [from, into]);
  }
}

const JOIN = 'update source_patients set dossier_id = $2 where dossier_id = $1';

const MEMBERS = `
with asked as (
  select dossier_id from source_patients s
  join unnest($1::bigint[], $2::text[]) as n (group_id, record_number) using (group_id, record_number)
  union
  select dossier_id from source_patients where id = any($3::bigint[])
)
select id, group_id as "groupId", record_number as "recordNumber", dossier_id as "dossierId"
from source_patients where dossier_id in (select dossier_id from asked) order by id`;
const LOCK = `${MEMBERS} for update`;

/**
 * Locks whole dossiers in the order of ids. A source patient that another transaction moved while this one waited is left out by
 * PostgreSQL, because it does not look for its new dossier. So the members are read again, and locked again unless all were locked.
 */
async function lockDossiers(tx: Transaction, keys: string[], ids: string[]): Promise<Map<string, SourcePatientRow>> {
  const pairs = keys.map((key) => key.split('\u0000') as [string, string]);
  const values = [pairs.map(([group]) => group), pairs.map(([, number]) => number), ids];
  for (;;) {
    const locked = new Set((await tx.query<SourcePatientRow>(LOCK, values)).rows.map(({ id }) => id));
    const { rows } = await tx.query<SourcePatientRow>(MEMBERS, values);
    if (rows.every(({ id }) => locked.has(id))) {
      return new Map(rows.map((row) => [ownerKey(row.groupId, row.recordNumber), row]));
    }
  }
}

/** Locks the dossiers of source patients until the end of the transaction, and returns their ids. */
export async function lockDossiersOf(tx: Transaction, sourcePatientIds: string[]): Promise<string[]> {
  const patients = await lockDossiers(tx, [], sourcePatientIds);
  return [...new Set([...patients.values()].map(({ dossierId }) => dossierId))];
}

/** Joins the dossiers that a fact connects, under the smallest id. Updates `patients` as well. */
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
    await tx.query(JOIN, [from, into]);
  }
}

/**
 * Returns the facts with their source patients. A fact that replaces another one keeps its encounter id, by which the visit is found again,
 * unless the facility changed. It also keeps the holder of its record number.
 */
function placed(
  facts: readonly NewFact[],
  patients: ReadonlyMap<string, SourcePatientRow>,
  replaced: readonly ReplacedFact[],
): PlacedFact[] {
  const positionOf = (messageId: string, ordinal: number, groupId: string) => `${messageId}/${ordinal}/${groupId}`;
  const before = new Map(replaced.map((r) => [positionOf(r.messageId, r.ordinal, r.groupId), r]));
  const nameOf = new Map([...patients.values()].map(({ id, recordNumber }) => [id, recordNumber]));
  return facts.map((fact) => {
    const recordNumber = fact.adt.patient.recordNumber.trim();
    const earlier = before.get(positionOf(fact.messageId, fact.ordinal, fact.groupId));
    const name = earlier && nameOf.get(earlier.sourcePatientId);
    const isHolder = name !== undefined && isHolderOf(name, recordNumber);
    const owner = isHolder ? earlier?.sourcePatientId : patients.get(ownerKey(fact.groupId, recordNumber))?.id;
    if (owner === undefined) throw new Error('A fact names a source patient that was not stored');
    return { ...fact, sourcePatientId: owner, encounterId: earlier?.encounterId ?? null };
  });
}
