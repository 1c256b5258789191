/** Every route of the contract with the domain that serves it. The server doesn't start if a route has no handler. */
import type { Logger } from 'pino';
import { exportRoutes } from './insight/exports/routes.ts';
import { reportRoutes } from './insight/reports/routes.ts';
import { spotlightsRoutes } from './insight/spotlights/routes.ts';
import { usageRoutes } from './insight/usage/routes.ts';
import { documentCallRoutes } from './intake/document-calls/routes.ts';
import type { CheckUpload } from './intake/documents/read-upload.ts';
import { feedRoutes } from './intake/feeds/routes.ts';
import { fhirCallRoutes } from './intake/fhir-calls/routes.ts';
import type { MessageStore } from './intake/messages/message-store.ts';
import type { PreviewMessage, TrySettings } from './intake/messages/preview-thread.ts';
import { messageRoutes } from './intake/messages/routes.ts';
import type { RegisteredRoute } from './people/access/route.ts';
import { mailRoutes } from './people/accounts/demo-mailbox.ts';
import { type AccountDeps, accountRoutes } from './people/accounts/routes.ts';
import { databaseSessions, isSessionActive } from './people/accounts/sessions/sessions.ts';
import { adminRoutes } from './people/admin/routes.ts';
import { scimRoutes } from './people/scim/routes.ts';
import { ssoRoutes } from './people/sso/routes.ts';
import type { Clock } from './platform/calendar/clock.ts';
import type { ChangeFollower } from './platform/changes/change-follower.ts';
import type { Database } from './platform/database/pool.ts';
import { shareOf } from './platform/database/share.ts';
import type { OutgoingFetch } from './platform/http/outgoing.ts';
import type { RunTask } from './platform/threads/task-threads.ts';
import { pingRoutes } from './record/pings/routes.ts';
import { reviewRoutes } from './record/reviews/routes.ts';
import { careRoutes } from './work/care/routes.ts';
import { consentRoutes } from './work/consents/routes.ts';
import { contactAttemptRoutes } from './work/contact-attempts/routes.ts';
import { detailsRoutes } from './work/details/routes.ts';
import { documentRoutes } from './work/documents/routes.ts';
import { evidenceRoutes } from './work/evidence/routes.ts';
import { explainRoutes } from './work/explain/routes.ts';
import { facilityLinkRoutes } from './work/facility-links/routes.ts';
import { followUpRoutes } from './work/follow-ups/routes.ts';
import { hl7ProgramRoutes } from './work/hl7-programs/routes.ts';
import { listGapRoutes } from './work/list-gaps/routes.ts';
import { liveRoutes } from './work/live/routes.ts';
import { notificationRoutes } from './work/notifications/routes.ts';
import { patientRoutes } from './work/patients/routes.ts';
import { preAdmitRoutes } from './work/pre-admit/routes.ts';
import { risingRiskRoutes } from './work/rising-risk/routes.ts';
import { rosterPageRoutes } from './work/rosters/page-routes.ts';
import { rosterRoutes } from './work/rosters/routes.ts';
import { savedFilterRoutes } from './work/saved-filters/routes.ts';
import { listDefaults } from './work/saved-filters/saved-filters.ts';
import { searchRoutes } from './work/search/routes.ts';
import { countFound, countPingsSince } from './work/search/search.ts';
import type { SearchPool } from './work/search/search-threads.ts';
import { storyRoutes } from './work/story/routes.ts';
import { tagRoutes } from './work/tags/routes.ts';
import { waiverRoutes } from './work/waivers/routes.ts';
import { worklistRoutes } from './work/worklist/routes.ts';

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
  previews: { preview: PreviewMessage; trySettings: TrySettings; checkUpload: CheckUpload };
  /** Reads files in threads (`readings.ts`). */
  runTask: RunTask;
  /** The same for FHIR messages, which wait for no file. */
  lookAtMessage: RunTask;
}

/** Connections, of the web's 20, that uploads, live streams and exports may use at the same time: there can be many of them. */
const UPLOADS_SHARE = 5;
const STREAMS_SHARE = 4;
const EXPORTS_SHARE = 5;
/** Changes of accounts wait for each other anyway, and an identity provider may send hundreds at once. */
const SCIM_SHARE = 3;

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
  previews,
  runTask,
  lookAtMessage,
}: RouteDeps): RegisteredRoute[] {
  const streams = shareOf(db, STREAMS_SHARE);
  const isSessionOpen = (sessionHash: Buffer) => isSessionActive(streams, sessionHash, clock(), config);
  const sessions = databaseSessions(db, clock, config);
  const searching = { db, pool: search };
  return [
    ...accountRoutes({
      db,
      clock,
      config,
      secrets,
      log,
      demoAccounts,
      defaultFilters: (owner) => listDefaults(db, owner),
    }),
    ...ssoRoutes({ db, clock, config, secrets, outgoing }),
    ...mailRoutes({ db, demo: config.demo }),
    ...adminRoutes({ db, clock, config, secrets, lookUpTxt, outgoing }),
    ...scimRoutes({ db: shareOf(db, SCIM_SHARE), clock, config }),
    ...usageRoutes({ db, clock, log, sessions, config }),
    ...reportRoutes({ db, clock }),
    ...exportRoutes({ db: shareOf(db, EXPORTS_SHARE), pool: search, clock }),
    ...rosterRoutes({ db: shareOf(db, UPLOADS_SHARE), clock }),
    ...rosterPageRoutes({ db, clock }),
    ...preAdmitRoutes({ db, pipeline, clock }),
    ...feedRoutes({ db, publicUrl: config.publicUrl, clock }),
    ...documentCallRoutes({ db, publicUrl: config.publicUrl, clock, store }),
    ...fhirCallRoutes({ db, publicUrl: config.publicUrl, clock, store, runTask: lookAtMessage }),
    ...messageRoutes({ db, clock, wake, preview: previews.preview, trySettings: previews.trySettings }),
    ...reviewRoutes({ db, pipeline, clock }),
    ...patientRoutes({ db, pipeline, clock, store }),
    ...documentRoutes({ db, runTask }),
    ...detailsRoutes({ db, clock }),
    ...storyRoutes({ db, clock }),
    ...explainRoutes({ db, pipeline, clock }),
    ...evidenceRoutes({ db, clock }),
    ...tagRoutes({ db, clock }),
    ...contactAttemptRoutes({ db, clock }),
    ...followUpRoutes({ db, clock }),
    ...risingRiskRoutes({ db, clock }),
    ...spotlightsRoutes({ db, pool: search, clock, ...config }),
    ...hl7ProgramRoutes({ db, clock }),
    ...worklistRoutes({ db, clock }),
    ...waiverRoutes({ db, clock }),
    ...facilityLinkRoutes({ db, pipeline, store, clock, config, checkUpload: previews.checkUpload, sessions }),
    ...careRoutes({ db, uploads: shareOf(db, UPLOADS_SHARE), clock, runTask }),
    ...consentRoutes({ db, pipeline, clock, publicUrl: config.publicUrl }),
    ...pingRoutes({ db, clock }),
    ...savedFilterRoutes({
      db,
      clock,
      countEvents: countPingsSince(searching, clock),
      countFound: countFound(searching, clock),
    }),
    ...notificationRoutes({ db, clock, config }),
    ...searchRoutes({ ...searching, clock }),
    ...listGapRoutes({ db }),
    ...liveRoutes({ db: streams, search, follower, clock, log, isSessionOpen }),
  ];
}
