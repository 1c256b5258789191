import { linkSync, readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { processIdentity } from './processes.ts';

/** Another process uses this data folder. */
export class FolderInUseError extends Error {
  override name = 'FolderInUseError';
}

type Holder = { pid: number; identity: string };

/**
 * Locks the data folder, so that two processes never run the same database, and returns a function that unlocks it. Takes over
 * the lock of a process that has ended. Throws FolderInUseError, which names the folder and the process.
 */
export function lockFolder(folder: string): () => void {
  const path = join(folder, 'tidings.lock');
  const mine = JSON.stringify({ pid: process.pid, identity: processIdentity(process.pid) ?? '' } satisfies Holder);
  for (let attempt = 0; attempt < 10; attempt++) {
    try {
      writeFileSync(path, mine, { flag: 'wx', mode: 0o644 });
      return () => read(path) === mine && unlinkSync(path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const seen = read(path);
    const pid = seen === undefined ? undefined : holderOf(seen);
    if (pid !== undefined) {
      throw new FolderInUseError(`The data folder ${folder} is in use by another Tidings (process ${pid})`);
    }
    if (seen !== undefined) removeStale(path, seen);
  }
  throw new FolderInUseError(`The data folder ${folder} is being locked by another Tidings`);
}

/** Moves the lock aside instead of deleting it, and puts it back if another process replaced it in between. */
function removeStale(path: string, stale: string): void {
  const aside = `${path}.${process.pid}`;
  try {
    renameSync(path, aside);
    if (read(aside) !== stale) linkSync(aside, path);
    unlinkSync(aside);
  } catch {
    // Another process moved it first; the next attempt sees that process's lock.
  }
}

/** Returns the id of the process that holds the lock, if it is still running. */
function holderOf(content: string): number | undefined {
  try {
    const { pid, identity } = JSON.parse(content) as Holder;
    return processIdentity(pid) === identity ? pid : undefined;
  } catch {
    return undefined;
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
