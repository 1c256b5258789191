/** Streams that one user may have open. A browser has one per team, so this is several people's worth. */
const MOST_STREAMS = 10;

/** The open streams of each user. A new one beyond the limit ends the oldest, which is the one most likely forgotten. */
export class UserStreams {
  readonly #ends = new Map<string, Set<() => void>>();

  /** Adds a stream that `end` ends. Returns the function to call once it is closed. */
  add(userId: string, end: () => void): () => void {
    const ends = this.#ends.get(userId) ?? new Set();
    this.#ends.set(userId, ends);
    ends.add(end);
    for (const oldest of [...ends].slice(0, -MOST_STREAMS)) {
      ends.delete(oldest);
      oldest();
    }
    return () => {
      ends.delete(end);
      if (ends.size === 0 && this.#ends.get(userId) === ends) this.#ends.delete(userId);
    };
  }
}
