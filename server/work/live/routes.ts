/**
 * `GET /api/live`: the stream of a team's changes, for everyone on the team; pings and counts only go to those who may see them, counts of matches to administrators. A user whose
 * permissions change is notified, and the stream goes on with the new ones. It ends with the session, and when the user leaves the team.
 */
import type { FastifyReply } from 'fastify';
import type { LiveEvent } from '#contract/live.ts';
import type { Permission } from '#contract/permissions.ts';
import { type Actor, loadActor } from '#server/people/access/actor.ts';
import { type RegisteredRoute, route } from '#server/people/access/route.ts';
import { type ChannelDeps, Channels, frameOf } from './channels.ts';
import { inboxCounts, reviewCount } from './live-events.ts';
import { UserStreams } from './user-streams.ts';

export interface LiveDeps extends ChannelDeps {
  /** Returns whether the session is still valid. Checking does not count as activity. */
  isSessionOpen: (sessionHash: Buffer) => Promise<boolean>;
}

const ALIVE_EVERY = 20_000;
/** Milliseconds after which the browser may reopen a stream that ended because its user opened many others. */
const RETRY_AFTER = 60_000;
/** The most unsent data of a stream, in bytes. */
const MOST_UNREAD = 256 * 1024;

export function liveRoutes(deps: LiveDeps): RegisteredRoute[] {
  const channels = new Channels(deps);
  const streams = new UserStreams();
  deps.follower.subscribe((changes) => streams.recheck(changes));
  return [
    route('GET /api/live', async ({ actor, user, reply }) => {
      await openStream(deps, { channels, streams }, actor, user.sessionHash, reply);
      return reply;
    }),
  ];
}

/** Resolves once the stream's first data is sent. */
async function openStream(
  { db, search, clock, isSessionOpen }: LiveDeps,
  { channels, streams }: { channels: Channels; streams: UserStreams },
  actor: Actor,
  sessionHash: Buffer,
  reply: FastifyReply,
): Promise<void> {
  reply.hijack();
  const { raw } = reply;
  raw.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
    'x-request-id': reply.request.id,
  });
  const write = (frames: string) => {
    // A write after the end would raise an unhandled error.
    if (raw.destroyed || raw.writableEnded) return;
    raw.write(frames);
    // A client that does not keep up is disconnected; it reconnects and reloads.
    if (raw.writableLength > MOST_UNREAD) raw.destroy();
  };
  const send = (event: LiveEvent) => write(frameOf(event));
  const at = () => ({ at: clock().toISOString() });
  const alive = () => send({ kind: 'alive', data: at() });
  const end = () => raw.end();
  const join = (who: Actor) => channels.join(who, { send: write, fail: end });
  let leave = join(actor);
  let present = actor;

  /** Checks the session and the permissions again. `isGranted`: an administrator changed the user's grants, maybe on another team. */
  const check = async (isGranted: boolean) => {
    const isOpen = await isSessionOpen(sessionHash);
    const fresh = isOpen ? await loadActor(db, actor.userId, actor.teamId) : null;
    if (raw.destroyed || raw.writableEnded) return;
    if (!isOpen) send({ kind: 'ended', data: { reason: 'Your session has ended.' } });
    else if (isGranted || fresh === null || !hasSameRights(present, fresh)) send({ kind: 'rights', data: at() });
    if (fresh === null) return void end();
    // Join before leaving, because a channel without listeners closes and would drop its pending events.
    const next = join(fresh);
    leave();
    leave = next;
    const gains = (flag: Permission) => fresh.can(flag) && !present.can(flag);
    const [gainsPings, gainsReviews] = [gains('canViewPings'), gains('canManageUsers')];
    present = fresh;
    if (gainsPings) void sendCounts(fresh);
    if (gainsReviews) void sendReviews(fresh);
    alive();
  };
  const recheck = (isGranted = false) => void check(isGranted).catch(end);
  const timer = setInterval(recheck, ALIVE_EVERY);
  const forget = streams.add(actor.userId, {
    recheck,
    end: () => {
      if (raw.destroyed || raw.writableEnded) return;
      // Otherwise the browser would be back in seconds, and end the next stream.
      raw.end(`retry: ${RETRY_AFTER}\n\n`);
    },
  });
  raw.on('close', () => {
    forget();
    leave();
    clearInterval(timer);
  });
  alive();
  if (actor.can('canManageUsers')) await sendReviews(actor);
  if (actor.can('canViewPings')) await sendCounts(actor);

  async function sendCounts(who: Actor): Promise<void> {
    await inboxCounts(search, who, clock()).then((counts) => send({ kind: 'counts', data: counts }), end);
  }

  async function sendReviews(who: Actor): Promise<void> {
    await reviewCount(db, who).then(send, end);
  }
}

/** Returns whether two loads of one user hold the same permissions for the same groups. */
function hasSameRights(one: Actor, other: Actor): boolean {
  const listed = ({ permissions }: Actor) =>
    [...permissions].map(([groupId, flags]) => `${groupId} ${[...flags].toSorted().join(' ')}`).toSorted();
  return JSON.stringify(listed(one)) === JSON.stringify(listed(other));
}
