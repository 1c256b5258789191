const forgetters = new Set<() => void>();

/** Registers what to do when the session ends or another user signs in: modules that hold something of a user or patient drop it. */
export const onForget = (forget: () => void): void => void forgetters.add(forget);

/** Drops what the modules hold of the user and of patients. */
export const forgetAll = (): void => {
  for (const forget of forgetters) forget();
};
