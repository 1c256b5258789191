import { DEFAULT_PREFERENCES, OPT_OUT_FEATURES, type Preferences } from '#contract/users.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { badField } from '#server/platform/http/api-error.ts';

type Feature = (typeof OPT_OUT_FEATURES)[number];

/** Fills in the defaults of what the user never chose. */
export const preferencesOf = (kept: Partial<Preferences>): Preferences => ({ ...DEFAULT_PREFERENCES, ...kept });

/** Throws BAD_REQUEST for an unknown time zone. */
export async function savePreferences(db: Queryable, userId: string, preferences: Preferences): Promise<void> {
  if (!isTimeZone(preferences.timeZone)) {
    throw badField('timeZone', 'Choose a time zone from the list.');
  }
  await db.query(sql`update users set preferences = ${JSON.stringify(preferences)}::jsonb where id = ${userId}`);
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

export async function setPrimaryClinicalSetting(db: Queryable, userId: string, setting: string): Promise<void> {
  await db.query(sql`update users set primary_clinical_setting = ${setting} where id = ${userId}`);
}

/** Returns the features that the user has opted out of and that still exist. */
export async function listOptOuts(db: Queryable, userId: string): Promise<Feature[]> {
  const { rows } = await db.query<{ feature: Feature }>(
    sql`select feature from opt_outs where user_id = ${userId} order by created_at, feature`,
  );
  return rows.map(({ feature }) => feature).filter((feature) => OPT_OUT_FEATURES.includes(feature));
}

export async function optOut(db: Queryable, userId: string, feature: Feature, now: Date): Promise<void> {
  await db.query(sql`
    insert into opt_outs (user_id, feature, created_at) values (${userId}, ${feature}, ${now}) on conflict do nothing`);
}

/** Takes an opt-out back. */
export async function optIn(db: Queryable, userId: string, feature: Feature): Promise<void> {
  await db.query(sql`delete from opt_outs where user_id = ${userId} and feature = ${feature}`);
}
