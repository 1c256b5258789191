/** Every route of the contract with the domain that serves it. The server doesn't start if a route has no handler. */
import type { Logger } from 'pino';
import { exportRoutes } from './insight/exports/routes.ts';
import { usageRoutes } from './insight/usage/routes.ts';
import { feedRoutes } from './intake/feeds/routes.ts';
import type { MessageStore } from './intake/messages/message-store.ts';
import type { PreviewMessage } from './intake/messages/preview-thread.ts';
import { messageRoutes } from './intake/messages/routes.ts';
import type { RegisteredRoute } from './people/access/route.ts';
import { mailRoutes } from './people/accounts/demo-mailbox.ts';
import { type AccountDeps, accountRoutes } from './people/accounts/routes.ts';
import { databaseSessions, isSessionActive } from './people/accounts/sessions/sessions.ts';
import { adminRoutes } from './people/admin/routes.ts';
import { ssoRoutes } from './people/sso/routes.ts';
import type { Clock } from './platform/calendar/clock.ts';
import type { ChangeFollower } from './platform/changes/change-follower.ts';
import type { Database } from './platform/database/pool.ts';
import { shareOf } from './platform/database/share.ts';
import type { OutgoingFetch } from './platform/http/outgoing.ts';
import { pingRoutes } from './record/pings/routes.ts';
import { reviewRoutes } from './record/reviews/routes.ts';
import { careRoutes } from './work/care/routes.ts';
import { consentRoutes } from './work/consents/routes.ts';
import { contactAttemptRoutes } from './work/contact-attempts/routes.ts';
import { detailsRoutes } from './work/details/routes.ts';
import { liveRoutes } from './work/live/routes.ts';
import { patientRoutes } from './work/patients/routes.ts';
import { rosterRoutes } from './work/rosters/routes.ts';
import { savedFilterRoutes } from './work/saved-filters/routes.ts';
import { searchRoutes } from './work/search/routes.ts';
import { countFound, countPingsSince } from './work/search/search.ts';
import type { SearchPool } from './work/search/search-threads.ts';
import { storyRoutes } from './work/story/routes.ts';
import { tagRoutes } from './work/tags/routes.ts';
import { waiverRoutes } from './work/waivers/routes.ts';

export interface RouteDeps {
  /** Connections of the app role, for what people see and do. */
  app: Database;
  /** Connections of the pipeline role, for decisions about matches and consents. */
  pipeline: Database;
  store: MessageStore;
  follower: ChangeFollower;
  search: SearchPool;
  clock: Clock;
  log: Logger;
  config: AccountDeps['config'];
  secrets: AccountDeps['secrets'];
  demoAccounts: AccountDeps['demoAccounts'];
  /** Calls addresses that administrators entered. */
  outgoing: OutgoingFetch;
  /** `resolveTxt` of node:dns, for domains that administrators entered. */
  lookUpTxt: (domain: string) => Promise<string[][]>;
  /** Wakes the message queue. */
  wake: () => void;
  preview: PreviewMessage;
}

/** Connections, of the web's 20, that uploads and live streams may use at the same time: there can be many of them. */
const UPLOADS_SHARE = 5;
const STREAMS_SHARE = 4;

export function allRoutes({
  app: db,
  pipeline,
  store,
  follower,
  search,
  clock,
  log,
  config,
  secrets,
  demoAccounts,
  outgoing,
  lookUpTxt,
  wake,
  preview,
}: RouteDeps): RegisteredRoute[] {
  const streams = shareOf(db, STREAMS_SHARE);
  const isSessionOpen = (sessionHash: Buffer) => isSessionActive(streams, sessionHash, clock(), config);
  const searching = { db, pool: search };
  return [
    ...accountRoutes({ db, clock, config, secrets, log, demoAccounts }),
    ...ssoRoutes({ db, clock, config, secrets, outgoing }),
    ...mailRoutes({ db, demo: config.demo }),
    ...adminRoutes({ db, clock, config, secrets, lookUpTxt, outgoing }),
    ...usageRoutes({ db, clock, log, sessions: databaseSessions(db, clock, config), config }),
    ...exportRoutes({ db }),
    ...rosterRoutes({ db: shareOf(db, UPLOADS_SHARE), clock }),
    ...feedRoutes({ db, publicUrl: config.publicUrl, clock }),
    ...messageRoutes({ db, clock, wake, preview }),
    ...reviewRoutes({ db, pipeline, clock }),
    ...patientRoutes({ db, clock, store }),
    ...detailsRoutes({ db, clock }),
    ...storyRoutes({ db, clock }),
    ...tagRoutes({ db, clock }),
    ...contactAttemptRoutes({ db, clock }),
    ...waiverRoutes({ db, clock }),
    ...careRoutes({ db, uploads: shareOf(db, UPLOADS_SHARE), clock }),
    ...consentRoutes({ db, pipeline, clock, publicUrl: config.publicUrl }),
    ...pingRoutes({ db, clock }),
    ...savedFilterRoutes({
      db,
      clock,
      countEvents: countPingsSince(searching, clock),
      countFound: countFound(searching, clock),
    }),
    ...searchRoutes({ ...searching, clock }),
    ...liveRoutes({ db: streams, search, follower, clock, log, isSessionOpen }),
  ];
}
