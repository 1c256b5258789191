/** How a user is notified of new pings that match a saved filter, also one that a colleague shares. Preferences of other users and teams do not exist for the user. */
import type { SearchContext } from '#contract/facets.ts';
import type { NotificationPreference, NotificationPreferenceFields } from '#contract/notifications.ts';
import type { Config } from '#server/config.ts';
import type { Actor, ActorCall } from '#server/people/access/actor.ts';
import { writeAuditAs } from '#server/people/audit/write-audit.ts';
import type { Database, Queryable, Transaction } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { isAboutRisk, reportedGroups } from './risk-filters.ts';

export type ChannelConfig = Pick<Config, 'smtp' | 'twilio' | 'demo'>;

/** Whether letters of each channel can reach their reader: they are sent, or shown in the demo mailbox. */
export const channelsOf = ({ smtp, twilio, demo }: ChannelConfig) => ({
  canEmail: smtp !== null || demo,
  canText: twilio !== null || demo,
});

export interface ChangeContext extends ActorCall {
  /** Connected as the app role. */
  db: Database;
}

const COLUMNS = sql`filter_id as "filterId", by_email as email, by_text as text, timing, digest_hour as hour, is_muted as muted`;

/** Returns the preferences of the user's filters in the team; a filter without one does not notify. */
export function listPreferences(db: Database, { userId, teamId }: Actor): Promise<NotificationPreference[]> {
  return db.transaction((tx) => read(tx, teamId), { readOnly: true, settings: { 'tidings.user_id': userId } });
}

async function read(tx: Queryable, teamId: string): Promise<NotificationPreference[]> {
  const { rows } = await tx.query<NotificationPreference>(
    sql`select ${COLUMNS} from notification_preferences where team_id = ${teamId} order by filter_id`,
  );
  return rows;
}

/**
 * Sets how the user is notified of a filter. Errors: NOT_FOUND; BAD_REQUEST with fields if a channel cannot reach the user. From when a filter
 * begins to notify, or is unmuted, only pings that arrive later are reported.
 */
export function savePreference(
  context: ChangeContext,
  filterId: string,
  fields: NotificationPreferenceFields,
  config: ChannelConfig,
): Promise<NotificationPreference> {
  const { actor, now } = context;
  const { email, text, timing, hour, muted } = fields;
  return change(context, async (tx, audit) => {
    const filter = await tx.query<{ aboutRisk: boolean; searchContext: SearchContext }>(sql`
      select ${isAboutRisk(sql`parameters`)} as "aboutRisk", coalesce(parameters ->> 'searchContext', 'ALL') as "searchContext" from saved_filters
      where id = ${filterId} and team_id = ${actor.teamId} and (user_id = ${actor.userId} or shared_at is not null)`);
    const [found] = filter.rows;
    if (found === undefined) throw new ApiError('NOT_FOUND');
    if ((email || text) && reportedGroups(actor, found.searchContext, found.aboutRisk).length === 0)
      throw new ApiError('NOT_PERMITTED');
    await refuseUnreachable(tx, fields, config);
    const { rows } = await tx.query<NotificationPreference>(sql`
      insert into notification_preferences as n
        (filter_id, user_id, team_id, by_email, by_text, timing, digest_hour, is_muted, active_since)
      values (${filterId}, ${actor.userId}, ${actor.teamId}, ${email}, ${text}, ${timing}, ${hour}, ${muted}, ${now})
      on conflict (filter_id, user_id) do update set by_email = excluded.by_email, by_text = excluded.by_text, timing = excluded.timing,
        digest_hour = excluded.digest_hour, is_muted = excluded.is_muted,
        active_since = case when (n.by_email or n.by_text) and not n.is_muted then n.active_since else excluded.active_since end
      returning ${COLUMNS}`);
    await audit('notification.change', filterId, { email, text, timing, muted });
    return rows[0] as NotificationPreference;
  });
}

async function refuseUnreachable(
  tx: Queryable,
  { email, text }: NotificationPreferenceFields,
  config: ChannelConfig,
): Promise<void> {
  const { canEmail, canText } = channelsOf(config);
  const fields: Record<string, string> = {};
  if (email && !canEmail) fields['email'] = "This installation can't send email.";
  if (text && !canText) fields['text'] = "This installation can't send text messages.";
  else if (text) {
    const { rows } = await tx.query<{ phone: string | null }>(
      sql`select notification_phone as phone from users where id = acting_user()`,
    );
    if (!rows[0]?.phone) fields['text'] = 'Confirm a mobile number first.';
  }
  if (Object.keys(fields).length > 0) throw new ApiError('BAD_REQUEST', { fields });
}

/** Mutes or unmutes all of the user's filters in the team. What arrives while they are muted is not reported later. */
export function muteAll(context: ChangeContext, muted: boolean): Promise<NotificationPreference[]> {
  const { actor, now } = context;
  return change(context, async (tx, audit) => {
    await tx.query(sql`
      update notification_preferences set is_muted = ${muted}, active_since = case when ${muted} then active_since else ${now}::timestamptz end
      where team_id = ${actor.teamId} and is_muted <> ${muted}`);
    await audit(muted ? 'notification.mute-all' : 'notification.unmute-all', null, {});
    return read(tx, actor.teamId);
  });
}

function change<T>(
  { db, actor, requestId, now }: ChangeContext,
  fn: (
    tx: Transaction,
    audit: (action: string, subjectId: string | null, detail: Record<string, unknown>) => Promise<void>,
  ) => Promise<T>,
): Promise<T> {
  const settings = { 'tidings.user_id': actor.userId, 'tidings.team_id': actor.teamId };
  return db.transaction(
    (tx) =>
      fn(tx, (action, subjectId, detail) =>
        writeAuditAs(tx, actor, { action, subject: 'saved-filter', subjectId, detail, requestId, now }),
      ),
    { settings },
  );
}
