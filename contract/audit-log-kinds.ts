/** The kinds of entries that the audit log is filtered by, in that order. Apart, because the first page of the browser loads it. */
export const LOG_KINDS = [
  'accounts',
  'access',
  'directory',
  'connections',
  'feeds',
  'programs',
  'sign-ins',
  'refused',
] as const;
export type LogKind = (typeof LOG_KINDS)[number];
