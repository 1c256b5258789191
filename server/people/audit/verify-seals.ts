/** Recomputes the seals of the audit log. */
import { HOUR } from '#contract/durations.ts';
import type { Database, Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { verifyOpenings } from './openings.ts';
import { digestOf, ENTRY_CELLS, type EntryCells, type SealedBatch, sealHash } from './seal-chain.ts';

export interface Verification {
  seals: number;
  /** Entries in batches that are unchanged. */
  entries: number;
  /** Batches whose entries were dropped with a month past its retention. Their seals are still verified. */
  droppedBatches: number;
  /** Entries that no seal covers yet. */
  unsealed: number;
  newest: { id: string; hash: string; sealedAt: string } | null;
  /** What is wrong, a sentence each. */
  problems: string[];
  /** What has a harmless explanation, and a worse one. */
  notes: string[];
}

/** A seal as it was noted elsewhere. */
export interface KnownSeal {
  id: string;
  hash: string;
}

type StoredSeal = SealedBatch & { hash: string };

/** 45 CFR 164.316(b)(2)(i): entries are kept for six years. */
const KEPT_YEARS = 6;
const SEALS_AT_ONCE = 1000;
/** The job runs every five minutes, and leaves entries to its next run while a transaction may still precede them. */
const SEALED_WITHIN = 15 * 60_000;

/** Verifies every seal, every sealed entry, the openings that entries name and the key that seals name, in one read-only snapshot, and that a seal noted elsewhere is still the same. */
export function verifySeals(database: Database, now: Date, known?: KnownSeal): Promise<Verification> {
  return database.transaction((tx) => verify(tx, now, known), { isolation: 'repeatable read', readOnly: true });
}

async function verify(db: Queryable, now: Date, known: KnownSeal | undefined): Promise<Verification> {
  const result: Verification = {
    seals: 0,
    entries: 0,
    droppedBatches: 0,
    unsealed: 0,
    newest: null,
    problems: [],
    notes: [],
  };
  const retention = { from: retentionStart(now), partitionsFrom: await oldestPartition(db) };
  let before = { id: '0', lastId: '0', hash: '' };
  let isKnown = known === undefined;
  for (;;) {
    const seals = await readSeals(db, before.id);
    for (const seal of seals) {
      result.problems.push(...wrongSeal(seal, before));
      await verifyEntries(db, seal, retention, result);
      result.notes.push(...lateSeal(seal));
      if (known?.id === seal.id) {
        isKnown = true;
        if (known.hash !== seal.hash) result.problems.push(`Seal ${seal.id} is not the one that was noted elsewhere.`);
      }
      result.seals++;
      result.newest = { id: seal.id, hash: seal.hash, sealedAt: seal.sealedAt };
      before = seal;
    }
    if (seals.length < SEALS_AT_ONCE) break;
  }
  if (!isKnown) result.problems.push(`Seal ${known?.id} is missing.`);
  const { earlier, later, overdue, oldest } = await countOutside(db, before.lastId, now);
  if (earlier > 0) result.problems.push(`${earlier} entries have an id below those of the first seal.`);
  if (overdue > 0) result.problems.push(overdueEntries(overdue, oldest));
  result.problems.push(...(await verifyOpenings(db)));
  const replaced = await replacedKey(db);
  if (replaced !== null) result.problems.push(replaced);
  return { ...result, unsealed: later };
}

/** Returns what is wrong with the key of the hashes, by the newest seal that names another one; null if it is the one of all seals. */
export async function replacedKey(db: Queryable): Promise<string | null> {
  const { rows } = await db.query<{ id: string; at: string }>(sql`
    select id, to_char(sealed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI') as at
    from audit_seals where key_hash <> coalesce(audit_key_hash(), '') order by id desc limit 1`);
  const [seal] = rows;
  if (seal === undefined) return null;
  return `The key of the hashes is not the one that seal ${seal.id} names, made ${seal.at}. Searches from before can no longer be found.`;
}

const overdueEntries = (count: number, oldest: string): string =>
  `${count} entries from ${oldest.slice(0, 16)} on are not sealed, although entries are sealed every five minutes. If Tidings was not running, or has just started, run this again after it has run for five minutes. If not, seals were removed.`;

function lateSeal({ id, oldestAt, sealedAt }: StoredSeal): string[] {
  const late = Date.parse(sealedAt) - Date.parse(oldestAt);
  if (late <= SEALED_WITHIN) return [];
  const time = late < HOUR ? `${Math.round(late / 60_000)} minutes` : `${Math.round(late / HOUR)} hours`;
  return [
    `Seal ${id} was made ${time} after its oldest entry, ${oldestAt.slice(0, 16)}. Tidings was not running, or seals were removed and made again: compare with the seal that you keep elsewhere.`,
  ];
}

function wrongSeal(seal: StoredSeal, before: { id: string; lastId: string; hash: string }): string[] {
  const follows = BigInt(seal.id) === BigInt(before.id) + 1n && BigInt(seal.firstId) === BigInt(before.lastId) + 1n;
  if (!follows) return [`The seals between ${before.id} and ${seal.id} are missing.`];
  return sealHash(before.hash, seal) === seal.hash ? [] : [`Seal ${seal.id} itself was changed, or one before it.`];
}

async function verifyEntries(
  db: Queryable,
  seal: StoredSeal,
  retention: { from: string; partitionsFrom: string },
  result: Verification,
): Promise<void> {
  const { rows } = await db.query<{ cells: EntryCells }>(sql`
    select ${ENTRY_CELLS} as cells from audit_entries where id >= ${seal.firstId} and id <= ${seal.lastId} order by id`);
  if (digestOf(rows.map(({ cells }) => cells)) === seal.digest) result.entries += rows.length;
  else if (seal.oldestAt < retention.from && seal.oldestAt < retention.partitionsFrom) result.droppedBatches++;
  else {
    const range = `entries ${seal.firstId} to ${seal.lastId}, ${seal.oldestAt.slice(0, 16)} to ${seal.newestAt.slice(0, 16)} UTC`;
    const found =
      rows.length === seal.entries ? 'their contents were changed' : `there were ${seal.entries}, now ${rows.length}`;
    result.problems.push(`Batch ${seal.id} (${range}) was changed: ${found}.`);
  }
}

async function readSeals(db: Queryable, after: string): Promise<StoredSeal[]> {
  const { rows } = await db.query<StoredSeal>(sql`
    select id, first_id as "firstId", last_id as "lastId", entries, encode(digest, 'hex') as digest, encode(key_hash, 'hex') as "keyHash", encode(hash, 'hex') as hash,
      to_char(oldest_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "oldestAt",
      to_char(newest_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "newestAt",
      to_char(sealed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "sealedAt"
    from audit_seals where id > ${after} order by id limit ${SEALS_AT_ONCE}`);
  return rows;
}

/** Returns the first day that has a partition. */
async function oldestPartition(db: Queryable): Promise<string> {
  const { rows } = await db.query<{ day: string | null }>(`
    select min(replace(right(c.relname, 7), '_', '-') || '-01') as day
    from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'audit_entries'::regclass`);
  return rows[0]?.day ?? '';
}

const retentionStart = (now: Date): string =>
  new Date(Date.UTC(now.getUTCFullYear() - KEPT_YEARS, now.getUTCMonth(), now.getUTCDate())).toISOString();

interface Outside {
  earlier: number;
  later: number;
  /** Those of the later ones that should have been sealed by now, and the time of the oldest. */
  overdue: number;
  oldest: string;
}

async function countOutside(db: Queryable, lastId: string, now: Date): Promise<Outside> {
  const due = new Date(now.getTime() - SEALED_WITHIN);
  const { rows } = await db.query<Outside>(sql`
    select count(*) filter (where id < 1)::int as earlier, count(*) filter (where id > ${lastId})::int as later,
      count(*) filter (where id > ${lastId} and at < ${due})::int as overdue,
      to_char(min(at) filter (where id > ${lastId}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI') as oldest
    from audit_entries where id < 1 or id > ${lastId}`);
  return rows[0] ?? { earlier: 0, later: 0, overdue: 0, oldest: '' };
}
