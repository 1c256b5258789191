import { readFileSync } from 'node:fs';
import type { ApplicationInfo } from '#contract/accounts.ts';
import { ROSTER_MAX_BYTES, ROSTER_MAX_ROWS } from '#contract/rosters.ts';
import { ApiError } from '#server/api-error.ts';
import type { Clock } from '#server/clock.ts';
import type { Config } from '#server/config.ts';
import type { Database } from '#server/database/pool.ts';
import { type RegisteredRoute, route } from '#server/http/route.ts';
import { accountCookies } from './cookies.ts';
import { currentUser } from './me.ts';
import { setDefaultTeam } from './queries.ts';
import { endSession } from './session-queries.ts';
import { signIn } from './sign-in.ts';

export type DemoAccount = ApplicationInfo['features']['demoAccounts'][number];

export interface AccountDeps {
  /** The app role's. */
  db: Database;
  clock: Clock;
  config: Pick<Config, 'publicUrl' | 'demo' | 'companyName' | 'support'> & Partial<Pick<Config, 'supportWidgetUrl'>>;
  /** Named on the sign-in page, where the demo is on. */
  demoAccounts?: readonly DemoAccount[];
}

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/** Sign-in and out, the current user, and what a page asks for before anybody has signed in. */
export function accountRoutes({ db, clock, config, demoAccounts = [] }: AccountDeps): RegisteredRoute[] {
  const cookies = accountCookies(config.publicUrl);
  return [
    route('POST /api/authenticate', async ({ body, request, reply }) => {
      const signedIn = await signIn(db, { ...body, ...cookies.read(request) }, clock());
      cookies.set(reply, signedIn);
      return { next: signedIn.next };
    }),
    route('POST /api/logout', async ({ user, reply }) => {
      await db.transaction((tx) => endSession(tx, user.sessionHash, clock()));
      cookies.clearSession(reply);
    }),
    route('GET /api/me', ({ user }) => currentUser(db, user.userId, clock())),
    route('PUT /api/users/default-team', async ({ user, query }) => {
      if (!(await setDefaultTeam(db, user.userId, query.teamId))) throw new ApiError('NOT_YOUR_TEAM');
    }),
    route('GET /api/application-info', () => ({
      version,
      productName: 'Tidings',
      companyName: config.companyName,
      support: config.support,
      features: {
        supportWidgetUrl: config.supportWidgetUrl ?? null,
        demoAccounts: config.demo ? [...demoAccounts] : [],
      },
      limits: { rosterRows: ROSTER_MAX_ROWS, rosterBytes: ROSTER_MAX_BYTES },
    })),
  ];
}
