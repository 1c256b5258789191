import type { Preferences, Profile } from '#contract/users.ts';
import type { SessionUser } from '#server/people/access/session-user.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { managedElsewhere } from '../managed-elsewhere.ts';
import { listPasskeys } from '../passkeys/queries.ts';
import { listSessions } from '../sessions/queries.ts';
import { limitsAt, type SessionConfig } from '../sessions/sessions.ts';
import { daysUntilExpiration } from '../sign-in/account-state.ts';
import { preferencesOf } from './preferences.ts';

interface Row {
  preferences: Partial<Preferences>;
  phone: string | null;
  mfaOptedIn: boolean;
  recoveryCodesLeft: number;
  passwordChangedAt: string | null;
  hasPassword: boolean;
  isManagedElsewhere: boolean;
}

/** Returns the user's own account as the profile page shows it. */
export async function profileOf(db: Queryable, user: SessionUser, config: SessionConfig, now: Date): Promise<Profile> {
  const { rows } = await db.query<Row>(sql`
    select preferences, notification_phone as phone, mfa_opted_in as "mfaOptedIn",
      (select count(*)::integer from recovery_codes c where c.user_id = u.id and c.used_at is null) as "recoveryCodesLeft",
      password_changed_at as "passwordChangedAt", password_hash is not null as "hasPassword",
      ${managedElsewhere} as "isManagedElsewhere"
    from users u where id = ${user.userId}`);
  const [row] = rows;
  if (row === undefined) throw new ApiError('NOT_SIGNED_IN');
  return {
    preferences: preferencesOf(row.preferences),
    notificationPhone: row.phone?.slice(-4) ?? null,
    mfaOptedIn: row.mfaOptedIn,
    recoveryCodesLeft: row.recoveryCodesLeft,
    passkeys: await listPasskeys(db, user.userId),
    sessions: await listSessions(db, user, limitsAt(now, config)),
    daysUntilPasswordExpiration: daysUntilExpiration(row.passwordChangedAt, now),
    hasPassword: row.hasPassword,
    isManagedElsewhere: row.isManagedElsewhere,
  };
}
