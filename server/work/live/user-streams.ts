import type { Change } from '#server/platform/changes/change-log.ts';

/** Streams that one user may have open. A browser has one per team, so this is several people's worth. */
const MOST_STREAMS = 10;

export interface UserStream {
  /** Ends the stream in favor of another one. */
  end: () => void;
  /** Checks the session and the permissions again. `isGranted`: an administrator changed the user's grants, maybe on another team. */
  recheck: (isGranted: boolean) => void;
}

/** The open streams of each user. A new one beyond the limit ends the oldest, which is the one most likely forgotten. */
export class UserStreams {
  readonly #streams = new Map<string, Set<UserStream>>();

  /** Returns the function to call once the stream is closed. */
  add(userId: string, stream: UserStream): () => void {
    const streams = this.#streams.get(userId) ?? new Set();
    this.#streams.set(userId, streams);
    streams.add(stream);
    for (const oldest of [...streams].slice(0, -MOST_STREAMS)) {
      streams.delete(oldest);
      oldest.end();
    }
    return () => {
      streams.delete(stream);
      if (streams.size === 0 && this.#streams.get(userId) === streams) this.#streams.delete(userId);
    };
  }

  /** Checks the streams of users whose session or grants changed. */
  recheck(changes: readonly Change[]): void {
    const isGranted = new Map<string, boolean>();
    for (const { kind, change, subjectId } of changes)
      if (kind === 'session' && subjectId !== null)
        isGranted.set(subjectId, isGranted.get(subjectId) === true || change === 'rights');
    for (const [userId, granted] of isGranted)
      for (const stream of this.#streams.get(userId) ?? []) stream.recheck(granted);
  }
}
