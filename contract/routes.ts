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
import { documentsRoutes } from './routes/documents.ts';
import { emergencyRoutes } from './routes/emergency.ts';
import { explanationsRoutes } from './routes/explanations.ts';
import { exportsRoutes } from './routes/exports.ts';
import { facilityLinksRoutes } from './routes/facility-links.ts';
import { feedsRoutes } from './routes/feeds.ts';
import { fhirRoutes } from './routes/fhir.ts';
import { followUpsRoutes } from './routes/follow-ups.ts';
import { hl7ProgramsRoutes } from './routes/hl7-programs.ts';
import { listGapsRoutes } from './routes/list-gaps.ts';
import { liveRoutes } from './routes/live.ts';
import { messagesRoutes } from './routes/messages.ts';
import { notificationsRoutes } from './routes/notifications.ts';
import { passwordsRoutes } from './routes/passwords.ts';
import { patientsRoutes } from './routes/patients.ts';
import { pingsRoutes } from './routes/pings.ts';
import { preAdmitRoutes } from './routes/pre-admit.ts';
import { profileRoutes } from './routes/profile.ts';
import { recordSettingsRoutes } from './routes/record-settings.ts';
import { reportsRoutes } from './routes/reports.ts';
import { reviewsRoutes } from './routes/reviews.ts';
import { risingRiskRoutes } from './routes/rising-risk.ts';
import { rostersRoutes } from './routes/rosters.ts';
import type { RouteTable } from './routes/route.ts';
import { savedFiltersRoutes } from './routes/saved-filters.ts';
import { scimRoutes } from './routes/scim.ts';
import { searchRoutes } from './routes/search.ts';
import { sessionRoutes } from './routes/session.ts';
import { signInRoutes } from './routes/sign-in.ts';
import { signInPolicyRoutes } from './routes/sign-in-policy.ts';
import { spotlightsRoutes } from './routes/spotlights.ts';
import { ssoRoutes } from './routes/sso.ts';
import { storyRoutes } from './routes/story.ts';
import { tagsRoutes } from './routes/tags.ts';
import { usageRoutes } from './routes/usage.ts';
import { usersRoutes } from './routes/users.ts';
import { worklistRoutes } from './routes/worklist.ts';

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
  ...scimRoutes,
  ...signInPolicyRoutes,
  ...recordSettingsRoutes,
  ...risingRiskRoutes,
  ...spotlightsRoutes,
  ...hl7ProgramsRoutes,
  ...listGapsRoutes,
  ...changesRoutes,
  ...reportsRoutes,
  ...feedsRoutes,
  ...messagesRoutes,
  ...reviewsRoutes,
  ...pingsRoutes,
  ...explanationsRoutes,
  ...patientsRoutes,
  ...tagsRoutes,
  ...contactAttemptsRoutes,
  ...followUpsRoutes,
  ...facilityLinksRoutes,
  ...careRoutes,
  ...documentsRoutes,
  ...fhirRoutes,
  ...consentsRoutes,
  ...emergencyRoutes,
  ...storyRoutes,
  ...searchRoutes,
  ...savedFiltersRoutes,
  ...notificationsRoutes,
  ...rostersRoutes,
  ...preAdmitRoutes,
  ...liveRoutes,
  ...worklistRoutes,
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
