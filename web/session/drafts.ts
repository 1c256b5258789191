import { useState } from 'react';

export type Drafts = ReadonlyMap<string, unknown>;
interface Owner {
  userId: string;
  draftKey: string;
}

/**
 * What a user has half written, by what it belongs to. In memory; on the way to a sign-in elsewhere and back closed, so that nothing
 * of a patient can be read on a disk that others use (`carried-drafts.ts`).
 */
const drafts = new Map<string, unknown>();
let owner: Owner | null = null;

const loadCarried = () => import('./carried-drafts.ts');
/** In the storage of this tab alone, which goes with it. A page that carries nothing need not load what opens it. */
export const CARRIED = 'tidings-drafts';
const isCarried = (): boolean => {
  try {
    return sessionStorage.getItem(CARRIED) !== null;
  } catch {
    return false;
  }
};

/** A part that cannot be loaded costs the drafts, not the sign-in. */
const openCarried = async (next: Owner): Promise<[string, unknown][]> => {
  try {
    const { fetchCarried } = await loadCarried();
    return await fetchCarried(next);
  } catch {
    return [];
  }
};

/** Drafts outlive a session that ends by itself, and are its user's alone. */
export const ownDrafts = async (next: Owner): Promise<void> => {
  if (owner?.userId !== next.userId) drafts.clear();
  owner = next;
  if (!isCarried()) return;
  const carried = await openCarried(next);
  for (const [key, draft] of carried) if (!drafts.has(key)) drafts.set(key, draft);
};
/** Takes the drafts along over a page that is left; they come back with the same user. Without a secure context they are lost. */
export const carryDrafts = async (): Promise<void> => {
  if (!owner || drafts.size === 0) return;
  const leaving = owner;
  try {
    const { carry } = await loadCarried();
    await carry(drafts, leaving);
  } catch {
    // No secure context, or no storage: as if there had been no draft.
  }
};
export const forgetDrafts = (): void => {
  drafts.clear();
  try {
    sessionStorage.removeItem(CARRIED);
  } catch {
    // Storage is blocked, so nothing is there.
  }
};
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
