import { CallError, type Client } from './client.ts';

/** Signs in and returns the next step, or the key of the error. */
export async function trySignIn(client: Client, username: string, password: string): Promise<string> {
  try {
    return (await client.call('POST /api/authenticate', { body: { username, password } })).next;
  } catch (error) {
    if (error instanceof CallError) return error.body.errorKey;
    throw error;
  }
}

/** Guesses wrong passwords one after another and returns the outcomes. */
export async function guessWrong(client: Client, username: string, times: number): Promise<string[]> {
  const outcomes = [];
  for (let i = 0; i < times; i++) outcomes.push(await trySignIn(client, username, `wrong ${i}`));
  return outcomes;
}
