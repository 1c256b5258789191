/** What one signed-in user may ask of a process, however many tabs or programs ask. */
import type { FastifyReply } from 'fastify';
import { Turns } from '#server/platform/database/turns.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { perMinute } from '#server/platform/http/per-minute.ts';

/** Far above what a person at work does: a page makes some ten calls. */
const CALLS_PER_MINUTE = 1200;
/** Calls that run at the same time: as many as a browser sends by HTTP/1.1. */
const AT_ONCE = { most: 6, waiting: 100, patience: 30_000 };

/** Limits the calls of each user, in a minute and at the same time. In the memory of the process. */
export class UserLimits {
  readonly #mayCall: (userId: string) => boolean;
  readonly #turns = new Turns(AT_ONCE);

  constructor(callsPerMinute = CALLS_PER_MINUTE) {
    this.#mayCall = perMinute(callsPerMinute, () => new Date());
  }

  /** Counts a call. Throws TOO_MANY_REQUESTS. */
  count(userId: string): void {
    if (!this.#mayCall(userId)) throw new ApiError('TOO_MANY_REQUESTS');
  }

  /**
   * Waits until few enough of the user's calls run. The turn ends with the response, or with the function returned. Throws
   * TOO_MANY_REQUESTS if too many wait.
   */
  async takeTurn(userId: string, { raw }: FastifyReply): Promise<() => void> {
    const end = await this.#turns.take(userId);
    if (end === null) throw new ApiError('TOO_MANY_REQUESTS');
    if (raw.destroyed) end();
    else raw.once('close', end);
    return end;
  }
}
