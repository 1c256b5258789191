/**
 * Operators approve who a feed claims to receive from. MSH-3 and MSH-4 are only claims: without an approval, the first organization to
 * name a sender would read its waiting messages. Errors of both: NOT_FOUND, NOT_PERMITTED, CHANGED_BY_OTHER if the claim is no longer
 * the one that the operator saw. Whoever asked gets the decision by mail.
 */
import type { ActorCall } from '#server/people/access/actor.ts';
import { mailDecision } from '#server/people/accounts/letters/send-letters.ts';
import { type AdminDeps, administer, type Change, rejectDuplicate } from '#server/people/admin/administer.ts';
import { checkVersion } from '#server/people/audit/check-version.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { checkFacilities, checkSender } from './check-sender.ts';
import { lockFeeds } from './feed-lookup.ts';
import { checkFeed } from './list-feeds.ts';
import type { SenderFields, StoredFeed } from './queries.ts';
import * as queries from './queries.ts';

/**
 * Puts the claimed sender in force, assigns its waiting messages to the feed and replays everything in the feed's quarantine. Returns how
 * many messages; none if the feed is paused, because resuming it replays them.
 */
export function approveFeed(
  { db, publicUrl }: AdminDeps,
  deed: ActorCall,
  id: string,
  read: string,
): Promise<{ messages: number }> {
  return administer(db, deed, async (change) => {
    const { tx, scope, now, audit } = change;
    const wanted = await claimOf(change, id, read);
    const organizationId = await queries.organizationOfFeed(tx, id);
    await checkFacilities(change, organizationId, wanted.facilities);
    await checkSender(change, { id, organizationId, ...wanted });
    await lockFeeds(tx);
    await queries.updateSender(tx, id, wanted);
    await rejectDuplicate('NAME_TAKEN', queries.setApproved(tx, id, scope.userId, now));
    await queries.adoptMessages(tx, id);
    const messages = await queries.replayUnlessPaused(tx, id);
    const detail = { ...senderDetail(wanted), messages };
    await audit({ action: 'feed.approve', subject: 'feed', subjectId: id, detail });
    await mailAsker(change, id, publicUrl, (name) => `The sender of the feed ${name} was approved.`);
    return { messages };
  });
}

/** Drops the claim. A feed that was never approved ends; any other stays as it is. */
export function declineFeed({ db, publicUrl }: AdminDeps, deed: ActorCall, id: string, read: string): Promise<void> {
  return administer(db, deed, async (change) => {
    const { tx, now, audit } = change;
    const wanted = await claimOf(change, id, read);
    await lockFeeds(tx);
    const { isApproved } = await queries.readFeed(tx, id);
    if (isApproved) await queries.setProposal(tx, id, null);
    else await queries.endFeed(tx, id, now);
    await audit({ action: 'feed.decline', subject: 'feed', subjectId: id, detail: senderDetail(wanted) });
    await mailAsker(change, id, publicUrl, (name) =>
      isApproved
        ? `The new sender of the feed ${name} was declined, and the feed runs as before.`
        : `The sender of the feed ${name} was declined, and the feed was removed.`,
    );
  });
}

async function mailAsker(
  { tx, now }: Change,
  id: string,
  publicUrl: string,
  what: (feedName: string) => string,
): Promise<void> {
  const { userId, name } = await queries.askerOf(tx, id);
  if (userId !== null) await mailDecision(tx, { userId, what: what(name), publicUrl }, now);
}

/** Returns the sender that waits. `read`: the version that the operator saw. */
async function claimOf({ tx, scope }: Change, id: string, read: string): Promise<SenderFields> {
  await checkFeed(tx, id);
  if (!scope.isOperator) throw new ApiError('NOT_PERMITTED', { message: 'Only operators can approve senders.' });
  const stored = await queries.readFeed(tx, id);
  await checkVersion(tx, { subject: 'feed', id, current: stored, read });
  const claim = waitingSender(stored);
  if (claim === null) throw new ApiError('NOT_FOUND');
  return claim;
}

/** Returns the sender that waits for an operator, or null. */
export const waitingSender = ({ isApproved, sender, proposal }: StoredFeed): SenderFields | null =>
  proposal ?? (isApproved ? null : sender);

/** Returns what the audit records of a sender. */
export const senderDetail = ({ sendingApplication, sendingFacility, facilities }: SenderFields) => ({
  sender: [sendingApplication, sendingFacility].filter((name) => name !== null),
  facilities,
});
