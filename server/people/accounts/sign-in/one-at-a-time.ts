const queues = new Map<string, Promise<void>>();

/** Runs `fn` after every earlier call with the same key has finished or failed. */
export function oneAtATime<T>(key: string, fn: () => Promise<T>): Promise<T> {
  const turn = (queues.get(key) ?? Promise.resolve()).then(fn);
  const ended = turn.then(
    () => {},
    () => {},
  );
  queues.set(key, ended);
  void ended.then(() => {
    if (queues.get(key) === ended) queues.delete(key);
  });
  return turn;
}
