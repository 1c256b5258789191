/** Marks a database that holds the demo region: the password of its accounts is public. */
import type { Queryable } from './pool.ts';
import { sql } from './sql.ts';

export async function holdsDemo(db: Queryable): Promise<boolean> {
  const { rowCount } = await db.query(sql`select from demo_region`);
  return rowCount > 0;
}

/** Whether the database holds a demo region whose seeding was interrupted. */
export async function holdsPartOfDemo(db: Queryable): Promise<boolean> {
  const { rowCount } = await db.query(sql`select from demo_region where not is_complete`);
  return rowCount > 0;
}

/** Records that the demo region is in this database, once. */
export async function markDemo(db: Queryable, now: Date): Promise<void> {
  await db.query(sql`insert into demo_region (seeded_at) select ${now} where not exists (select from demo_region)`);
}

/** Records that all of the demo region is there. */
export async function completeDemo(db: Queryable): Promise<void> {
  await db.query(sql`update demo_region set is_complete = true`);
}
