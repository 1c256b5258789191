import type { ErrorBody, ErrorKey } from '#contract/errors.ts';

/** What the page says when a call gets no answer. */
export const UNREACHABLE = "Tidings can't be reached. Check your connection, then try again.";

/** An answer that is not 2xx, with the server's message. */
export class ApiError extends Error {
  readonly status: number;
  readonly errorKey: ErrorKey;
  readonly requestId: string | null;
  readonly fields: Record<string, string>;
  readonly current: ErrorBody['current'];
  readonly standing: ErrorBody['standing'];

  constructor(status: number, body: Partial<ErrorBody>, statusText = '') {
    super(body.message ?? (statusText || 'Something went wrong.'));
    this.name = 'ApiError';
    this.status = status;
    this.errorKey = body.errorKey ?? 'INTERNAL';
    this.requestId = body.requestId ?? null;
    this.fields = body.fields ?? {};
    this.current = body.current;
    this.standing = body.standing;
  }
}

/** Returns why a call failed, in words for the user. */
export const reasonOf = (error: unknown): string =>
  error instanceof ApiError
    ? error.message
    : error instanceof TypeError
      ? UNREACHABLE
      : 'Something went wrong on this page.';

/** Returns the error in an answer's body. The body may not be JSON: proxies answer in HTML. */
export const errorFrom = (status: number, statusText: string, text: string): ApiError => {
  try {
    return new ApiError(status, JSON.parse(text) as Partial<ErrorBody>, statusText);
  } catch {
    return new ApiError(status, {}, statusText);
  }
};
