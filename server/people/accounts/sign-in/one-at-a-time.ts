const queues = new Map<string, Promise<void>>();

/** Runs `fn` when what was asked before under the same key has ended, well or badly; for what must not run beside itself. */
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
