/** Processor time of this process and of its connections' in PostgreSQL (Linux), which other work on the machine changes little. */
import { readFileSync } from 'node:fs';
import type { Database } from '#server/platform/database/pool.ts';

/** Microseconds that this process (0) and each of its connections' in PostgreSQL have run. */
export type Ran = ReadonlyMap<number, number>;

/** `applicationName`: that of the connections. */
export async function ran(database: Database, applicationName: string): Promise<Ran> {
  const { rows } = await database.query<{ pid: number }>(
    'select pid from pg_stat_activity where application_name = $1 and usename = current_user',
    [applicationName],
  );
  const { user, system } = process.cpuUsage();
  const nanoseconds = (pid: number) => Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]);
  return new Map([[0, user + system], ...rows.map(({ pid }) => [pid, nanoseconds(pid) / 1000] as const)]);
}

/** Returns the microseconds in between. Connections that were opened since count from their beginning. */
export const between = (before: Ran, after: Ran): number =>
  [...after].reduce((sum, [pid, time]) => sum + time - (before.get(pid) ?? 0), 0);
