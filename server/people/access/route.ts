import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { RouteAnswer, RouteKey, Routes } from '#contract/routes.ts';
import type { Clock } from '#server/platform/calendar/clock.ts';
import type { Actor, ActorCall } from './actor.ts';
import type { SessionUser } from './session-user.ts';

type Part<K extends RouteKey, P extends string> =
  Routes[K] extends Record<P, infer S extends z.ZodType> ? z.output<S> : undefined;

type Level<K extends RouteKey> = Routes[K]['permission'];

/** What a handler receives: the request's parts as parsed by their schemas, and the caller. */
export interface RouteContext<K extends RouteKey> {
  params: Part<K, 'params'>;
  query: Part<K, 'query'>;
  body: Part<K, 'body'>;
  /** The signed-in user; undefined on a public route. */
  user: Level<K> extends 'public' ? undefined : SessionUser;
  /** The user in the selected team, holding one of the route's flags for at least one group; undefined on public and signed-in routes. */
  actor: Level<K> extends 'public' | 'signed-in' ? undefined : Actor;
  request: FastifyRequest;
  reply: FastifyReply;
}

/** The JSON of an answer that another thread has put through the contract's schema already. */
export class ReadyAnswer {
  readonly json: Uint8Array;
  constructor(json: Uint8Array) {
    this.json = json;
  }
}

/** Streams, downloads, forms and pages answer through `reply` and return it; every other handler returns the contract's answer. */
export type HandlerResult<K extends RouteKey> = Routes[K] extends { kind: 'stream' | 'download' | 'form' | 'html' }
  ? FastifyReply
  : RouteAnswer<K> | ReadyAnswer;

export type Handler<K extends RouteKey> = (context: RouteContext<K>) => Promise<HandlerResult<K>> | HandlerResult<K>;

/** A route of the contract's table with its handler: made by `route()`, added to the server by `registerRoutes()`. */
export interface RegisteredRoute {
  readonly key: RouteKey;
  readonly handler: (context: never) => unknown;
  /** Refuses a caller before the body is read, after the limits of its address. Of public routes that know their callers. */
  readonly admit?: Admit | undefined;
}

export type Admit = (request: FastifyRequest) => Promise<void>;

/** Binds a route of the contract's table to its handler. Only the table says who may call it. */
export function route<K extends RouteKey>(key: K, handler: Handler<K>): RegisteredRoute {
  return { key, handler };
}

/** Returns what says of a route's context who calls, when, and in which request. */
export const callAt =
  (clock: Clock) =>
  ({ actor, request }: { actor: Actor; request: FastifyRequest }): ActorCall => ({
    actor,
    now: clock(),
    requestId: request.id,
  });
