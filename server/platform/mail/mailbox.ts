import type { RouteAnswer } from '#contract/routes.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { forPurpose } from '#server/platform/database/settings.ts';
import { sql } from '#server/platform/database/sql.ts';

const SHOWN = 100;

/** Returns the newest letters of a demo installation, sent or not. */
export async function demoMailbox(db: Queryable): Promise<RouteAnswer<'GET /api/demo/mailbox'>> {
  const { rows } = await forPurpose('mailbox', () =>
    db.query<RouteAnswer<'GET /api/demo/mailbox'>[number]>(sql`
      select id, coalesce(sent_at, created_at) as "sentAt", recipient as "to", channel, subject, body
      from outbox order by id desc limit ${SHOWN}`),
  );
  return rows;
}
