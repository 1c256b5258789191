/** What a seal is computed from. Columns that later migrations add do not enter it, so that older seals stay valid. */
import { hash } from 'node:crypto';
import { type Sql, sql } from '#server/platform/database/sql.ts';

/** The columns of an entry as texts; null stays null. */
export type EntryCells = readonly (string | null)[];

/** SQL: an entry's cells. Independent of the connection's settings. */
export const ENTRY_CELLS: Sql = sql`array[
  id::text, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), user_id::text, team_id::text, action, subject,
  subject_id::text, request_id, address, route, status::text, patient_ids::text, detail::text]`;

export interface SealedBatch {
  id: string;
  firstId: string;
  lastId: string;
  entries: number;
  /** Times of the oldest and newest entry, with microseconds. */
  oldestAt: string;
  newestAt: string;
  sealedAt: string;
  /** In hexadecimal. */
  digest: string;
  /** SHA-256 of the key of the hashes, in hexadecimal; null in seals from before it was named, or if the key is missing. */
  keyHash: string | null;
}

/** Returns the SHA-256 of entries, or of other rows, in hexadecimal. */
export const digestOf = (entries: readonly EntryCells[]): string =>
  hash('sha256', entries.map((cells) => `${JSON.stringify(cells)}\n`).join(''));

/** Returns the hash of a seal, in hexadecimal, which depends on all seals before it. */
export const sealHash = (previous: string, batch: SealedBatch): string => {
  const { id, firstId, lastId, entries, oldestAt, newestAt, sealedAt, digest, keyHash } = batch;
  const sealed = [previous, id, firstId, lastId, entries, oldestAt, newestAt, sealedAt, digest];
  return hash('sha256', JSON.stringify(keyHash === null ? sealed : [...sealed, keyHash]));
};
