import { WITHOUT_MAIL } from '#contract/errors.ts';
import type { Config } from '#server/config.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { canMail } from './send-letters.ts';

const isPromise = (key: string): key is keyof typeof WITHOUT_MAIL => Object.hasOwn(WITHOUT_MAIL, key);

/**
 * Returns a function that passes on what a sign-in returns or throws. Where no mail is sent, the errors that promise a mail name the support
 * instead.
 */
export function honestAboutMail(config: Pick<Config, 'smtp' | 'demo'>): <T>(outcome: Promise<T>) => Promise<T> {
  if (canMail(config)) return (outcome) => outcome;
  return async (outcome) => {
    try {
      return await outcome;
    } catch (error) {
      if (!(error instanceof ApiError) || !isPromise(error.key)) throw error;
      throw new ApiError(error.key, { message: WITHOUT_MAIL[error.key] });
    }
  };
}
