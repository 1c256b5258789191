/**
 * Seals the audit log: a job hashes the entries since the last seal and chains the hash to the one before, so that an entry that is changed,
 * removed or slipped in later is found (`verify-seals.ts`).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { digestOf, ENTRY_CELLS, type EntryCells, sealHash } from './seal-chain.ts';

const MOST_ENTRIES = 10_000;
const LOOKS = 5;
const BETWEEN_LOOKS = 200;

/** Seals the entries that no transaction can still precede, and returns how many. Runs every few minutes. */
export async function sealEntries(database: Database, now: Date): Promise<number> {
  const last = await lastSettledId(database);
  if (last === null) return 0;
  let sealed = 0;
  for (;;) {
    const entries = await database.transaction((tx) => sealBatch(tx, last, now));
    if (entries === 0) return sealed;
    sealed += entries;
  }
}

/**
 * Returns the newest entry's id once every transaction that may hold an earlier one has ended; null while one has not. Ids are taken
 * before commit, so an entry may appear after entries with higher ids. Whoever takes an id has locked the table first.
 */
async function lastSettledId(db: Queryable): Promise<string | null> {
  const { rows } = await db.query<{ last: string | null }>('select max(id) as last from audit_entries');
  const last = rows[0]?.last ?? null;
  if (last === null) return null;
  let writing = await writers(db);
  for (let look = 1; writing.length > 0 && look < LOOKS; look++) {
    await sleep(BETWEEN_LOOKS);
    const still = new Set(await writers(db));
    writing = writing.filter((transaction) => still.has(transaction));
  }
  return writing.length === 0 ? last : null;
}

/** Returns the transactions that have written to the table, or are about to. */
async function writers(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ transaction: string }>(`
    select distinct virtualtransaction as transaction from pg_locks
    where relation = 'audit_entries'::regclass and mode = 'RowExclusiveLock' and granted
      and database = (select oid from pg_database where datname = current_database())`);
  return rows.map(({ transaction }) => transaction);
}

async function sealBatch(tx: Queryable, last: string, now: Date): Promise<number> {
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended('tidings audit seals', 0))`);
  const { rows: seals } = await tx.query<{ id: string; lastId: string; hash: string }>(sql`
    select id, last_id as "lastId", encode(hash, 'hex') as hash from audit_seals order by id desc limit 1`);
  const previous = seals[0] ?? { id: '0', lastId: '0', hash: '' };
  const { rows } = await tx.query<{ id: string; cells: EntryCells }>(sql`
    select id, ${ENTRY_CELLS} as cells from audit_entries where id > ${previous.lastId} and id <= ${last} order by id limit ${MOST_ENTRIES}`);
  const newest = rows.at(-1);
  if (newest === undefined) return 0;
  const { rows: keys } = await tx.query<{ keyHash: string | null }>(
    `select encode(audit_key_hash(), 'hex') as "keyHash"`,
  );
  const times = rows.map(({ cells }) => cells[1] ?? '').toSorted();
  const batch = {
    id: String(BigInt(previous.id) + 1n),
    firstId: String(BigInt(previous.lastId) + 1n),
    lastId: newest.id,
    entries: rows.length,
    oldestAt: times[0] ?? '',
    newestAt: times.at(-1) ?? '',
    sealedAt: now.toISOString(),
    digest: digestOf(rows.map(({ cells }) => cells)),
    keyHash: keys[0]?.keyHash ?? null,
  };
  await tx.query(sql`
    insert into audit_seals (id, first_id, last_id, entries, oldest_at, newest_at, sealed_at, digest, key_hash, hash)
    values (${batch.id}, ${batch.firstId}, ${batch.lastId}, ${batch.entries}, ${batch.oldestAt}, ${batch.newestAt}, ${batch.sealedAt},
      ${Buffer.from(batch.digest, 'hex')}, ${batch.keyHash && Buffer.from(batch.keyHash, 'hex')}, ${Buffer.from(sealHash(previous.hash, batch), 'hex')})`);
  return rows.length;
}
