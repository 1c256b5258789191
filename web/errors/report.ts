import type { CLIENT_ERROR_KINDS } from '#contract/usage.ts';

type Kind = (typeof CLIENT_ERROR_KINDS)[number];
/** A page that fails in a loop must not flood the server. */
const MAX_REPORTS = 20;
const reported = new Set<string>();

/** Returns an error's text without what may be patient data: quoted parts and numbers. */
export const withoutData = (text: string): string =>
  text
    .replace(/"[^"]*"|'[^']*'|`[^`]*`|“[^“”]*”/g, '…')
    .replace(/\d{2,}/g, '…')
    .slice(0, 300);

/** Returns a path with its ids replaced. */
export const withoutIds = (path: string): string => path.replace(/\/[^/]*\d[^/]*/g, '/:id').slice(0, 200);

/** Returns an error's name and text, with its type if it has one: a ChunkLoadError is missing or a timeout. */
const describe = (error: unknown): string => {
  if (!(error instanceof Error)) return withoutData(String(error));
  const type = 'type' in error ? ` (${String(error.type)})` : '';
  return `${error.name}: ${withoutData(error.message)}${type}`;
};

/** Reports an error to the server, each one once per visit. Never throws. */
export const reportError = (kind: Kind, error: unknown, requestId: string | null = null): void => {
  const message = describe(error);
  const location = withoutIds(window.location.pathname);
  const same = `${kind} ${message} ${location}`;
  if (reported.has(same) || reported.size >= MAX_REPORTS) return;
  reported.add(same);
  // Not through `call`, whose own failures are reported here.
  void fetch('/api/client-errors', {
    method: 'POST',
    credentials: 'same-origin',
    keepalive: true,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ kind, message, requestId, location }),
  }).catch(() => {});
};

/** Reports errors that nothing else catches. */
export const reportUncaught = (): void => {
  window.addEventListener('error', ({ error, message }) => reportError('unknown', error ?? message));
  window.addEventListener('unhandledrejection', ({ reason }) => {
    // `call` has reported these already.
    if (reason?.name !== 'ApiError') reportError('unknown', reason);
  });
};
