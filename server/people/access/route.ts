import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { RouteAnswer, RouteKey, Routes } from '#contract/routes.ts';
import type { Actor } from './actor.ts';
import type { SessionUser } from './session-user.ts';

type Part<K extends RouteKey, P extends string> =
  Routes[K] extends Record<P, infer S extends z.ZodType> ? z.output<S> : undefined;

type Level<K extends RouteKey> = Routes[K]['permission'];

/** What a handler gets: the parts of the request as their schemas made them, and who calls. */
export interface RouteContext<K extends RouteKey> {
  params: Part<K, 'params'>;
  query: Part<K, 'query'>;
  body: Part<K, 'body'>;
  /** Who is signed in; undefined on a public route. */
  user: Level<K> extends 'public' ? undefined : SessionUser;
  /** The user in the selected team, who holds the route's flag, or one of them, for a group of it, where it has any; undefined on public and signed-in routes. */
  actor: Level<K> extends 'public' | 'signed-in' ? undefined : Actor;
  request: FastifyRequest;
  reply: FastifyReply;
}

/** A stream, download or form answers through `reply` and returns it; all others return what the contract says. */
export type HandlerResult<K extends RouteKey> = Routes[K] extends { kind: 'stream' | 'download' | 'form' }
  ? FastifyReply
  : RouteAnswer<K>;

export type Handler<K extends RouteKey> = (context: RouteContext<K>) => Promise<HandlerResult<K>> | HandlerResult<K>;

/** A row of the contract's table with what it calls; made by `route()`, taken by `buildHttp()`. */
export interface RegisteredRoute {
  readonly key: RouteKey;
  readonly handler: (context: never) => unknown;
}

/** Binds a row of the contract's table to its handler. Who may call it is what the table says, and nowhere else. */
export function route<K extends RouteKey>(key: K, handler: Handler<K>): RegisteredRoute {
  return { key, handler };
}
