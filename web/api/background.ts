let background = false;

/** Calls that `run` makes before it first waits are marked as nobody's activity (BACKGROUND_HEADER). */
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
