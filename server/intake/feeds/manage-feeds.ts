/**
 * Set-up and changes of feeds. Administrators of the organization and operators can see a feed; changing it takes managing every
 * facility that it lists, before and after the change. Every change can fail with NOT_FOUND (the feed of another organization),
 * NOT_PERMITTED, and BAD_REQUEST with the problems by field.
 */
import { isDeepStrictEqual } from 'node:util';
import { DEFAULT_FEED_SETTINGS } from '#contract/feed-defaults.ts';
import type { FeedAsSet, FeedFields } from '#contract/feeds.ts';
import type { RouteAnswer, RouteInput } from '#contract/routes.ts';
import { checkCovers, covers } from '#server/people/admin/admin-scope.ts';
import {
  type AdminCall,
  type AdminDeps,
  administer,
  type Change,
  readAsAdmin,
  rejectDuplicate,
} from '#server/people/admin/administer.ts';
import { organizationOfGroup } from '#server/people/admin/directory/group-queries.ts';
import { checkGroupsOf } from '#server/people/admin/directory/team-queries.ts';
import { changedValues } from '#server/people/audit/changed-values.ts';
import { checkVersion } from '#server/people/audit/check-version.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { lockFeeds } from './feed-lookup.ts';
import { checkFeed } from './list-feeds.ts';
import * as queries from './queries.ts';

export function getFeed({ db }: AdminDeps, { actor }: Pick<AdminCall, 'actor'>, id: string): Promise<FeedAsSet> {
  return readAsAdmin(db, actor, async (tx) => {
    await checkFeed(tx, id);
    return queries.readFeed(tx, id);
  });
}

/**
 * Sets up a feed in the organization of its facilities. Quarantined messages of its sender are assigned to it and stay in quarantine
 * until they are replayed; the answer counts them. Further errors: NAME_TAKEN.
 */
export function addFeed(
  { db }: AdminDeps,
  deed: AdminCall,
  wanted: FeedFields,
): Promise<RouteAnswer<'POST /api/admin/feeds'>> {
  const fields = storedFields(wanted);
  return administer(db, deed, async (change) => {
    const { tx, scope, now, audit } = change;
    const organizationId = scope.isOperator
      ? await organizationOfGroup(tx, fields.facilities[0]?.groupId ?? '')
      : scope.organizationId;
    await checkFacilities(change, organizationId, fields.facilities);
    await checkSender(change, { id: null, organizationId, ...fields });
    await lockFeeds(tx);
    const id = await rejectDuplicate('NAME_TAKEN', queries.insertFeed(tx, organizationId, fields, now));
    const messages = await queries.adoptMessages(tx, id);
    const { sendingApplication, sendingFacility, facilities } = fields;
    const sender = [sendingApplication, sendingFacility].filter((name) => name !== null);
    const detail = { sender, facilities, messages };
    await audit({ action: 'feed.add', subject: 'feed', subjectId: id, detail });
    return { id, messages };
  });
}

/** Changes a feed for the messages it receives from now on; older ones can be replayed. Further errors: NAME_TAKEN, CHANGED_BY_OTHER. */
export function changeFeed(
  { db }: AdminDeps,
  deed: AdminCall,
  id: string,
  wanted: RouteInput<'PUT /api/admin/feeds/:id/settings'>['body'],
): Promise<FeedAsSet> {
  const fields = storedFields(wanted);
  return administer(db, deed, async (change) => {
    const { tx, audit } = change;
    const before = await checkOwn(change, id);
    await checkVersion(tx, { subject: 'feed', id, current: before, read: wanted.version });
    const organizationId = await queries.organizationOfFeed(tx, id);
    await checkFacilities(change, organizationId, fields.facilities);
    const senderChanged =
      fields.sendingApplication !== before.sendingApplication || fields.sendingFacility !== before.sendingFacility;
    if (senderChanged) await checkSender(change, { id, organizationId, ...fields });
    await lockFeeds(tx);
    await rejectDuplicate('NAME_TAKEN', queries.updateFeed(tx, id, fields));
    if (senderChanged) await queries.adoptMessages(tx, id);
    const after = await queries.readFeed(tx, id);
    await audit({
      action: 'feed.change',
      subject: 'feed',
      subjectId: id,
      detail: { changes: changesOf(before, after) },
    });
    return after;
  });
}

/** Pauses a feed: its messages are still stored and acknowledged, but wait in quarantine. */
export function pauseFeed({ db }: AdminDeps, deed: AdminCall, id: string): Promise<void> {
  return administer(db, deed, async (change) => {
    const { tx, now, audit } = change;
    await checkOwn(change, id);
    await lockFeeds(tx);
    if (await queries.setPaused(tx, id, now)) await audit({ action: 'feed.pause', subject: 'feed', subjectId: id });
  });
}

/** Resumes a feed and replays everything in its quarantine. Returns how many messages. */
export function resumeFeed({ db }: AdminDeps, deed: AdminCall, id: string): Promise<{ messages: number }> {
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

/** Ends a feed; its row stays (docs/decisions/0021). Further errors: STILL_NEEDED if it is paused and has messages waiting. */
export function endFeed({ db }: AdminDeps, deed: AdminCall, id: string): Promise<void> {
  return administer(db, deed, async (change) => {
    const { tx, now, audit } = change;
    await checkOwn(change, id);
    await lockFeeds(tx);
    if (await queries.holdsMessages(tx, id)) {
      throw new ApiError('STILL_NEEDED', { message: 'This feed is paused and has messages waiting. Resume it first.' });
    }
    await queries.endFeed(tx, id, now);
    await audit({ action: 'feed.end', subject: 'feed', subjectId: id });
  });
}

/** Returns the stored feed. Throws NOT_PERMITTED if the administrator doesn't manage all of its facilities. */
async function checkOwn({ tx, scope }: Change, id: string): Promise<FeedAsSet> {
  await checkFeed(tx, id);
  const stored = await queries.readFeed(tx, id);
  checkCovers(
    scope,
    stored.facilities.map(({ groupId }) => groupId),
  );
  return stored;
}

/** Returns the fields as they are stored: an empty sender is null, and settings equal to the defaults are left out. */
function storedFields(wanted: FeedFields): FeedFields {
  const { name, sendingApplication, sendingFacility, facilities, isBackfill } = wanted;
  const defaults: Record<string, unknown> = { ...DEFAULT_FEED_SETTINGS };
  const own = Object.entries(wanted.settings).filter(([key, value]) => !isDeepStrictEqual(value, defaults[key]));
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
  if (twice >= 0) refuse(`facilities.${twice}.identifier`, 'This identifier is listed twice.');
  const groupIds = facilities.map(({ groupId }) => groupId);
  await checkGroupsOf(tx, organizationId, groupIds);
  const programs = await queries.programsAmong(tx, groupIds);
  const program = groupIds.findIndex((groupId) => programs.has(groupId));
  if (program >= 0) refuse(`facilities.${program}.groupId`, "Programs don't report stays. Choose a facility.");
  const foreign = groupIds.findIndex((groupId) => !covers(scope, groupId));
  if (foreign >= 0) {
    throw new ApiError('NOT_PERMITTED', {
      fields: { [`facilities.${foreign}.groupId`]: "You don't manage this facility." },
    });
  }
}

/**
 * Each sender belongs to one feed. Administrators can't take messages away from a feed they don't manage, neither by naming its sender
 * more precisely nor after it has ended. Only operators can leave MSH-4 open, because such a feed also receives other senders' messages.
 */
async function checkSender(
  { tx, scope }: Change,
  of: Pick<FeedFields, 'sendingApplication' | 'sendingFacility'> & { id: string | null; organizationId: string },
): Promise<void> {
  const { sendingApplication, sendingFacility } = of;
  if (sendingFacility === null && !(scope.isOperator && sendingApplication !== null)) {
    refuse(
      'sendingFacility',
      "Enter the sending facility. Without it, the feed would also receive other senders' messages.",
    );
  }
  for (const feed of await queries.feedsInReach(tx, of)) {
    const isOwn =
      scope.isOperator ||
      (feed.organizationId === of.organizationId && feed.groupIds.every((groupId) => covers(scope, groupId)));
    if (!isOwn) refuse('sendingFacility', "This sender belongs to a feed that you don't manage.");
    if (feed.isSame) refuse('sendingFacility', `${feed.name} already has this sending application and facility.`);
  }
}

function refuse(field: string, message: string): never {
  throw new ApiError('BAD_REQUEST', { fields: { [field]: message } });
}

/** Returns what fields and settings were and became. A setting that has its default is null. */
function changesOf(before: FeedAsSet, after: FeedAsSet) {
  const fields = ['name', 'sendingApplication', 'sendingFacility', 'isBackfill', 'facilities'] as const;
  const settings = Object.entries(
    changedValues(before.settings, after.settings, Object.keys({ ...before.settings, ...after.settings })),
  );
  const named = settings.map(([name, values]) => [`settings.${name}`, values] as const);
  return { ...changedValues(before, after, fields), ...Object.fromEntries(named) };
}
