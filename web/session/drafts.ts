import { useState } from 'react';
import { clearStored, type EntriesOwner, isStored } from './stored-keys.ts';

/**
 * Unfinished input, by the record it belongs to. It lives in memory. Only on the way to sign-in at another site and back is it stored,
 * and then encrypted, so that no patient data can be read from the disk of a shared workstation.
 */
const drafts = new Map<string, unknown>();
let owner: EntriesOwner | null = null;
const STORED = 'tidings-drafts';

const loadEncryption = () => import('./encrypted-storage.ts');

/** If the code for it can't be loaded, the drafts are lost, but sign-in goes ahead. */
const takeStored = async (next: EntriesOwner): Promise<[string, unknown][]> => {
  try {
    const { takeEncrypted } = await loadEncryption();
    return await takeEncrypted(STORED, next);
  } catch {
    return [];
  }
};

/** Keeps the drafts of a user whose session expired, adds the stored ones, and drops those of any other user. */
export const restoreDrafts = async (next: EntriesOwner): Promise<void> => {
  if (owner?.userId !== next.userId) drafts.clear();
  owner = next;
  if (!isStored(STORED)) return;
  for (const [key, draft] of await takeStored(next)) if (!drafts.has(key)) drafts.set(key, draft);
};

/** The entry for the page that the user left, which belongs to them as their drafts do. */
const RETURN_PATH = 'return path';

/**
 * Stores the drafts, and the page that the user left, before the document is left, for the same user to get back. Without a secure
 * context they are lost.
 */
export const keepDraftsOverRedirect = async (returnPath: string | null): Promise<void> => {
  const kept = new Map(drafts);
  if (returnPath !== null) kept.set(RETURN_PATH, returnPath);
  if (!owner || kept.size === 0) return;
  const leaving = owner;
  try {
    const { storeEncrypted } = await loadEncryption();
    await storeEncrypted(STORED, kept, leaving);
  } catch {
    // No secure context, or no storage: the drafts are lost.
  }
};

/** Returns the page that the user left for another site, once. */
export const takeReturnPath = (): unknown => {
  const path = drafts.get(RETURN_PATH);
  drafts.delete(RETURN_PATH);
  return path;
};

export const forgetDrafts = (): void => {
  drafts.clear();
  clearStored(STORED);
};

export const forgetDraft = (key: string): void => void drafts.delete(key);

export const hasDraft = (key: string): boolean => drafts.has(key);

/** State that survives its component: it is back after opening another row, or signing in again. Forget it once it has been saved. */
export const useDraft = <T>(key: string, initial: T): { draft: T; write: (draft: T) => void; forget: () => void } => {
  const [draft, setDraft] = useState<T>(() => (drafts.has(key) ? (drafts.get(key) as T) : initial));
  return {
    draft,
    write: (next) => {
      drafts.set(key, next);
      setDraft(next);
    },
    forget: () => forgetDraft(key),
  };
};
