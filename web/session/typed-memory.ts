import { onForget } from '../ui/forget.ts';
import { clearStored, type EntriesOwner, isStored } from './stored-keys.ts';

/**
 * What a user typed about a person, by an opaque id. The history of the browser outlives the session, so its entries hold the id only.
 * For a reload the text is also stored, encrypted under the user's own key.
 */
const typed = new Map<string, unknown>();
const STORED = 'tidings-typed';
/** The oldest entries are dropped, as the user hardly goes back that far. */
const MOST = 100;
let owner: EntriesOwner | null = null;

const loadEncryption = () => import('./encrypted-storage.ts');

const store = async (): Promise<void> => {
  if (!owner) return;
  const { storeEncrypted } = await loadEncryption();
  await storeEncrypted(STORED, typed, owner);
};
/** Without a secure context, or with storage blocked, nothing is stored and a reload loses the text. */
const storeIfPossible = (): void => void store().catch(() => {});

/** Keeps the text and returns its id. */
export const keepTyped = (text: unknown): string => {
  const id = crypto.getRandomValues(new Uint32Array(2)).join('-');
  typed.set(id, text);
  for (const oldest of [...typed.keys()].slice(0, -MOST)) typed.delete(oldest);
  storeIfPossible();
  return id;
};

/** Returns the text with the id; undefined if there is none, or it was another user's. */
export const typedWith = (id: string | undefined): unknown => (id === undefined ? undefined : typed.get(id));

/** Gets this user's texts back after a reload; another user's are dropped. */
export const restoreTyped = async (next: EntriesOwner): Promise<void> => {
  owner = next;
  if (!isStored(STORED)) return;
  try {
    const { takeEncrypted } = await loadEncryption();
    for (const [id, text] of await takeEncrypted(STORED, next)) if (!typed.has(id)) typed.set(id, text);
    storeIfPossible();
  } catch {
    // The code couldn't be loaded: the texts are lost.
  }
};

onForget(() => {
  typed.clear();
  owner = null;
  clearStored(STORED);
});
