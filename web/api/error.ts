import type { ErrorBody, ErrorKey } from '#contract/errors.ts';

/** What the page says when a call gets no answer. */
export const UNREACHABLE = "Tidings can't be reached. Check your connection, then try again.";

const UNAVAILABLE = "Tidings isn't available right now. Try again in a few minutes.";

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

/** Whether the server, or the way to it, is down or busy (502, 503), as opposed to refusing the call. */
export const isUnavailable = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 502 || error.status === 503) && error.errorKey !== 'EMAIL_NOT_SENT';

/** Returns the error in an answer's body. The body may not be JSON: proxies answer in HTML. */
export const errorFrom = (status: number, statusText: string, text: string): ApiError => {
  try {
    return new ApiError(status, JSON.parse(text) as Partial<ErrorBody>, statusText);
  } catch {
    const error = new ApiError(status, {}, statusText);
    return isUnavailable(error) ? new ApiError(status, { message: UNAVAILABLE }) : error;
  }
};
