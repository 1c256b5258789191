import type { Entries, EntriesOwner, StoredKey } from './stored-keys.ts';

/** AES-256-GCM under the user's own key, with the user's id bound to it as additional data. */
const importKey = async (draftKey: string): Promise<CryptoKey> =>
  crypto.subtle.importKey(
    'raw',
    await crypto.subtle.digest('SHA-256', new TextEncoder().encode(draftKey)),
    'AES-GCM',
    false,
    ['encrypt', 'decrypt'],
  );
const additionalData = (key: StoredKey, userId: string): Uint8Array<ArrayBuffer> =>
  new TextEncoder().encode(`${key} of ${userId}`);

/** Encrypts the entries into sessionStorage. */
export const storeEncrypted = async (key: StoredKey, entries: Entries, owner: EntriesOwner): Promise<void> => {
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const text = new TextEncoder().encode(JSON.stringify([...entries]));
  const encrypted = await crypto.subtle.encrypt(
    { name: 'AES-GCM', iv, additionalData: additionalData(key, owner.userId) },
    await importKey(owner.draftKey),
    text,
  );
  const bytes = [...iv, ...new Uint8Array(encrypted)];
  sessionStorage.setItem(key, btoa(String.fromCharCode(...bytes)));
};

/** Returns this user's stored entries and removes them. Another user's can't be decrypted: none are returned, and they are removed too. */
export const takeEncrypted = async (key: StoredKey, owner: EntriesOwner): Promise<[string, unknown][]> => {
  const stored = sessionStorage.getItem(key);
  sessionStorage.removeItem(key);
  if (stored === null) return [];
  try {
    const bytes = Uint8Array.from(atob(stored), (letter) => letter.charCodeAt(0));
    const decrypted = await crypto.subtle.decrypt(
      { name: 'AES-GCM', iv: bytes.subarray(0, 12), additionalData: additionalData(key, owner.userId) },
      await importKey(owner.draftKey),
      bytes.subarray(12),
    );
    return JSON.parse(new TextDecoder().decode(decrypted)) as [string, unknown][];
  } catch {
    return [];
  }
};
