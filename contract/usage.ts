/** Usage events and error reports. */
import { z } from 'zod';

export const APPLICATION_LOCATIONS = [
  'patient roster',
  'ping feed',
  'patient story',
  'case management',
  'care team',
  'attachments',
  'analytics',
  'length of stay',
  'user report',
  'login',
  'pre-admit',
  'user profile',
  'event feed',
  'rising risk',
] as const;

/** Pages that the specification doesn't name, for the report of page use. */
export const OTHER_LOCATIONS = ['admin', 'feeds', 'rosters', 'exports', 'whats new'] as const;

/** Returns whether the location is tracked. Analytics may have a sub-name: 'analytics readmissions'. */
export const isApplicationLocation = (location: string): boolean =>
  ([...APPLICATION_LOCATIONS, ...OTHER_LOCATIONS] as readonly string[]).includes(location) ||
  /^analytics [\w-]{1,60}$/.test(location);

/** The events that the product sends. Parameters hold ids and codes, never patient data. */
export const USAGE_EVENT_NAMES = [
  'login',
  'page-viewed',
  'error-page-loaded',
  'mfa-toast-shown',
  'mfa-toast-clicked',
  'ping-status-changed',
  'legacy-url-redirected',
  'list-printed',
] as const;

/** The parameters of each event. The server refuses all others, so that patient data is never stored by mistake. */
export const USAGE_EVENT_PARAMS = {
  login: ['lastLogin', 'isFirstLogin', 'mfaOptedIn'],
  'page-viewed': ['subName'],
  'error-page-loaded': ['message', 'kind'],
  'mfa-toast-shown': [],
  'mfa-toast-clicked': [],
  'ping-status-changed': ['patientId', 'eventIdentifier', 'eventCode', 'status', 'previousStatus', 'count'],
  'legacy-url-redirected': [],
  'list-printed': ['rows', 'total'],
} as const satisfies Record<(typeof USAGE_EVENT_NAMES)[number], readonly string[]>;
/** The parameter values of an event. */
export type UsageEventParams<N extends (typeof USAGE_EVENT_NAMES)[number]> = {
  [P in (typeof USAGE_EVENT_PARAMS)[N][number]]?: string | number | boolean | null;
};

export const usageEvent = z.object({
  name: z.enum(USAGE_EVENT_NAMES),
  timezone: z.string().max(60),
  currentLocation: z.string().max(100).nullable(),
  previousLocation: z.string().max(100).nullable(),
  msElapsedSinceLastEvent: z.number().int().min(0).nullable(),
  viewportResolution: z.string().regex(/^\d{1,5}x\d{1,5}$/),
  notificationUuid: z.string().max(100).nullish(),
  notificationModality: z.string().max(50).nullish(),
  routes: z.array(z.string().max(200)).max(20).nullish(),
  username: z.string().max(254).nullish(),
  params: z.record(z.string().max(60), z.union([z.string().max(300), z.number(), z.boolean(), z.null()])).default({}),
});
export type UsageEvent = z.input<typeof usageEvent>;

export const CLIENT_ERROR_KINDS = [
  'unknown',
  'api_unauthenticated',
  'api_call_failed',
  'component',
  'redux',
  'third_party_application',
] as const;
export const clientError = z.object({
  kind: z.enum(CLIENT_ERROR_KINDS),
  message: z.string().max(1000),
  requestId: z.string().max(100).nullish(),
  location: z.string().max(200),
});
export type ClientError = z.infer<typeof clientError>;
