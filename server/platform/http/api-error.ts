import { ERRORS, type ErrorBody, type ErrorKey, type Standing } from '#contract/errors.ts';

export type ApiErrorDetails = {
  /** Replaces the message of `ERRORS`. */
  message?: string;
  /** What is wrong in the request, by path. Never contains the value itself. */
  fields?: Record<string, string>;
  /** For PING_CHANGED_BY_OTHER: the current status. */
  current?: ErrorBody['current'];
  /** For CHANGED_BY_OTHER and REVIEW_DECIDED: the current version. */
  standing?: Standing;
};

/** An error that the caller gets to see. Any domain throws it; `error-handler.ts` answers with the status from `ERRORS`. */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly key: ErrorKey;
  readonly status: number;
  readonly fields: Record<string, string> | undefined;
  readonly current: ErrorBody['current'];
  readonly standing: Standing | undefined;

  constructor(key: ErrorKey, { message, fields, current, standing }: ApiErrorDetails = {}) {
    super(message ?? ERRORS[key][1]);
    this.key = key;
    this.status = ERRORS[key][0];
    this.fields = fields;
    this.current = current;
    this.standing = standing;
  }

  /** Returns the response body as defined in the contract. */
  body(requestId: string): ErrorBody {
    return {
      status: this.status,
      errorKey: this.key,
      message: this.message,
      requestId,
      ...(this.fields === undefined ? {} : { fields: this.fields }),
      ...(this.current === undefined ? {} : { current: this.current }),
      ...(this.standing === undefined ? {} : { standing: this.standing }),
    };
  }
}

/** Returns a BAD_REQUEST that says what is wrong with one field, for a form that shows it there. */
export const badField = (field: string, message: string): ApiError =>
  new ApiError('BAD_REQUEST', { fields: { [field]: message } });

/** Returns the same with `message` as the error's message too, for pages that show none at the field. */
export const badFieldInMessage = (field: string, message: string): ApiError =>
  new ApiError('BAD_REQUEST', { message, fields: { [field]: message } });

/** Returns what was found. Throws NOT_FOUND if it is nothing. */
export function orNotFound<T>(found: T | null | undefined): T {
  if (found === null || found === undefined) throw new ApiError('NOT_FOUND');
  return found;
}
