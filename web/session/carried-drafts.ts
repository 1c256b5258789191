import { CARRIED, type Drafts } from './drafts.ts';

/** AES-256-GCM under a key that the server tells this user alone, with the user's id bound to it. */
const keyOf = async (draftKey: string): Promise<CryptoKey> =>
  crypto.subtle.importKey(
    'raw',
    await crypto.subtle.digest('SHA-256', new TextEncoder().encode(draftKey)),
    'AES-GCM',
    false,
    ['encrypt', 'decrypt'],
  );
const about = (userId: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(`drafts of ${userId}`);

/** Before the page is left for a sign-in elsewhere: closes what is half written and lays it by. */
export const carry = async (drafts: Drafts, owner: { userId: string; draftKey: string }): Promise<void> => {
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const text = new TextEncoder().encode(JSON.stringify([...drafts]));
  const closed = await crypto.subtle.encrypt(
    { name: 'AES-GCM', iv, additionalData: about(owner.userId) },
    await keyOf(owner.draftKey),
    text,
  );
  const bytes = [...iv, ...new Uint8Array(closed)];
  sessionStorage.setItem(CARRIED, btoa(String.fromCharCode(...bytes)));
};

/** What this user had laid by; nothing of anybody else's, which cannot be opened. It is taken out either way. */
export const fetchCarried = async (owner: { userId: string; draftKey: string }): Promise<[string, unknown][]> => {
  const laid = sessionStorage.getItem(CARRIED);
  sessionStorage.removeItem(CARRIED);
  if (laid === null) return [];
  try {
    const bytes = Uint8Array.from(atob(laid), (letter) => letter.charCodeAt(0));
    const opened = await crypto.subtle.decrypt(
      { name: 'AES-GCM', iv: bytes.subarray(0, 12), additionalData: about(owner.userId) },
      await keyOf(owner.draftKey),
      bytes.subarray(12),
    );
    return JSON.parse(new TextDecoder().decode(opened)) as [string, unknown][];
  } catch {
    return [];
  }
};
