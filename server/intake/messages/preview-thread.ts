/**
 * Previews run in a thread of their own, which starts with the first one: a text that holds the thread up stops neither the messages nor
 * the pages.
 */
import type { Logger } from 'pino';
import type { ErrorKey } from '#contract/errors.ts';
import type { Clock } from '#server/platform/calendar/clock.ts';
import { DatabaseUnavailableError } from '#server/platform/database/errors.ts';
import { openDatabase } from '#server/platform/database/pool.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { runInThread } from '#server/platform/threads/in-thread.ts';
import { LONGEST_STANDSTILL, WatchedThread } from '#server/platform/threads/watched-thread.ts';
import type { Process } from './message-queue.ts';
import { type AuditedPreview, preview } from './preview.ts';

/** Returns what a message would do in a feed. The caller has checked access to the feed. Errors: BAD_REQUEST. */
export type PreviewMessage = (feedId: string, text: string) => Promise<AuditedPreview>;

interface PreviewRequest {
  id: number;
  feedId: string;
  text: string;
}

type PreviewReply = { id: number } & (
  | { kind: 'preview'; preview: AuditedPreview }
  | { kind: 'refused'; key: ErrorKey; message: string }
  | { kind: 'failed'; message: string; isUnavailable: boolean }
);

interface Waiting {
  resolve: (result: AuditedPreview) => void;
  reject: (error: Error) => void;
}

export interface PreviewThreadOptions {
  /** The module that calls `runPreviews`. */
  file: URL;
  /** The database URL of the pipeline role. */
  url: string;
  log: Logger;
  /** For tests, in milliseconds. */
  longestStandstill?: number;
}

export class PreviewThread {
  readonly #thread: WatchedThread;
  readonly #waiting = new Map<number, Waiting>();
  #started: Promise<void> | null = null;
  #lastId = 0;

  constructor({ file, url, log, longestStandstill = LONGEST_STANDSTILL }: PreviewThreadOptions) {
    this.#thread = new WatchedThread({
      name: 'previews',
      file,
      data: { url },
      log,
      onMessage: (reply: PreviewReply) => this.#receive(reply),
      onEnd: () => this.#refuseAll(longestStandstill),
      longestStandstill,
    });
  }

  readonly preview: PreviewMessage = async (feedId, text) => {
    this.#started ??= this.#thread.start().catch((error: unknown) => {
      this.#started = null;
      throw error;
    });
    await this.#started;
    const id = ++this.#lastId;
    if (!this.#thread.post({ id, feedId, text } satisfies PreviewRequest)) throw new ApiError('NOT_READY');
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
  };

  async stop(): Promise<void> {
    if (this.#started) await this.#thread.stop();
  }

  #receive(reply: PreviewReply): void {
    const waiting = this.#waiting.get(reply.id);
    this.#waiting.delete(reply.id);
    if (reply.kind === 'preview') waiting?.resolve(reply.preview);
    else if (reply.kind === 'refused') waiting?.reject(new ApiError(reply.key, { message: reply.message }));
    else if (reply.isUnavailable) waiting?.reject(new DatabaseUnavailableError(reply.message));
    else waiting?.reject(new Error(`The preview failed: ${reply.message}`));
  }

  #refuseAll(limit: number): void {
    const message = `The preview took longer than ${limit / 1000} seconds and was stopped. Nothing was changed. Shorten the message, then try again.`;
    for (const { reject } of this.#waiting.values()) reject(new ApiError('BAD_REQUEST', { message }));
    this.#waiting.clear();
  }
}

/** Answers previews in the current thread, until the thread is asked to stop. */
export function runPreviews(makeProcess: (clock: Clock) => Process): Promise<void> {
  return runInThread<{ url: string }>(({ url }, { send }) => {
    const clock = () => new Date();
    const pipeline = openDatabase(url, { max: 2, applicationName: 'tidings previews' });
    const deps = { pipeline, process: makeProcess(clock) };
    const open = new Set<Promise<void>>();
    const answer = async ({ id, feedId, text }: PreviewRequest) => {
      const reply: PreviewReply = await preview(deps, feedId, text, clock()).then(
        (result) => ({ id, kind: 'preview' as const, preview: result }),
        (error: unknown) => ({ id, ...failureOf(error) }),
      );
      send(reply);
    };
    return {
      receive: (request: PreviewRequest) => {
        const answered = answer(request).finally(() => open.delete(answered));
        open.add(answered);
      },
      stop: async () => {
        await Promise.all(open);
        await pipeline.close();
      },
    };
  });
}

function failureOf(error: unknown) {
  if (error instanceof ApiError) return { kind: 'refused' as const, key: error.key, message: error.message };
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { kind: 'failed' as const, message, isUnavailable: error instanceof DatabaseUnavailableError };
}
