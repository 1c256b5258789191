/**
 * Set-up and changes of feeds. Administrators of the organization and operators can see a feed; changing it takes managing every
 * facility that it lists, before and after the change. Every change can fail with NOT_FOUND (the feed of another organization),
 * NOT_PERMITTED, and BAD_REQUEST with the problems by field.
 */
import { isDeepStrictEqual } from 'node:util';
import { DEFAULT_FEED_SETTINGS } from '#contract/feed-defaults.ts';
import type { FeedAsSet, FeedFields } from '#contract/feeds.ts';
import type { RouteAnswer, RouteInput } from '#contract/routes.ts';
import type { ActorCall } from '#server/people/access/actor.ts';
import { checkCovers } from '#server/people/admin/admin-scope.ts';
import {
  type AdminDeps,
  administer,
  type Change,
  readAsAdmin,
  rejectDuplicate,
} from '#server/people/admin/administer.ts';
import { organizationOfGroup } from '#server/people/admin/directory/group-queries.ts';
import { enqueueOperatorMail } from '#server/people/admin/operator-mails.ts';
import { changedValues } from '#server/people/audit/changed-values.ts';
import { checkVersion } from '#server/people/audit/check-version.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { senderDetail, waitingSender } from './approve-feeds.ts';
import { checkFacilities, checkSender } from './check-sender.ts';
import { lockFeeds } from './feed-lookup.ts';
import { checkFeed } from './list-feeds.ts';
import type { SenderFields, StoredFeed } from './queries.ts';
import * as queries from './queries.ts';

export function getFeed({ db }: AdminDeps, { actor }: Pick<ActorCall, 'actor'>, id: string): Promise<FeedAsSet> {
  return readAsAdmin(db, actor, async (tx) => {
    await checkFeed(tx, id);
    return asSet(await queries.readFeed(tx, id));
  });
}

/**
 * Sets up a feed in the organization of its facilities. An operator's own feed is approved: quarantined messages of its sender are
 * assigned to it and stay in quarantine until they are replayed; the answer counts them. Any other waits for an operator
 * (`approve-feeds.ts`): also a FHIR feed, whose messages come with its tokens, because it brings visits of its facilities to everyone who lists
 * the patients. Further errors: NAME_TAKEN.
 */
export function addFeed(
  { db }: AdminDeps,
  deed: ActorCall,
  { kind, ...wanted }: FeedFields & { kind: 'MLLP' | 'FHIR' },
): Promise<RouteAnswer<'POST /api/admin/feeds'>> {
  const fields = storedFields(wanted);
  return administer(db, deed, async (change) => {
    const { tx, scope, now, audit } = change;
    const organizationId = scope.isOperator
      ? await organizationOfGroup(tx, fields.facilities[0]?.groupId ?? '')
      : scope.organizationId;
    await checkFacilities(change, organizationId, fields.facilities);
    if (kind === 'MLLP') await checkSender(change, { id: null, organizationId, ...fields });
    await lockFeeds(tx);
    const approvedBy = scope.isOperator ? scope.userId : null;
    const insert = queries.insertFeed(tx, { ...fields, kind, organizationId, approvedBy }, now);
    const id = await rejectDuplicate('NAME_TAKEN', insert);
    const messages = approvedBy === null ? 0 : await queries.adoptMessages(tx, id);
    if (approvedBy === null) await askOperators(change, id);
    const detail = { kind, ...senderDetail(fields), messages, isWaiting: approvedBy === null };
    await audit({ action: 'feed.add', subject: 'feed', subjectId: id, detail });
    return { id, messages, isWaiting: approvedBy === null };
  });
}

/**
 * Changes a feed for the messages it receives from now on; older ones can be replayed. An administrator's new sender or facility
 * identifier waits for an operator, and the feed runs with its old ones until then. Further errors: NAME_TAKEN, CHANGED_BY_OTHER.
 */
export function changeFeed(
  { db }: AdminDeps,
  deed: ActorCall,
  id: string,
  wanted: RouteInput<'PUT /api/admin/feeds/:id/settings'>['body'],
): Promise<FeedAsSet> {
  const fields = storedFields(wanted);
  return administer(db, deed, async (change) => {
    const { tx, scope, audit } = change;
    const before = await checkOwn(change, id);
    if (before.kind === 'CCDA' && (claimsMore(before.sender, fields) || isRenamed(before.sender, fields))) {
      throw new ApiError('BAD_REQUEST', { message: DOCUMENTS_OF_ONE });
    }
    if (before.kind === 'FHIR' && isRenamed(before.sender, fields)) {
      throw new ApiError('BAD_REQUEST', { message: KNOWN_BY_TOKENS });
    }
    await checkVersion(tx, { subject: 'feed', id, current: before, read: wanted.version });
    const organizationId = await queries.organizationOfFeed(tx, id);
    await checkFacilities(change, organizationId, fields.facilities);
    if (isRenamed(before.proposal ?? before.sender, fields))
      await checkSender(change, { id, organizationId, ...fields });
    await lockFeeds(tx);
    await rejectDuplicate('NAME_TAKEN', queries.updateReading(tx, id, fields));
    const claims = before.kind !== 'CCDA' && claimsMore(before.sender, fields);
    const waits = before.isApproved && claims && !isByOperator(change, before, fields);
    if (waits) await queries.setProposal(tx, id, senderOf(fields));
    else await queries.updateSender(tx, id, fields);
    if (!waits && before.isApproved && isRenamed(before.sender, fields)) await queries.adoptMessages(tx, id);
    const isWaiting = waits || !before.isApproved;
    const asked = waitingSender(before);
    if (isWaiting && !scope.isOperator && (asked === null || claimsMore(asked, fields))) await askOperators(change, id);
    const detail = { changes: changesOf(asSet(before), fields), isWaiting };
    await audit({ action: 'feed.change', subject: 'feed', subjectId: id, detail });
    return asSet(await queries.readFeed(tx, id));
  });
}

const DOCUMENTS_OF_ONE = 'A feed of documents belongs to one facility. Set up another feed for another facility.';

const KNOWN_BY_TOKENS = 'The sender of a FHIR feed is known by its tokens, so it can’t be named.';

/** Mails operators that a sender waits, and records who gets their decision. */
async function askOperators({ tx, scope }: Change, id: string): Promise<void> {
  await queries.setAskedBy(tx, id, scope.userId);
  await enqueueOperatorMail(tx, 'sender');
}

/** An operator who saves a feed with a proposal unchanged has not approved it: that is a step of its own. */
const isByOperator = ({ scope }: Change, { proposal }: StoredFeed, after: SenderFields): boolean =>
  scope.isOperator && (proposal === null || claimsMore(proposal, after));

const isRenamed = (before: SenderFields, after: SenderFields): boolean =>
  before.sendingApplication !== after.sendingApplication || before.sendingFacility !== after.sendingFacility;

/** Whether the change names another sender, or an identifier that the feed doesn't list for that facility. */
const claimsMore = (before: SenderFields, after: SenderFields): boolean =>
  isRenamed(before, after) ||
  after.facilities.some(
    ({ identifier, groupId }) =>
      !before.facilities.some((entry) => entry.identifier === identifier && entry.groupId === groupId),
  );

/** Pauses a feed: its messages are still stored and acknowledged, but wait in quarantine. */
export function pauseFeed({ db }: AdminDeps, deed: ActorCall, id: string): Promise<void> {
  return administer(db, deed, async (change) => {
    const { tx, now, audit } = change;
    await checkOwn(change, id);
    await lockFeeds(tx);
    if (await queries.setPaused(tx, id, now)) await audit({ action: 'feed.pause', subject: 'feed', subjectId: id });
  });
}

/** Resumes a feed and replays everything in its quarantine. Returns how many messages. */
export function resumeFeed({ db }: AdminDeps, deed: ActorCall, id: string): Promise<{ messages: number }> {
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
export function endFeed({ db }: AdminDeps, deed: ActorCall, id: string): Promise<void> {
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
async function checkOwn({ tx, scope }: Change, id: string): Promise<StoredFeed> {
  await checkFeed(tx, id);
  const stored = await queries.readFeed(tx, id);
  const listed = [...stored.sender.facilities, ...(stored.proposal?.facilities ?? [])];
  checkCovers(
    scope,
    listed.map(({ groupId }) => groupId),
  );
  return stored;
}

/** Returns the feed as its administrators want it: with what waits for approval. */
const asSet = ({ name, settings, isBackfill, isApproved, sender, proposal, version }: StoredFeed): FeedAsSet => ({
  name,
  settings,
  isBackfill,
  version,
  ...(proposal ?? sender),
  isWaiting: !isApproved || proposal !== null,
});

const senderOf = ({ sendingApplication, sendingFacility, facilities }: FeedFields): SenderFields => ({
  sendingApplication,
  sendingFacility,
  facilities,
});

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

/** Returns what fields and settings were and became. A setting that has its default is null. */
function changesOf(before: FeedAsSet, after: FeedFields) {
  const fields = ['name', 'sendingApplication', 'sendingFacility', 'isBackfill', 'facilities'] as const;
  const stored: Record<string, unknown> = before.settings;
  const wanted: Record<string, unknown> = after.settings;
  const settings = Object.entries(changedValues(stored, wanted, Object.keys({ ...stored, ...wanted })));
  const named = settings.map(([name, values]) => [`settings.${name}`, values] as const);
  return { ...changedValues(before, after, fields), ...Object.fromEntries(named) };
}
