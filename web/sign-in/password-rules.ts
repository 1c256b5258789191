import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from '#contract/constants.ts';
import { ERRORS } from '#contract/errors.ts';

/** Returns what is wrong with the length of a password, or null. */
export const passwordLengthProblem = (password: string): string | null => {
  if (password.length < PASSWORD_MIN_LENGTH) return `Use at least ${PASSWORD_MIN_LENGTH} characters.`;
  if (password.length > PASSWORD_MAX_LENGTH) return `Use at most ${PASSWORD_MAX_LENGTH} characters.`;
  return null;
};

/** Returns what is wrong with a new password before it is sent, or null. The server checks more, such as common passwords. */
export const passwordProblem = (password: string, username: string): string | null => {
  const problem = passwordLengthProblem(password);
  if (problem) return problem;
  const name = username.split('@')[0]?.toLowerCase() ?? '';
  return name.length > 2 && password.toLowerCase().includes(name) ? ERRORS.PASSWORD_HOLDS_USERNAME[1] : null;
};
