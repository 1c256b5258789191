import { hash } from 'node:crypto';

/** Some 20 MB at most. */
const MOST_CALLS = 100_000;

/**
 * The calls that the users of sessions have made themselves, in this process. The oldest are forgotten beyond a limit: then a refresh counts as
 * the user's own call, never the other way around.
 */
export class OwnCalls {
  readonly #calls = new Set<string>();

  add(sessionHash: Buffer, question: object): void {
    const call = callOf(sessionHash, question);
    this.#calls.delete(call);
    this.#calls.add(call);
    const [oldest] = this.#calls;
    if (this.#calls.size > MOST_CALLS && oldest !== undefined) this.#calls.delete(oldest);
  }

  has(sessionHash: Buffer, question: object): boolean {
    return this.#calls.has(callOf(sessionHash, question));
  }
}

/** A hash, because a question may hold a name. */
const callOf = (sessionHash: Buffer, question: object): string =>
  hash('sha256', `${sessionHash.toString('base64')} ${JSON.stringify(question)}`, 'base64');
