import { retry } from './retry.ts';

/** In milliseconds. */
const CHUNK_TIMEOUT = 120_000;

/** A part of the page that failed to load: it is missing (the page is from an older version, or there is no network), or it took too long. */
export class ChunkLoadError extends Error {
  readonly type: 'missing' | 'timeout';
  constructor(id: string, type: 'missing' | 'timeout', cause: unknown) {
    super(`Loading chunk ${id} failed`, { cause });
    this.name = 'ChunkLoadError';
    this.type = type;
  }
}

/** Loads a part of the page on demand, retrying for up to two minutes. Throws ChunkLoadError. */
export const loadChunk = async <T>(id: string, load: () => Promise<T>): Promise<T> => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ChunkLoadError(id, 'timeout', null)), CHUNK_TIMEOUT);
  });
  try {
    return await Promise.race([retry(load), timeout]);
  } catch (error) {
    throw error instanceof ChunkLoadError ? error : new ChunkLoadError(id, 'missing', error);
  } finally {
    clearTimeout(timer);
  }
};
