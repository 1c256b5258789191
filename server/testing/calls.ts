import type { ErrorBody } from '#contract/errors.ts';
import type { RouteAnswer, RouteInput, RouteKey } from '#contract/routes.ts';
import { CallError, type Client } from './client.ts';

/** Makes a call that must fail, and returns the error. Throws if the call succeeds. */
export async function errorOf<K extends RouteKey>(client: Client, key: K, input: RouteInput<K>): Promise<ErrorBody> {
  let answer: RouteAnswer<K>;
  try {
    answer = await client.call(key, input);
  } catch (error) {
    if (error instanceof CallError) return error.body;
    throw error;
  }
  throw new Error(`${key} succeeded: ${JSON.stringify(answer)}`);
}
