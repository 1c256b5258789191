/** Whose drafts they are, and the key that encrypts them; the server gives it to this user only. */
export interface DraftOwner {
  userId: string;
  draftKey: string;
}
export type Drafts = ReadonlyMap<string, unknown>;

/** In sessionStorage, so that it goes when the tab is closed. */
export const DRAFTS_KEY = 'tidings-drafts';

/** Whether this tab holds stored drafts. Without any, the code that decrypts them isn't loaded. */
export const hasStoredDrafts = (): boolean => {
  try {
    return sessionStorage.getItem(DRAFTS_KEY) !== null;
  } catch {
    return false;
  }
};

export const clearStoredDrafts = (): void => {
  try {
    sessionStorage.removeItem(DRAFTS_KEY);
  } catch {
    // Storage is blocked, so there is nothing to remove.
  }
};
