import type { ErrorKey } from '#contract/errors.ts';
import type { ScimType } from '#contract/scim.ts';
import { ApiError } from '#server/platform/http/api-error.ts';

/** An error with the standard's own word for it (RFC 7644, 3.12). `detail` never repeats what was sent. */
export class ScimError extends ApiError {
  readonly scimType: ScimType;

  constructor(scimType: ScimType, detail: string, key: ErrorKey = 'BAD_REQUEST') {
    super(key, { message: detail });
    this.scimType = scimType;
  }
}
