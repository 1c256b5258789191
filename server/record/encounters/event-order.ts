import type { EventCode } from '#contract/event-codes.ts';
import { type Sql, sql } from '#server/platform/database/sql.ts';

const BEGINNINGS: readonly EventCode[] = ['PRESENTED', 'ADMIT', 'VISIT', 'STARTED_HHA_SERVICES'];

/**
 * Puts the events of a visit in the order in which they happened. An event dated to a day comes at the end of that day unless it begins the
 * visit, as in the fold (`fold/timeline.ts`): a patient who was moved at ten and discharged that day is discharged. `event`: a row of `events`.
 */
export const eventOrder = (event: Sql): Sql => sql`case
  when ${event}.event_precision = 'day' and ${event}.code <> all (${BEGINNINGS}::text[]) then ${event}.event_at + interval '1 day' - interval '1 ms'
  else ${event}.event_at end`;
