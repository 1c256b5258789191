/** The user who owns the entries, and the key that encrypts them, which the server gives to this user only. */
export interface EntriesOwner {
  userId: string;
  draftKey: string;
}
export type Entries = ReadonlyMap<string, unknown>;

/** In sessionStorage, so that it goes when the tab is closed; always encrypted (`encrypted-storage.ts`). */
export type StoredKey = 'tidings-drafts' | 'tidings-typed';
/** In sessionStorage as it is: ids only. */
export type PlainKey = 'tidings-team';

/** Whether this tab holds something under the key. Without it, the code that decrypts isn't loaded. */
export const isStored = (key: StoredKey): boolean => {
  try {
    return sessionStorage.getItem(key) !== null;
  } catch {
    return false;
  }
};

export const clearStored = (key: StoredKey | PlainKey): void => {
  try {
    sessionStorage.removeItem(key);
  } catch {
    // Storage is blocked, so there is nothing to remove.
  }
};
