/** What the installation's own lists are like, frozen under a number (`list_snapshots`, docs/matching.md). */
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import type { ListSnapshot } from '#server/record/scoring/common-values.ts';
import { versionOf } from '#server/record/scoring/decide.ts';

/** The snapshot read last. `createdAt` tells apart the snapshots of two databases. */
let latest: { createdAt: string; snapshot: ListSnapshot } | null = null;

/** Returns the newest snapshot, or null if there is none. Its names are read once per process. */
export async function newestSnapshot(db: Queryable): Promise<ListSnapshot | null> {
  const { rows } = await db.query<{ number: number; createdAt: string }>(
    'select number, created_at::text as "createdAt" from list_snapshots order by number desc limit 1',
  );
  const [newest] = rows;
  if (newest === undefined) return null;
  if (latest?.snapshot.number !== newest.number || latest.createdAt !== newest.createdAt)
    latest = { createdAt: newest.createdAt, snapshot: await loadNames(db, newest.number) };
  return latest.snapshot;
}

/** Returns the version that the matcher stores with what it decides now. */
export const currentVersion = async (db: Queryable): Promise<string> => versionOf(await newestSnapshot(db));

async function loadNames(db: Queryable, number: number): Promise<ListSnapshot> {
  const { rows } = await db.query<{
    given: Record<string, number>;
    family: Record<string, number>;
    housemates: number;
    persons: number;
  }>(sql`
    select given_names as given, family_names as family, housemates, persons from list_snapshots where number = ${number}`);
  const [row] = rows;
  if (row === undefined) throw new Error(`Snapshot ${number} is gone`);
  return { ...row, number, given: new Map(Object.entries(row.given)), family: new Map(Object.entries(row.family)) };
}
