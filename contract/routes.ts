/**
 * The API in one table, joined from one file per domain (`routes/`): method and path, who may call it, what it takes and what it
 * returns. Server, client, documents and the test of every route × role × foreign team derive from it. A route that is not here
 * does not exist.
 */
import type { z } from 'zod';
import { accessRequestsRoutes } from './routes/access-requests.ts';
import { careRoutes } from './routes/care.ts';
import { changesRoutes } from './routes/changes.ts';
import { connectionsRoutes } from './routes/connections.ts';
import { consentsRoutes } from './routes/consents.ts';
import { contactAttemptsRoutes } from './routes/contact-attempts.ts';
import { directoryRoutes } from './routes/directory.ts';
import { emergencyRoutes } from './routes/emergency.ts';
import { exportsRoutes } from './routes/exports.ts';
import { feedsRoutes } from './routes/feeds.ts';
import { liveRoutes } from './routes/live.ts';
import { messagesRoutes } from './routes/messages.ts';
import { passwordsRoutes } from './routes/passwords.ts';
import { patientsRoutes } from './routes/patients.ts';
import { pingsRoutes } from './routes/pings.ts';
import { profileRoutes } from './routes/profile.ts';
import { recordSettingsRoutes } from './routes/record-settings.ts';
import { reviewsRoutes } from './routes/reviews.ts';
import { rostersRoutes } from './routes/rosters.ts';
import type { RouteTable } from './routes/route.ts';
import { savedFiltersRoutes } from './routes/saved-filters.ts';
import { searchRoutes } from './routes/search.ts';
import { sessionRoutes } from './routes/session.ts';
import { signInRoutes } from './routes/sign-in.ts';
import { signInPolicyRoutes } from './routes/sign-in-policy.ts';
import { ssoRoutes } from './routes/sso.ts';
import { storyRoutes } from './routes/story.ts';
import { tagsRoutes } from './routes/tags.ts';
import { usageRoutes } from './routes/usage.ts';
import { usersRoutes } from './routes/users.ts';

export type { Route } from './routes/route.ts';

export const routes = {
  ...signInRoutes,
  ...ssoRoutes,
  ...passwordsRoutes,
  ...sessionRoutes,
  ...profileRoutes,
  ...accessRequestsRoutes,
  ...usersRoutes,
  ...directoryRoutes,
  ...connectionsRoutes,
  ...signInPolicyRoutes,
  ...recordSettingsRoutes,
  ...changesRoutes,
  ...feedsRoutes,
  ...messagesRoutes,
  ...reviewsRoutes,
  ...pingsRoutes,
  ...patientsRoutes,
  ...tagsRoutes,
  ...contactAttemptsRoutes,
  ...careRoutes,
  ...consentsRoutes,
  ...emergencyRoutes,
  ...storyRoutes,
  ...searchRoutes,
  ...savedFiltersRoutes,
  ...rostersRoutes,
  ...liveRoutes,
  ...exportsRoutes,
  ...usageRoutes,
} as const satisfies RouteTable;

export type Routes = typeof routes;
export type RouteKey = keyof Routes;

type In<T> = T extends z.ZodType ? z.input<T> : never;
type Field<R, K extends string> = R extends Record<K, infer S> ? S : never;

/** What a caller passes to a route: only the parts that the route has. */
export type RouteInput<K extends RouteKey> = ([Field<Routes[K], 'params'>] extends [never]
  ? unknown
  : { params: In<Field<Routes[K], 'params'>> }) &
  ([Field<Routes[K], 'query'>] extends [never] ? unknown : { query: In<Field<Routes[K], 'query'>> }) &
  ([Field<Routes[K], 'body'>] extends [never] ? unknown : { body: In<Field<Routes[K], 'body'>> });

/** What a route returns; void for a route without a body. */
export type RouteAnswer<K extends RouteKey> = [Field<Routes[K], 'answer'>] extends [never]
  ? void
  : z.output<Field<Routes[K], 'answer'> & z.ZodType>;
