/**
 * Previews, and checks of uploaded documents, run in a thread of their own, which starts with the first one: a text that holds the thread up stops neither the messages nor
 * the pages.
 */
import type { Logger } from 'pino';
import type { ErrorKey } from '#contract/errors.ts';
import type { SettingsTrial } from '#contract/feeds.ts';
import type { CheckedUpload, CheckUpload, UploadToCheck } from '#server/intake/documents/read-upload.ts';
import type { Clock } from '#server/platform/calendar/clock.ts';
import { DatabaseUnavailableError } from '#server/platform/database/errors.ts';
import { openDatabase } from '#server/platform/database/pool.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { runInThread } from '#server/platform/threads/in-thread.ts';
import { LONGEST_STANDSTILL, WatchedThread } from '#server/platform/threads/watched-thread.ts';
import type { Process } from './message-queue.ts';
import { type AuditedPreview, preview } from './preview.ts';
import { type TriedSettings, trySettings } from './try-settings.ts';

/** Returns what would read differently with other settings. The caller has checked access to the feed. */
export type TrySettings = (feedId: string, tried: TriedSettings) => Promise<SettingsTrial>;

/** Returns what a message would do in a feed. The caller has checked access to the feed. Errors: BAD_REQUEST. */
export type PreviewMessage = (feedId: string, text: string) => Promise<AuditedPreview>;

/** What the thread is asked: what a message would do, what other settings would, or whether a file is a document. */
type Question = { feedId: string; text: string } | { feedId: string; tried: TriedSettings } | { upload: UploadToCheck };
type PreviewRequest = { id: number } & Question;
/** What the question's kind is answered with. */
type Result = AuditedPreview | SettingsTrial | CheckedUpload;

type PreviewReply = { id: number } & (
  | { kind: 'done'; result: Result }
  | { kind: 'refused'; key: ErrorKey; message: string }
  | { kind: 'failed'; message: string; isUnavailable: boolean }
);

interface Waiting {
  resolve: (result: Result) => void;
  reject: (error: Error) => void;
  isPreview: boolean;
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

  readonly preview: PreviewMessage = async (feedId, text) => (await this.#ask({ feedId, text })) as AuditedPreview;

  readonly trySettings: TrySettings = async (feedId, tried) => (await this.#ask({ feedId, tried })) as SettingsTrial;

  /** Checks an uploaded document. A file that takes too long is refused like any other. */
  readonly checkUpload: CheckUpload = async (upload) => (await this.#ask({ upload })) as CheckedUpload;

  async #ask(question: Question): Promise<Result> {
    this.#started ??= this.#thread.start().catch((error: unknown) => {
      this.#started = null;
      throw error;
    });
    await this.#started;
    const id = ++this.#lastId;
    if (!this.#thread.post({ id, ...question } satisfies PreviewRequest)) throw new ApiError('NOT_READY');
    return new Promise((resolve, reject) =>
      this.#waiting.set(id, { resolve, reject, isPreview: !('upload' in question) }),
    );
  }

  async stop(): Promise<void> {
    if (this.#started) await this.#thread.stop();
  }

  #receive(reply: PreviewReply): void {
    const waiting = this.#waiting.get(reply.id);
    this.#waiting.delete(reply.id);
    if (reply.kind === 'done') waiting?.resolve(reply.result);
    else if (reply.kind === 'refused') waiting?.reject(new ApiError(reply.key, { message: reply.message }));
    else if (reply.isUnavailable) waiting?.reject(new DatabaseUnavailableError(reply.message));
    else waiting?.reject(new Error(`The preview failed: ${reply.message}`));
  }

  #refuseAll(limit: number): void {
    const end = `took longer than ${limit / 1000} seconds and was stopped. Nothing was changed. Shorten the`;
    for (const { isPreview, reject } of this.#waiting.values()) {
      const message = isPreview
        ? `The preview ${end} message, then try again.`
        : `Checking the file ${end} document, then try again.`;
      reject(new ApiError('BAD_REQUEST', { message }));
    }
    this.#waiting.clear();
  }
}

/** Answers previews in the current thread, until the thread is asked to stop. */
export function runPreviews(
  makeProcess: (clock: Clock) => Process,
  checkUpload: (upload: UploadToCheck) => CheckedUpload,
): Promise<void> {
  return runInThread<{ url: string }>(({ url }, { send }) => {
    const clock = () => new Date();
    const pipeline = openDatabase(url, { max: 2, applicationName: 'tidings previews' });
    const deps = { pipeline, process: makeProcess(clock) };
    const open = new Set<Promise<void>>();
    const ask = async (question: Question): Promise<Result> => {
      if ('upload' in question) return checkUpload(question.upload);
      return 'text' in question
        ? preview(deps, question.feedId, question.text, clock())
        : trySettings(pipeline, question.feedId, question.tried, clock());
    };
    const answer = async ({ id, ...question }: PreviewRequest) => {
      const reply: PreviewReply = await ask(question).then(
        (result) => ({ id, kind: 'done' as const, result }),
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
