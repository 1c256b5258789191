/** The routes of a signed-in user's own account. */
import { PRIMARY_CLINICAL_SETTINGS } from '#contract/experiences.ts';
import type { Config } from '#server/config.ts';
import { type RegisteredRoute, route } from '#server/people/access/route.ts';
import { auditOwnAccount } from '#server/people/audit/write-audit.ts';
import type { Clock } from '#server/platform/calendar/clock.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import type { SecretBox } from '#server/platform/secrets/secret-box.ts';
import { honestAboutMail } from '../letters/honest-about-mail.ts';
import { addPasskey, beginPasskey, removePasskey } from '../passkeys/passkey-enrollment.ts';
import type { RefuseBreached } from '../passwords/breached-passwords.ts';
import { changePassword } from '../passwords/change-password.ts';
import {
  beginEnrolment,
  confirmEnrolment,
  removeFactor,
  replaceRecoveryCodes,
} from '../second-factor/code-enrollment.ts';
import { accountCookies } from '../sessions/cookies.ts';
import { endSessionById } from '../sessions/queries.ts';
import { recordActivity } from '../sessions/sessions.ts';
import { confirmPhone, removePhone, requestCode } from './notification-phone.ts';
import { listOptOuts, optIn, optOut, savePreferences, setPrimaryClinicalSetting } from './preferences.ts';
import { profileOf } from './profile.ts';

interface ProfileDeps {
  /** As the app's role. */
  db: Database;
  clock: Clock;
  secrets: SecretBox;
  refuseBreached: RefuseBreached;
  config: Pick<Config, 'publicUrl' | 'demo' | 'smtp' | 'twilio' | 'sessionHours'>;
}

export function profileRoutes({ db, clock, secrets, refuseBreached, config }: ProfileDeps): RegisteredRoute[] {
  const cookies = accountCookies(config.publicUrl);
  const { publicUrl } = config;
  const promising = honestAboutMail(config);
  const enrollment = { db, secrets, publicUrl };
  return [
    route('GET /api/users/profile', ({ user }) => profileOf(db, user, config, clock())),
    route('PUT /api/users/preferences', ({ user, body }) => savePreferences(db, user.userId, body)),
    route('PUT /api/users/password', async ({ user, body, request }) => {
      await refuseBreached(body.newPassword);
      const { deviceToken } = cookies.read(request);
      const change = { ...user, ...body, publicUrl, deviceToken, requestId: request.id };
      await promising(changePassword(db, change, clock()));
    }),
    route('POST /api/users/optIntoMfa', ({ user }) => beginEnrolment(enrollment, user, 'Tidings', clock())),
    route('POST /api/users/mfa/confirm', async ({ user, body, request }) => ({
      recoveryCodes: await confirmEnrolment(enrollment, user, { code: body.code, requestId: request.id }, clock()),
    })),
    route('POST /api/users/mfa/recovery-codes', async ({ user: { userId }, request }) => ({
      recoveryCodes: await replaceRecoveryCodes(enrollment, { userId, requestId: request.id }, clock()),
    })),
    route('DELETE /api/users/mfa', ({ user: { userId }, request }) =>
      removeFactor(enrollment, { userId, requestId: request.id }, clock()),
    ),
    route('POST /api/users/passkeys/options', async ({ user }) => ({
      ...(await beginPasskey(db, user, publicUrl, clock())),
    })),
    route('POST /api/users/passkeys', ({ user, body, request }) =>
      addPasskey(db, user, { ...body, publicUrl, requestId: request.id }, clock()),
    ),
    route('DELETE /api/users/passkeys/:id', ({ user, params, request }) =>
      removePasskey(db, { userId: user.userId, id: params.id, publicUrl, requestId: request.id }, clock()),
    ),
    route('DELETE /api/users/sessions/:id', async ({ user: { userId }, params, request }) => {
      const now = clock();
      await db.transaction(async (tx) => {
        if ((await endSessionById(tx, userId, params.id, now)) === 0) throw new ApiError('NOT_FOUND');
        await auditOwnAccount(tx, userId, { action: 'session.end', requestId: request.id, now });
      });
    }),
    route('POST /api/session/activity', async ({ user }) => ({
      endsAt: await recordActivity(db, user, clock()),
    })),
    route('POST /api/users/notification-phone', async ({ user, body }) => ({
      notificationPhone: await requestCode(db, { userId: user.userId, phone: body.phone, config }, clock()),
    })),
    route('POST /api/users/notification-phone/verify', ({ user: { userId }, body, request }) =>
      confirmPhone(
        db,
        { userId, request: body.notificationPhone, code: body.code, publicUrl, requestId: request.id },
        clock(),
      ),
    ),
    route('DELETE /api/users/notification-phone', ({ user: { userId }, request }) =>
      removePhone(db, { userId, publicUrl, requestId: request.id }, clock()),
    ),
    route('GET /api/resources/primary-clinical-settings', () =>
      Object.entries(PRIMARY_CLINICAL_SETTINGS).map(([code, label]) => ({ code, label })),
    ),
    route('PUT /api/users/primary-clinical-setting', ({ user, query }) =>
      setPrimaryClinicalSetting(db, user.userId, query.primaryClinicalSetting),
    ),
    route('GET /api/alpha/opt-out', ({ user }) => listOptOuts(db, user.userId)),
    route('DELETE /api/alpha/opt-out', ({ user, query }) => optIn(db, user.userId, query.feature)),
    route('POST /api/alpha/opt-out', ({ user, query }) => optOut(db, user.userId, query.feature, clock())),
  ];
}
