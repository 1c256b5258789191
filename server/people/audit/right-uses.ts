/** When each user last used a right on a team: the last answered call that needs it (docs/decisions/0098). */

import { flagsUsedBy } from '#contract/right-uses.ts';
import type { RouteKey } from '#contract/routes.ts';
import type { Clock } from '#server/platform/calendar/clock.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';

/** In milliseconds. A right that is used all the time is written so seldom. */
const WRITTEN_EVERY = 10 * 60_000;
const MOST_KEPT = 100_000;

export class RightUses {
  readonly #db: Queryable;
  readonly #clock: Clock;
  /** By user, team and route: when it was last written. */
  readonly #written = new Map<string, number>();

  constructor(db: Queryable, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  /** Notes a call that was answered. Runs in the settings of its user. */
  async note(userId: string, teamId: string, route: RouteKey): Promise<void> {
    if (flagsUsedBy(route).length === 0) return;
    const now = this.#clock();
    const key = `${userId} ${teamId} ${route}`;
    const before = this.#written.get(key);
    if (before !== undefined && now.getTime() - before < WRITTEN_EVERY) return;
    if (this.#written.size >= MOST_KEPT) this.#written.clear();
    this.#written.set(key, now.getTime());
    await this.#db.query(sql`
      insert into right_uses (user_id, organization_id, team_id, sign, last_at)
      select id, organization_id, ${teamId}, ${route}, ${now.toISOString()} from users where id = ${userId}
      on conflict (user_id, team_id, sign) do update set last_at = greatest(right_uses.last_at, excluded.last_at)`);
  }
}
