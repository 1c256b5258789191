import { type Sql, sql } from '#server/platform/database/sql.ts';

/** A digest of what a ping `p` of an event `e` says happened: with another one, who was notified has been told something that is no longer true. */
export const SAYS: Sql = sql`md5(jsonb_build_array(p.state, e.event_at, e.event_precision, e.setting, e.detail -> 'disposition',
  e.detail -> 'dischargedTo', e.detail -> 'transferredTo')::text)`;

/** Whether it says something else than the user of a match `m` was told last. */
export const SAYS_OTHER: Sql = sql`(m.told_state <> p.state or m.told <> ${SAYS})`;
