/** Quiet hours, and where notifications can reach a user. */
import type { NotificationSettings, QuietHours } from '#contract/notifications.ts';
import { DEFAULT_PREFERENCES } from '#contract/users.ts';
import { auditOwnAccount } from '#server/people/audit/write-audit.ts';
import type { Database, Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { type ChannelConfig, channelsOf } from './preferences.ts';

interface Row {
  email: string;
  phone: string | null;
  timeZone: string | null;
  hasOptedOut: boolean;
  from: number | null;
  until: number | null;
}

/** Returns the settings of the signed-in user, in whose call it runs. */
export async function settingsOf(db: Queryable, userId: string, config: ChannelConfig): Promise<NotificationSettings> {
  const { rows } = await db.query<Row>(sql`
    select u.username as email, u.notification_phone as phone, u.preferences ->> 'timeZone' as "timeZone",
      has_opted_out(u.id) as "hasOptedOut", q.from_hour as "from", q.until_hour as until
    from users u left join quiet_hours q on q.user_id = u.id where u.id = ${userId}`);
  const [row] = rows;
  if (row === undefined) throw new ApiError('NOT_SIGNED_IN');
  const { email, phone, timeZone, hasOptedOut, from, until } = row;
  return {
    quietHours: from === null || until === null ? null : { from, until },
    timeZone: timeZone ?? DEFAULT_PREFERENCES.timeZone,
    email,
    phone: phone?.slice(-4) ?? null,
    hasOptedOut,
    ...channelsOf(config),
  };
}

/** Sets or removes the user's quiet hours. */
export function saveQuietHours(
  db: Database,
  { userId, quietHours, requestId }: { userId: string; quietHours: QuietHours | null; requestId: string },
  now: Date,
): Promise<void> {
  return db.transaction(async (tx) => {
    if (quietHours === null) await tx.query(sql`delete from quiet_hours where user_id = ${userId}`);
    else
      await tx.query(sql`
        insert into quiet_hours (user_id, from_hour, until_hour) values (${userId}, ${quietHours.from}, ${quietHours.until})
        on conflict (user_id) do update set from_hour = excluded.from_hour, until_hour = excluded.until_hour`);
    await auditOwnAccount(tx, userId, { action: 'quiet-hours.change', detail: {}, requestId, now });
  });
}
