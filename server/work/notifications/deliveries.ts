/** What became of a user's notifications, and where their links lead. */
import type { z } from 'zod';
import {
  DELIVERIES_SHOWN,
  DELIVERY_FAILURES,
  type Delivery,
  type DeliveryState,
  type notificationTarget,
} from '#contract/notifications.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { ApiError } from '#server/platform/http/api-error.ts';

interface Row extends Pick<Delivery, 'id' | 'channel' | 'topic' | 'at' | 'pings'> {
  state: 'queued' | 'sending' | 'sent' | 'failed' | 'suppressed';
  failure: string | null;
}

const STATES: Record<Row['state'], DeliveryState> = {
  queued: 'QUEUED',
  sending: 'QUEUED',
  sent: 'SENT',
  failed: 'FAILED',
  suppressed: 'SUPPRESSED',
};

/** Returns the user's latest deliveries, newest first. */
export async function listDeliveries(db: Queryable, userId: string): Promise<Delivery[]> {
  const { rows } = await db.query<Row>(sql`
    select o.id, case o.channel when 'text' then 'TEXT' else 'EMAIL' end as channel, o.topic, o.state, o.failure,
      coalesce(o.sent_at, o.created_at) as at, coalesce(n.pings, 0) as pings
    from outbox o left join notifications n on n.id = o.notification_id
    where o.user_id = ${userId} and o.topic <> 'ACCOUNT' order by o.id desc limit ${DELIVERIES_SHOWN}`);
  return rows.map(({ state, failure, ...row }) => ({ ...row, state: STATES[state], ...reasonOf(failure) }));
}

function reasonOf(failure: string | null): Pick<Delivery, 'failure' | 'code'> {
  if (failure === null) return { failure: null, code: null };
  if (Object.hasOwn(DELIVERY_FAILURES, failure))
    return { failure: failure as keyof typeof DELIVERY_FAILURES, code: null };
  return { failure: 'REFUSED', code: failure };
}

/** Returns what a notification of the user opens. Errors: NOT_FOUND. */
export async function targetOf(
  db: Queryable,
  userId: string,
  uuid: string,
): Promise<z.infer<typeof notificationTarget>> {
  const { rows } = await db.query<z.infer<typeof notificationTarget>>(sql`
    select team_id as "teamId", filter_id as "filterId", search_context as "searchContext", patient_id as "patientId", opens_documents as "opensDocuments"
    from notifications where uuid = ${uuid} and user_id = ${userId}`);
  const [target] = rows;
  if (target === undefined) throw new ApiError('NOT_FOUND');
  return target;
}
