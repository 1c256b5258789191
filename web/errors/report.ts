import type { CLIENT_ERROR_KINDS } from '#contract/usage.ts';

type Kind = (typeof CLIENT_ERROR_KINDS)[number];
/** More than these say nothing new, and a page that fails in a loop must not flood the server. */
const MOST_REPORTS = 20;
const reported = new Set<string>();

/** An error's words without what may be somebody's data: quoted parts and numbers. */
export const withoutData = (text: string): string =>
  text
    .replace(/"[^"]*"|'[^']*'|`[^`]*`|“[^”]*”/g, '…')
    .replace(/\d{2,}/g, '…')
    .slice(0, 300);

/** A path without the ids in it. */
export const withoutIds = (path: string): string => path.replace(/\/[^/]*\d[^/]*/g, '/:id').slice(0, 200);

/** Name and words of an error, and its type where it has one (as ChunkLoadError does: missing or timeout). */
const wordsOf = (error: unknown): string => {
  if (!(error instanceof Error)) return withoutData(String(error));
  const type = 'type' in error ? ` (${String(error.type)})` : '';
  return `${error.name}: ${withoutData(error.message)}${type}`;
};

/** Reports an error in the browser, each once a visit; never fails itself. */
export const reportError = (kind: Kind, error: unknown, requestId: string | null = null): void => {
  const message = wordsOf(error);
  const location = withoutIds(window.location.pathname);
  const same = `${kind} ${message} ${location}`;
  if (reported.has(same) || reported.size >= MOST_REPORTS) return;
  reported.add(same);
  // Not by `call`, whose own failures come here.
  void fetch('/api/client-errors', {
    method: 'POST',
    credentials: 'same-origin',
    keepalive: true,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ kind, message, requestId, location }),
  }).catch(() => {});
};

/** Reports what nothing else caught. */
export const reportUncaught = (): void => {
  window.addEventListener('error', ({ error, message }) => reportError('unknown', error ?? message));
  window.addEventListener('unhandledrejection', ({ reason }) => {
    // Calls report themselves.
    if (reason?.name !== 'ApiError') reportError('unknown', reason);
  });
};
