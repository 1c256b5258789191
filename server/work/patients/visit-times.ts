/** When a visit began, in each of the ways in which visits begin, from its events. */
import type { Setting } from '#contract/event-codes.ts';
import { type Sql, sql } from '#server/platform/database/sql.ts';
import { eventOrder } from '#server/record/encounters/event-order.ts';

export interface VisitTimes {
  /** As `RuleVisitSource` in server/record/rules/rule-visit.ts has them. A death without a time of day counts from the end of its day. */
  presentedAt: string | null;
  inpatientFrom: string | null;
  diedAt: string | null;
  /** The settings of its arrivals, admissions and transfers. */
  settings: Setting[];
  /** When it was an inpatient stay first, and under observation, whatever it was changed to later; null if never. */
  firstInpatientAt: string | null;
  firstObservedAt: string | null;
}

/** Returns a row with the times of this encounter. */
export const visitTimes = (encounterId: Sql): Sql => sql`(
  select min(event_at) filter (where code = 'PRESENTED') as "presentedAt",
    min(event_at) filter (where code in ('ADMIT', 'TRANSFER') and setting = 'INPATIENT' and not is_before_other) as "inpatientFrom",
    min(${eventOrder(sql`event`)}) filter (where code = 'DECEASED') as "diedAt",
    coalesce(array_agg(distinct setting) filter (where code in ('PRESENTED', 'ADMIT', 'TRANSFER')), '{}') as settings,
    min(event_at) filter (where code in ('ADMIT', 'TRANSFER') and setting = 'INPATIENT') as "firstInpatientAt",
    min(event_at) filter (where code in ('ADMIT', 'TRANSFER') and setting = 'OBSERVATION') as "firstObservedAt"
  from (
    select *, event_at < max(case code when 'DISCHARGE' then event_at + interval '1 ms' else event_at end)
        filter (where code in ('PRESENTED', 'ADMIT', 'TRANSFER') and setting <> 'INPATIENT' or code = 'DISCHARGE' and back_on > event_day) over ()
      is true as is_before_other
    from (
      select *, min(event_day) filter (where code in ('PRESENTED', 'ADMIT'))
        over (order by event_at, id rows between 1 following and unbounded following) as back_on
      from events where encounter_id = ${encounterId} and state <> 'CANCELLED') in_order) event)`;
