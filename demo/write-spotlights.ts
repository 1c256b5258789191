import type { BREAKDOWNS, SPOTLIGHT_PERIODS, SpotlightName } from '#contract/spotlights.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { type DemoDirectory, idOf } from './directory.ts';

type Kept = readonly [
  title: string,
  name: SpotlightName,
  period: (typeof SPOTLIGHT_PERIODS)[number],
  breakdown: (typeof BREAKDOWNS)[number],
];

/** What Lakeshore ACO looks at in its monthly meeting. */
const KEPT: readonly Kept[] = [
  ['Monthly meeting: calls in time', 'follow-up', 'last-month', 'MONTH'],
  ['Nights by hospital', 'length-of-stay', 'last-12-months', 'FACILITY'],
];

/** Writes spotlights that an administrator keeps and shares with the team. */
export async function writeSpotlights(db: Queryable, directory: DemoDirectory, now: Date): Promise<void> {
  const [team, user] = [idOf(directory.teams, 'aco-coordination'), idOf(directory.users, 'desmond.achterberg')];
  for (const [title, name, period, breakdown] of KEPT)
    await db.query(sql`
      insert into custom_spotlights (user_id, team_id, title, name, period, breakdown, has_filter, shared_at, created_at, updated_at)
      values (${user}, ${team}, ${title}, ${name}, ${period}, ${breakdown}, false, ${now}, ${now}, ${now})`);
}
