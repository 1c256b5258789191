export const RETRY_TRIES = 5;
/** Between two tries, in milliseconds. */
export const RETRY_PAUSE = 500;

/** Resolves with the first successful result of up to five tries, 500 ms apart. Throws the error of the last try. */
export const retry = async <T>(run: () => Promise<T>): Promise<T> => {
  for (let tries = 1; ; tries += 1) {
    try {
      return await run();
    } catch (error) {
      if (tries === RETRY_TRIES) throw error;
      await new Promise((resolve) => setTimeout(resolve, RETRY_PAUSE));
    }
  }
};
