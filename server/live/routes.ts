/** `GET /api/live`: the stream of a team's changes. It ends with the session, and with the right to see the team's pings. */
import type { FastifyReply } from 'fastify';
import type { Logger } from 'pino';
import type { LiveEvent } from '#contract/live.ts';
import { type Actor, loadActor } from '#server/access/actor.ts';
import type { Clock } from '#server/clock.ts';
import type { Change } from '#server/database/change-log.ts';
import type { Database } from '#server/database/pool.ts';
import { type RegisteredRoute, route } from '#server/http/route.ts';
import { inboxCounts, liveEventsFor } from './changes.ts';
import type { LiveHub } from './hub.ts';

export interface LiveDeps {
  db: Database;
  hub: LiveHub;
  clock: Clock;
  log: Logger;
  /** Whether the session still stands, without counting as activity. */
  isSessionOpen: (sessionHash: Buffer) => Promise<boolean>;
}

const ALIVE_EVERY = 20_000;
/** More than this in one go is told as 'reload'. */
const MANY = 200;

export function liveRoutes(deps: LiveDeps): RegisteredRoute[] {
  return [
    route('GET /api/live', ({ actor, user, reply }) => {
      openStream(deps, actor, user.sessionHash, reply);
      return reply;
    }),
  ];
}

function openStream(
  { db, hub, clock, log, isSessionOpen }: LiveDeps,
  first: Actor,
  sessionHash: Buffer,
  reply: FastifyReply,
): void {
  reply.hijack();
  const { raw } = reply;
  raw.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
    'x-request-id': reply.request.id,
  });
  let actor = first;
  const send = ({ kind, data }: LiveEvent) => raw.write(`event: ${kind}\ndata: ${JSON.stringify(data)}\n\n`);
  const alive = () => send({ kind: 'alive', data: { at: clock().toISOString() } });
  const close = (reason: string) => {
    send({ kind: 'ended', data: { reason } });
    raw.end();
  };

  let waiting: Change[] = [];
  let sending = false;
  const flush = async () => {
    if (sending) return;
    sending = true;
    try {
      while (waiting.length > 0 && !raw.destroyed) {
        const changes = waiting;
        waiting = [];
        if (changes.length > MANY) send({ kind: 'reload', data: { at: clock().toISOString() } });
        else for (const event of await liveEventsFor(db, actor, changes, clock())) send(event);
      }
    } catch (error) {
      log.warn(
        { err: error, userId: actor.userId, teamId: actor.teamId },
        'Live: changes could not be told; the stream is closed and comes back',
      );
      raw.end();
    } finally {
      sending = false;
    }
  };
  const recheck = () => void check().catch(() => raw.end());
  const unsubscribe = hub.subscribe((changes) => {
    if (changes.some(({ kind, subjectId }) => kind === 'session' && subjectId === actor.userId)) recheck();
    waiting.push(...changes);
    void flush();
  });
  const check = async () => {
    const fresh = (await isSessionOpen(sessionHash)) ? await loadActor(db, actor.userId, actor.teamId) : null;
    if (raw.destroyed) return;
    if (!fresh?.can('canViewPings')) {
      close('The session has ended, or the right to see these pings.');
      return;
    }
    actor = fresh;
    alive();
  };
  const timer = setInterval(recheck, ALIVE_EVERY);
  raw.on('close', () => {
    unsubscribe();
    clearInterval(timer);
  });
  alive();
  void inboxCounts(db, actor).then(
    (counts) => send({ kind: 'counts', data: counts }),
    () => raw.end(),
  );
}
