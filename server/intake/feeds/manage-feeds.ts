/**
 * Feeds: who sends, for which facilities, and how it writes. Shown to administrators of the organisation, and to operators; changed by
 * who manages every facility that the feed names, before and after. Errors of all that change one: NOT_FOUND where it is another
 * organisation's, NOT_PERMITTED, and BAD_REQUEST with what is wrong by field.
 */
import { isDeepStrictEqual } from 'node:util';
import type { FeedFields } from '#contract/feeds.ts';
import type { RouteAnswer, RouteInput } from '#contract/routes.ts';
import { DEFAULT_FEED_SETTINGS, feedSettingsSchema } from '#server/intake/hl7/feed-settings.ts';
import { checkCovers, covers } from '#server/people/admin/admin-scope.ts';
import { type AdminDeps, administer, type Change, type Deed, look, orTaken } from '#server/people/admin/administer.ts';
import { checkGroupsOf, organizationOfGroup } from '#server/people/admin/queries.ts';
import { checkVersion } from '#server/people/audit/check-version.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { lockFeeds } from './feed-lookup.ts';
import { checkFeed } from './list-feeds.ts';
import * as queries from './queries.ts';

type FeedAnswer = RouteAnswer<'GET /api/admin/feeds/:id/settings'>;

export function getFeed({ db }: AdminDeps, { actor }: Pick<Deed, 'actor'>, id: string): Promise<FeedAnswer> {
  return look(db, actor, async (tx) => {
    await checkFeed(tx, id);
    return queries.readFeed(tx, id);
  });
}

/**
 * Sets up a feed in the organisation of its facilities. Messages of its sender that wait already become the feed's; they stay in
 * quarantine until they are replayed, and are counted in the answer. Further errors: NAME_TAKEN.
 */
export function addFeed(
  { db }: AdminDeps,
  deed: Deed,
  wanted: FeedFields,
): Promise<RouteAnswer<'POST /api/admin/feeds'>> {
  const fields = checkedFields(wanted);
  return administer(db, deed, async (change) => {
    const { tx, scope, now, audit } = change;
    const organizationId = scope.isOperator
      ? await organizationOfGroup(tx, fields.facilities[0]?.groupId ?? '')
      : scope.organizationId;
    await checkFacilities(change, organizationId, fields.facilities);
    await checkSender(change, { id: null, organizationId, ...fields });
    await lockFeeds(tx);
    const id = await orTaken('NAME_TAKEN', queries.insertFeed(tx, organizationId, fields, now));
    const messages = await queries.adoptMessages(tx, id);
    const { sendingApplication, sendingFacility, facilities } = fields;
    const sender = [sendingApplication, sendingFacility].filter((name) => name !== null);
    const detail = { sender, facilities, messages };
    await audit({ action: 'feed.add', subject: 'feed', subjectId: id, detail });
    return { id, messages };
  });
}

/** In force for the messages that come from now on; older ones are replayed by hand. Further errors: NAME_TAKEN, CHANGED_BY_OTHER. */
export function changeFeed(
  { db }: AdminDeps,
  deed: Deed,
  id: string,
  wanted: RouteInput<'PUT /api/admin/feeds/:id/settings'>['body'],
): Promise<FeedAnswer> {
  const fields = checkedFields(wanted);
  return administer(db, deed, async (change) => {
    const { tx, audit } = change;
    const before = await checkOwn(change, id);
    await checkVersion(tx, { subject: 'feed', id, current: before, read: wanted.version });
    const organizationId = await queries.organizationOfFeed(tx, id);
    await checkFacilities(change, organizationId, fields.facilities);
    const hasMoved =
      fields.sendingApplication !== before.sendingApplication || fields.sendingFacility !== before.sendingFacility;
    if (hasMoved) await checkSender(change, { id, organizationId, ...fields });
    await lockFeeds(tx);
    await orTaken('NAME_TAKEN', queries.updateFeed(tx, id, fields));
    if (hasMoved) await queries.adoptMessages(tx, id);
    const detail = { ...changed(before, fields), isBackfill: fields.isBackfill, facilities: fields.facilities };
    await audit({ action: 'feed.change', subject: 'feed', subjectId: id, detail });
    return queries.readFeed(tx, id);
  });
}

/** From now on its messages are stored and acknowledged as ever, and kept in quarantine. */
export function pauseFeed({ db }: AdminDeps, deed: Deed, id: string): Promise<void> {
  return administer(db, deed, async (change) => {
    const { tx, now, audit } = change;
    await checkOwn(change, id);
    await lockFeeds(tx);
    if (await queries.setPaused(tx, id, now)) await audit({ action: 'feed.pause', subject: 'feed', subjectId: id });
  });
}

/** Answers how many messages are processed now: all that stands in its quarantine. */
export function resumeFeed({ db }: AdminDeps, deed: Deed, id: string): Promise<{ messages: number }> {
  return administer(db, deed, async (change) => {
    const { tx, audit } = change;
    await checkOwn(change, id);
    await lockFeeds(tx);
    if (!(await queries.setPaused(tx, id, null))) return { messages: 0 };
    const messages = await queries.requeueQuarantined(tx, id);
    await audit({ action: 'feed.resume', subject: 'feed', subjectId: id, detail: { messages } });
    return { messages };
  });
}

/** Its row stays (docs/decisions/0021). Further errors: STILL_NEEDED where it is paused and messages wait for it. */
export function endFeed({ db }: AdminDeps, deed: Deed, id: string): Promise<void> {
  return administer(db, deed, async (change) => {
    const { tx, now, audit } = change;
    await checkOwn(change, id);
    await lockFeeds(tx);
    if (await queries.keepsMessages(tx, id)) {
      throw new ApiError('STILL_NEEDED', { message: 'Messages wait for this feed, which is paused: resume it first.' });
    }
    await queries.endFeed(tx, id, now);
    await audit({ action: 'feed.end', subject: 'feed', subjectId: id });
  });
}

/** The feed as it stands, whose facilities are all the administrator's to manage. */
async function checkOwn({ tx, scope }: Change, id: string): Promise<FeedAnswer> {
  await checkFeed(tx, id);
  const stands = await queries.readFeed(tx, id);
  checkCovers(
    scope,
    stands.facilities.map(({ groupId }) => groupId),
  );
  return stands;
}

/** As they are kept: no empty name of a sender, and of the settings what differs from the defaults. */
function checkedFields(wanted: FeedFields): FeedFields {
  const { data, error } = feedSettingsSchema.partial().safeParse(wanted.settings);
  if (error) {
    const fields = error.issues.map(({ path, message }) => [['settings', ...path].join('.'), message]);
    throw new ApiError('BAD_REQUEST', { fields: Object.fromEntries(fields) as Record<string, string> });
  }
  const { name, sendingApplication, sendingFacility, facilities, isBackfill } = wanted;
  const defaults: Record<string, unknown> = { ...DEFAULT_FEED_SETTINGS };
  const own = Object.entries(data).filter(([key, value]) => !isDeepStrictEqual(value, defaults[key]));
  return {
    name,
    sendingApplication: sendingApplication || null,
    sendingFacility: sendingFacility || null,
    settings: Object.fromEntries(own),
    facilities,
    isBackfill,
  };
}

async function checkFacilities(
  { tx, scope }: Change,
  organizationId: string,
  facilities: FeedFields['facilities'],
): Promise<void> {
  const identifiers = facilities.map(({ identifier }) => identifier);
  const twice = identifiers.findIndex((identifier, index) => identifiers.indexOf(identifier) < index);
  if (twice >= 0) refuse(`facilities.${twice}.identifier`, 'This identifier is there twice.');
  const groupIds = facilities.map(({ groupId }) => groupId);
  await checkGroupsOf(tx, organizationId, groupIds);
  const programs = await queries.programsAmong(tx, groupIds);
  const program = groupIds.findIndex((groupId) => programs.has(groupId));
  if (program >= 0) refuse(`facilities.${program}.groupId`, 'A program reports no stays.');
  const foreign = groupIds.findIndex((groupId) => !covers(scope, groupId));
  if (foreign >= 0) {
    throw new ApiError('NOT_PERMITTED', {
      fields: { [`facilities.${foreign}.groupId`]: 'This facility is not yours to manage.' },
    });
  }
}

/**
 * A sender is one feed's, and nobody takes messages away from a feed that he or she does not manage, be it by naming its sender more
 * closely, or after it has ended. Left open, MSH-4 stands for the senders of others too: that is for operators.
 */
async function checkSender(
  { tx, scope }: Change,
  of: Pick<FeedFields, 'sendingApplication' | 'sendingFacility'> & { id: string | null; organizationId: string },
): Promise<void> {
  const { sendingApplication, sendingFacility } = of;
  if (sendingFacility === null && !(scope.isOperator && sendingApplication !== null)) {
    refuse('sendingFacility', 'Enter the sending facility: left open, messages of others would be taken too.');
  }
  for (const feed of await queries.feedsInReach(tx, of)) {
    const isOwn =
      scope.isOperator ||
      (feed.organizationId === of.organizationId && feed.groupIds.every((groupId) => covers(scope, groupId)));
    if (!isOwn) refuse('sendingFacility', 'Messages of this sender are those of a feed that is not yours to manage.');
    if (feed.isSame) refuse('sendingFacility', `These are the sending application and facility of ${feed.name}.`);
  }
}

function refuse(field: string, message: string): never {
  throw new ApiError('BAD_REQUEST', { fields: { [field]: message } });
}

/** Names of fields and settings that are others now. */
function changed(before: FeedFields, after: FeedFields): { fields: string[]; settings: string[] } {
  const fields = (['name', 'sendingApplication', 'sendingFacility'] as const).filter(
    (name) => before[name] !== after[name],
  );
  const settings = Object.keys({ ...before.settings, ...after.settings }).filter(
    (name) => !isDeepStrictEqual(before.settings[name], after.settings[name]),
  );
  return { fields, settings };
}
