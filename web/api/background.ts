let background = false;

/** Marks the calls that `run` makes synchronously as not caused by the user (BACKGROUND_HEADER). Calls after an `await` are not marked. */
export const inBackground = <T>(run: () => T): T => {
  const before = background;
  background = true;
  try {
    return run();
  } finally {
    background = before;
  }
};
export const isBackground = (): boolean => background;
