import { useState } from 'react';

/** What a user has half written, by what it belongs to. In memory alone: nothing of a patient is kept on a disk that others use. */
const drafts = new Map<string, unknown>();
let owner: string | null = null;

/** Drafts outlive a session that ends by itself, and are its user's alone. */
export const ownDrafts = (userId: string): void => {
  if (owner !== userId) drafts.clear();
  owner = userId;
};
export const forgetDrafts = (): void => drafts.clear();
export const hasDraft = (key: string): boolean => drafts.has(key);

/** State that is still there when its component comes back: after another row, or another sign-in. `forget` when it has been sent. */
export const useDraft = <T>(key: string, initial: T): { draft: T; write: (draft: T) => void; forget: () => void } => {
  const [draft, setDraft] = useState<T>(() => (drafts.has(key) ? (drafts.get(key) as T) : initial));
  return {
    draft,
    write: (next) => {
      drafts.set(key, next);
      setDraft(next);
    },
    forget: () => void drafts.delete(key),
  };
};
