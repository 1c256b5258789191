/**
 * Keeps one group's large file from holding up another's small one (docs/decisions/0112): of the large uploads of a thread one works at a time, and
 * only for a while, so that other jobs always find a free place.
 */
import type { Database } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { type ProcessDeps, processUpload } from './process.ts';

/** An upload with more rows is large: it may take minutes. */
const LARGE = 5000;
/** Milliseconds after which a large upload lets another go first, once its step has ended. */
const LONGEST_TURN = 20_000;
/** Milliseconds after which a large upload asks again for its turn. */
const ASK_AGAIN = 2000;

export class LargeTurns {
  #isTaken = false;

  /** Works on an upload. Returns null once that is over or waits for someone, else when the upload should be worked on again. */
  async work(db: Database, uploadId: string, deps: ProcessDeps, longest = LONGEST_TURN): Promise<Date | null> {
    if (!(await isLarge(db, uploadId))) {
      await processUpload(db, uploadId, deps);
      return null;
    }
    if (this.#isTaken) return new Date(deps.clock().getTime() + ASK_AGAIN);
    this.#isTaken = true;
    try {
      const goesOn = await processUpload(db, uploadId, { ...deps, turn: AbortSignal.timeout(longest) });
      return goesOn ? deps.clock() : null;
    } finally {
      this.#isTaken = false;
    }
  }
}

async function isLarge(db: Database, uploadId: string): Promise<boolean> {
  const { rowCount } = await db.query(sql`select from roster_uploads where id = ${uploadId} and total_rows > ${LARGE}`);
  return rowCount > 0;
}
