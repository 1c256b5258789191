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

/** The parameters of each event. The server drops all others, so that patient data is never stored by mistake. */
export const USAGE_EVENT_PARAMS = {
  login: ['lastLogin', 'isFirstLogin', 'mfaOptedIn'],
  'page-viewed': ['subName'],
  'error-page-loaded': ['message', 'kind'],
  'mfa-toast-shown': [],
  'mfa-toast-clicked': [],
  'ping-status-changed': ['patientId', 'eventIdentifier', 'eventCode', 'status', 'previousStatus', 'count'],
  'legacy-url-redirected': [],
  'list-printed': ['rows', 'total'],
} as const satisfies Record<UsageEventName, readonly string[]>;
export type UsageEventName = (typeof USAGE_EVENT_NAMES)[number];
/** The parameter values of an event. */
export type UsageEventParams<N extends UsageEventName> = {
  [P in (typeof USAGE_EVENT_PARAMS)[N][number]]?: string | number | boolean | null;
};

export const usageEventParam = z.union([z.string().max(300), z.number(), z.boolean(), z.null()]);

/**
 * Only the name is required. The server keeps an event of another name than the product's as "other", and drops parameters and locations that are not
 * listed here.
 */
export const usageEvent = z.object({
  name: z.string().trim().min(1).max(60),
  timezone: z.string().max(60).nullish(),
  currentLocation: z.string().max(100).nullish(),
  previousLocation: z.string().max(100).nullish(),
  msElapsedSinceLastEvent: z.number().min(0).nullish(),
  viewportResolution: z
    .string()
    .regex(/^\d{1,5} ?x ?\d{1,5}$/)
    .nullish(),
  notificationUuid: z.string().max(100).nullish(),
  notificationModality: z.string().max(50).nullish(),
  routes: z.array(z.string().max(200)).max(20).nullish(),
  username: z.string().max(254).nullish(),
  params: z.record(z.string().max(60), z.unknown()).default({}),
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
