import type { ErrorBody } from '#contract/errors.ts';
import type { RouteAnswer, RouteInput, RouteKey } from '#contract/routes.ts';
import { CallError, type Client } from './client.ts';

/** The error that a call answers; fails where it answers none. */
export async function errorOf<K extends RouteKey>(client: Client, key: K, input: RouteInput<K>): Promise<ErrorBody> {
  let answer: RouteAnswer<K>;
  try {
    answer = await client.call(key, input);
  } catch (error) {
    if (error instanceof CallError) return error.body;
    throw error;
  }
  throw new Error(`${key} was answered: ${JSON.stringify(answer)}`);
}
