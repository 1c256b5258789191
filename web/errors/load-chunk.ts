import { CHUNK_TIMEOUT, RETRY_PAUSE, RETRY_TRIES } from '#contract/constants.ts';

/** A part of the page that could not be loaded: it is not there (an older version of the page, no network), or took too long. */
export class ChunkLoadError extends Error {
  readonly type: 'missing' | 'timeout';
  constructor(id: string, type: 'missing' | 'timeout', cause: unknown) {
    super(`Loading chunk ${id} failed`, { cause });
    this.name = 'ChunkLoadError';
    this.type = type;
  }
}

/** Tries `run` again, five times in all and 500 ms apart; throws what the last try threw. */
export const retrying = async <T>(run: () => Promise<T>): Promise<T> => {
  for (let tries = 1; ; tries += 1) {
    try {
      return await run();
    } catch (error) {
      if (tries === RETRY_TRIES) throw error;
      await new Promise((resolve) => setTimeout(resolve, RETRY_PAUSE));
    }
  }
};

/** Loads a part of the page that is imported on demand. Throws ChunkLoadError. */
export const loadChunk = async <T>(id: string, load: () => Promise<T>): Promise<T> => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new ChunkLoadError(id, 'timeout', null)), CHUNK_TIMEOUT);
  });
  try {
    return await Promise.race([retrying(load), late]);
  } catch (error) {
    throw error instanceof ChunkLoadError ? error : new ChunkLoadError(id, 'missing', error);
  } finally {
    clearTimeout(timer);
  }
};
