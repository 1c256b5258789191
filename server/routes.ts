/** Every route of the contract's table with the domain that serves it. A row that nobody serves keeps the server from starting. */
import type { Logger } from 'pino';
import { type AccountDeps, accountRoutes } from './accounts/routes.ts';
import { databaseSessions, sessionStands } from './accounts/sessions.ts';
import { adminRoutes } from './admin/routes.ts';
import type { Clock } from './clock.ts';
import type { ChangeFollower } from './database/change-follower.ts';
import type { Database } from './database/pool.ts';
import { exportRoutes } from './exports/routes.ts';
import { feedRoutes } from './feeds/routes.ts';
import type { RegisteredRoute } from './http/route.ts';
import type { MessageStore } from './ingest/store.ts';
import { liveRoutes } from './live/routes.ts';
import { mailRoutes } from './mail/routes.ts';
import { patientRoutes } from './patients/routes.ts';
import { pingRoutes } from './pings/routes.ts';
import { makePipeline } from './pipeline.ts';
import { rosterRoutes } from './rosters/routes.ts';
import { savedFilterRoutes } from './saved-filters/routes.ts';
import type { SearchPool } from './search/pool.ts';
import { searchRoutes } from './search/routes.ts';
import { countFound, countTold } from './search/search.ts';
import { ssoRoutes } from './sso/routes.ts';
import { usageRoutes } from './usage/routes.ts';

export interface RouteDeps {
  /** The app role's: what people see and do. */
  app: Database;
  /** The pipeline role's: for the few calls that do the pipeline's work at once. */
  pipeline: Database;
  store: MessageStore;
  hub: ChangeFollower;
  search: SearchPool;
  clock: Clock;
  log: Logger;
  config: AccountDeps['config'];
  demoAccounts: AccountDeps['demoAccounts'];
  /** There is something in the queue. */
  wake: () => void;
}

export function allRoutes({
  app: db,
  pipeline,
  store,
  hub,
  search,
  clock,
  log,
  config,
  demoAccounts,
  wake,
}: RouteDeps): RegisteredRoute[] {
  const isSessionOpen = (sessionHash: Buffer) => sessionStands(db, sessionHash, clock());
  const searching = { db, pool: search };
  return [
    ...accountRoutes({ db, clock, config, log, demoAccounts }),
    ...ssoRoutes({ db, clock, config }),
    ...mailRoutes({ db, demo: config.demo }),
    ...adminRoutes({ db, clock, config }),
    ...usageRoutes({ db, clock, log, sessions: databaseSessions(db, clock), config }),
    ...exportRoutes({ db }),
    ...rosterRoutes({ db, clock }),
    ...feedRoutes({ db, pipeline, process: makePipeline(clock), clock, wake }),
    ...patientRoutes({ db, clock, store }),
    ...pingRoutes({ db, clock }),
    ...savedFilterRoutes({
      db,
      clock,
      countEvents: countTold(searching, clock),
      countFound: countFound(searching, clock),
    }),
    ...searchRoutes({ ...searching, clock }),
    ...liveRoutes({ db, search, hub, clock, log, isSessionOpen }),
  ];
}
