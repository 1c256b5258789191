import type { Config } from '#server/config.ts';
import { callAt, type RegisteredRoute, route } from '#server/people/access/route.ts';
import type { Clock } from '#server/platform/calendar/clock.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { listDeliveries, targetOf } from './deliveries.ts';
import { type ChangeContext, type ChannelConfig, listPreferences, muteAll, savePreference } from './preferences.ts';
import { saveQuietHours, settingsOf } from './settings.ts';
import { takeReply } from './text-replies.ts';

export interface NotificationDeps {
  /** The app role's. */
  db: Database;
  clock: Clock;
  config: ChannelConfig & Pick<Config, 'publicUrl'>;
}

/** What Twilio expects: no message in reply. */
const NO_REPLY = '<?xml version="1.0" encoding="UTF-8"?><Response></Response>';

export function notificationRoutes({ db, clock, config }: NotificationDeps): RegisteredRoute[] {
  const callOf = callAt(clock);
  const by = (context: Parameters<typeof callOf>[0]): ChangeContext => ({ db, ...callOf(context) });
  return [
    route('GET /api/notification-filter-preferences', ({ actor }) => listPreferences(db, actor)),
    route('PUT /api/notification-filter-preferences/:id', (call) =>
      savePreference(by(call), call.params.id, call.body, config),
    ),
    route('PUT /api/notification-filter-preferences', (call) => muteAll(by(call), call.body.muted)),
    route('GET /api/notification-settings', ({ user }) => settingsOf(db, user.userId, config)),
    route('PUT /api/notification-settings', async ({ user: { userId }, body, request }) => {
      await saveQuietHours(db, { userId, quietHours: body.quietHours, requestId: request.id }, clock());
      return settingsOf(db, userId, config);
    }),
    route('GET /api/notification-deliveries', ({ user }) => listDeliveries(db, user.userId)),
    route('GET /api/notifications/:uuid', ({ user, params }) => targetOf(db, user.userId, params.uuid)),
    route('POST /api/text-messages/twilio', async ({ body, request, reply }) => {
      const signature = request.headers['x-twilio-signature'];
      const url = config.publicUrl + request.url;
      const fields = { fields: body, signature: typeof signature === 'string' ? signature : undefined, url };
      await takeReply(db, fields, config.twilio, clock());
      return reply.type('text/xml').send(NO_REPLY);
    }),
  ];
}
