import type { ErrorBody, ErrorKey } from '#contract/errors.ts';

/** An answer that is neither 2xx nor a redirect, as the server worded it. */
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

/** The error of an answer's text; proxies answer in HTML, so a body that is not JSON is no surprise. */
export const errorFrom = (status: number, statusText: string, text: string): ApiError => {
  try {
    return new ApiError(status, JSON.parse(text) as Partial<ErrorBody>, statusText);
  } catch {
    return new ApiError(status, {}, statusText);
  }
};
