import { readFileSync } from 'node:fs';
import type { FastifyBaseLogger, FastifyRequest } from 'fastify';
import type { ApplicationInfo, Me } from '#contract/accounts.ts';
import { ROSTER_MAX_BYTES, ROSTER_MAX_ROWS } from '#contract/rosters.ts';
import type { Config } from '#server/config.ts';
import { type RegisteredRoute, route } from '#server/people/access/route.ts';
import { auditOwnAccount } from '#server/people/audit/write-audit.ts';
import type { Clock } from '#server/platform/calendar/clock.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import type { SecretBox } from '#server/platform/secrets/secret-box.ts';
import { honestAboutMail } from './letters/honest-about-mail.ts';
import { findToken } from './letters/mailed-tokens.ts';
import { beginPasskeySignIn, signInByPasskey } from './passkeys/passkey-sign-in.ts';
import { listPasskeys } from './passkeys/queries.ts';
import { breachedPasswords } from './passwords/breached-passwords.ts';
import { setPasswordByToken } from './passwords/change-password.ts';
import { requestReset } from './passwords/forgot-password.ts';
import { currentUser } from './profile/current-user.ts';
import { setDefaultTeam } from './profile/current-user-queries.ts';
import { profileRoutes } from './profile/routes.ts';
import { signInByCode } from './second-factor/code-sign-in.ts';
import { accountCookies } from './sessions/cookies.ts';
import { endSession } from './sessions/queries.ts';
import { confirmIdentity } from './sign-in/confirm-identity.ts';
import { signIn } from './sign-in/password-sign-in.ts';
import { listDevices } from './sign-in/queries.ts';

export type DemoAccount = ApplicationInfo['features']['demoAccounts'][number];

export interface AccountDeps {
  /** As the app's role. */
  db: Database;
  clock: Clock;
  config: Pick<
    Config,
    | 'publicUrl'
    | 'demo'
    | 'companyName'
    | 'support'
    | 'smtp'
    | 'twilio'
    | 'neutralAnswers'
    | 'sessionHours'
    | 'isProduction'
  > &
    Partial<Pick<Config, 'supportWidget' | 'breachedPasswords'>>;
  /** Encrypts stored secrets. */
  secrets: SecretBox;
  log: FastifyBaseLogger;
  /** Returns the user's default filters in a team (`server/work/saved-filters/`). */
  defaultFilters: (owner: { userId: string; teamId: string }) => Promise<Me['defaultFilters']>;
  /** Listed on the sign-in page of a demo installation. */
  demoAccounts?: readonly DemoAccount[];
}

const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/** Signing in and out, mailed links, the current user, the user's own account, and what the sign-in page needs to know. */
export function accountRoutes(deps: AccountDeps): RegisteredRoute[] {
  const { db, clock, config, log, secrets, defaultFilters, demoAccounts = [] } = deps;
  const cookies = accountCookies(config.publicUrl);
  const { publicUrl } = config;
  const refuseBreached = breachedPasswords(config.breachedPasswords ?? null);
  return [
    ...signInRoutes(deps),
    route('GET /api/password/forgot', async ({ query, request }) => {
      const report = (error: unknown) => log.error({ err: error, reqId: request.id }, 'A link was not mailed');
      const { deviceToken } = cookies.read(request);
      return { message: await requestReset({ db, config, report }, { ...query, deviceToken }, clock()) };
    }),
    route('GET /api/users/tokens/:token', async ({ params }) => {
      const owner = await findToken(db, params.token, clock());
      if (owner === null) throw new ApiError('NOT_FOUND');
      const { userId } = owner;
      return { ...owner, passkeys: await listPasskeys(db, userId), devices: await listDevices(db, userId) };
    }),
    route('POST /api/password/set', async ({ body, request }) => {
      await refuseBreached(body.password);
      await setPasswordByToken(db, { ...body, publicUrl, requestId: request.id }, clock());
    }),
    ...profileRoutes({ ...deps, refuseBreached }),
    route('GET /api/me', async ({ user }) => {
      const { userId } = user;
      const me = await currentUser(db, user, clock());
      return {
        ...me,
        defaultFilters: me.defaultTeam ? await defaultFilters({ userId, teamId: me.defaultTeam }) : [],
        draftKey: secrets.derive(`drafts of user ${userId}`),
      };
    }),
    route('PUT /api/users/default-team', async ({ user, query }) => {
      if (!(await setDefaultTeam(db, user.userId, query.teamId))) throw new ApiError('NOT_YOUR_TEAM');
    }),
    route('GET /api/application-info', () => ({
      version,
      productName: 'Tidings',
      companyName: config.companyName,
      support: config.support,
      features: {
        supportWidget: config.supportWidget ?? null,
        demoAccounts: config.demo ? [...demoAccounts] : [],
      },
      limits: { rosterRows: ROSTER_MAX_ROWS, rosterBytes: ROSTER_MAX_BYTES },
    })),
  ];
}

function signInRoutes({ db, clock, config, secrets }: AccountDeps): RegisteredRoute[] {
  const cookies = accountCookies(config.publicUrl);
  const { publicUrl } = config;
  const visitor = (request: FastifyRequest) => ({
    ...cookies.read(request),
    userAgent: request.headers['user-agent'],
    address: request.ip,
    requestId: request.id,
  });
  const promising = honestAboutMail(config);
  return [
    route('POST /api/authenticate', async ({ body, request, reply }) => {
      const outcome = await promising(
        signIn({ db, isProduction: config.isProduction }, { ...body, ...visitor(request), publicUrl }, clock()),
      );
      if (outcome.next === 'mfa') cookies.setCodeStep(reply, outcome);
      else cookies.set(reply, outcome);
      return { next: outcome.next };
    }),
    route('POST /api/authenticate/mfa', async ({ body, request, reply }) => {
      const signedIn = await promising(
        signInByCode({ db, secrets }, { ...body, ...visitor(request), publicUrl }, clock()),
      );
      cookies.set(reply, signedIn);
      cookies.clearCodeStep(reply);
      return { next: signedIn.next };
    }),
    route('POST /api/authenticate/again', ({ user, body, request }) => {
      const { deviceToken } = cookies.read(request);
      const confirmation = { proof: body, deviceToken, requestId: request.id };
      return promising(confirmIdentity({ db, secrets, publicUrl }, user, confirmation, clock()));
    }),
    route('POST /api/authenticate/passkey/options', async () => ({
      ...(await beginPasskeySignIn(db, publicUrl, clock())),
    })),
    route('POST /api/authenticate/passkey', async ({ body, request, reply }) => {
      const signedIn = await promising(signInByPasskey(db, { ...body, ...visitor(request), publicUrl }, clock()));
      cookies.set(reply, signedIn);
      return { next: signedIn.next };
    }),
    route('POST /api/logout', async ({ user: { userId, sessionHash }, request, reply }) => {
      const now = clock();
      await db.transaction(async (tx) => {
        await endSession(tx, sessionHash, now);
        await auditOwnAccount(tx, userId, { action: 'sign-out', requestId: request.id, now });
      });
      cookies.clearSession(reply);
    }),
  ];
}
