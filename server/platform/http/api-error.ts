import { ERRORS, type ErrorBody, type ErrorKey, type Standing } from '#contract/errors.ts';

export type ApiErrorDetails = {
  /** Instead of the catalogue's message. */
  message?: string;
  /** What is wrong in the request: path to message. Never the value itself. */
  fields?: Record<string, string>;
  /** PING_CHANGED_BY_OTHER: what stands now. */
  current?: ErrorBody['current'];
  /** CHANGED_BY_OTHER: what stands now. */
  standing?: Standing;
};

/** An error that the caller is told. Any domain throws it; `server/http` answers it with the status of the catalogue. */
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

  /** The body as the contract has it. */
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
