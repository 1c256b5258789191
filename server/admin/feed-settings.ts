/** How a feed writes, and which facilities it names: shown and changed by administrators of its organisation, and by operators. */
import { isDeepStrictEqual } from 'node:util';
import type { RouteAnswer, RouteInput } from '#contract/routes.ts';
import { ApiError } from '#server/api-error.ts';
import { checkVersion } from '#server/audit/standing.ts';
import type { Queryable } from '#server/database/pool.ts';
import { sql, versionOf } from '#server/database/sql.ts';
import { checkFeed } from '#server/feeds/health.ts';
import { DEFAULT_FEED_SETTINGS, feedSettingsSchema } from '#server/hl7/feed-settings.ts';
import { type AdminDeps, administer, type Deed, look } from './change.ts';
import { checkGroupsOf } from './queries.ts';
import { checkCovers } from './scope.ts';

type FeedSettingsAnswer = RouteAnswer<'GET /api/admin/feeds/:id/settings'>;
type Wanted = RouteInput<'PUT /api/admin/feeds/:id/settings'>['body'];

/** Throws NOT_FOUND where it is another organisation's. */
export function getFeedSettings(
  { db }: AdminDeps,
  { actor }: Pick<Deed, 'actor'>,
  id: string,
): Promise<FeedSettingsAnswer> {
  return look(db, actor, async (tx) => {
    await checkFeed(tx, id);
    return read(tx, id);
  });
}

/**
 * Puts new settings in force for the messages that come from now on; older ones are replayed by hand. All facilities of the feed,
 * before and after, must be the administrator's to manage. Errors: NOT_FOUND; NOT_PERMITTED; CHANGED_BY_OTHER; BAD_REQUEST with what is wrong by field.
 */
export function changeFeedSettings(
  { db }: AdminDeps,
  deed: Deed,
  id: string,
  wanted: Wanted,
): Promise<FeedSettingsAnswer> {
  const settings = checkedSettings(wanted.settings);
  return administer(db, deed, async ({ tx, scope, audit }) => {
    await checkFeed(tx, id);
    const before = await read(tx, id);
    await checkVersion(tx, { subject: 'feed', id, stands: before, read: wanted.version });
    const groupIds = new Set([...before.facilities, ...wanted.facilities].map(({ groupId }) => groupId));
    await checkFacilities(tx, id, wanted.facilities);
    checkCovers(scope, groupIds);
    await write(tx, id, { ...wanted, settings });
    const fields = Object.keys({ ...before.settings, ...settings }).filter(
      (name) => !isDeepStrictEqual(before.settings[name], settings[name]),
    );
    const detail = { settings: fields, isBackfill: wanted.isBackfill, facilities: wanted.facilities };
    await audit({ action: 'feed.change', subject: 'feed', subjectId: id, detail });
    return read(tx, id);
  });
}

/** What differs from the defaults. */
function checkedSettings(settings: Record<string, unknown>): Record<string, unknown> {
  const { data, error } = feedSettingsSchema.partial().safeParse(settings);
  if (error) {
    const fields = error.issues.map(({ path, message }) => [['settings', ...path].join('.'), message]);
    throw new ApiError('BAD_REQUEST', { fields: Object.fromEntries(fields) as Record<string, string> });
  }
  const defaults: Record<string, unknown> = { ...DEFAULT_FEED_SETTINGS };
  return Object.fromEntries(Object.entries(data).filter(([name, value]) => !isDeepStrictEqual(value, defaults[name])));
}

async function checkFacilities(
  tx: Queryable,
  feedId: string,
  facilities: FeedSettingsAnswer['facilities'],
): Promise<void> {
  const identifiers = facilities.map(({ identifier }) => identifier.trim());
  const twice = identifiers.findIndex((identifier, index) => identifiers.indexOf(identifier) < index);
  if (twice >= 0) {
    throw new ApiError('BAD_REQUEST', {
      fields: { [`facilities.${twice}.identifier`]: 'This identifier is there twice.' },
    });
  }
  const { rows } = await tx.query<{ organization_id: string }>(
    sql`select organization_id from feeds where id = ${feedId}`,
  );
  const groupIds = facilities.map(({ groupId }) => groupId);
  await checkGroupsOf(tx, rows[0]?.organization_id ?? '', groupIds);
  const programs = await tx.query<{ id: string }>(
    sql`select id from groups where id = any (${groupIds}::bigint[]) and type = 'PROGRAM'`,
  );
  const program = groupIds.findIndex((groupId) => programs.rows.some(({ id }) => id === groupId));
  if (program >= 0) {
    throw new ApiError('BAD_REQUEST', { fields: { [`facilities.${program}.groupId`]: 'A program reports no stays.' } });
  }
}

async function read(tx: Queryable, id: string): Promise<FeedSettingsAnswer> {
  const { rows } = await tx.query<FeedSettingsAnswer>(sql`
    select f.settings, f.is_backfill as "isBackfill", named.facilities,
      ${versionOf(sql`f.settings, f.is_backfill, named.facilities`)} as version
    from feeds f cross join lateral (
      select coalesce(jsonb_agg(jsonb_build_object('identifier', ff.identifier, 'groupId', ff.group_id::text,
        'registrationIsVisit', ff.registration_is_visit) order by ff.identifier), '[]') as facilities
      from feed_facilities ff where ff.feed_id = f.id) named
    where f.id = ${id}`);
  return rows[0] as FeedSettingsAnswer;
}

async function write(tx: Queryable, id: string, wanted: Wanted): Promise<void> {
  await tx.query(sql`
    update feeds set settings = ${JSON.stringify(wanted.settings)}, is_backfill = ${wanted.isBackfill} where id = ${id}`);
  await tx.query(sql`delete from feed_facilities where feed_id = ${id}`);
  for (const { identifier, groupId, registrationIsVisit } of wanted.facilities) {
    await tx.query(sql`
      insert into feed_facilities (feed_id, identifier, group_id, registration_is_visit)
      values (${id}, ${identifier.trim()}, ${groupId}, ${registrationIsVisit})`);
  }
}
