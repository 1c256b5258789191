import type { User } from '#contract/accounts.ts';

/** The patient of a launch: found on the lists, only known by record number, or none. */
export type LaunchedPatient = Pick<User, 'patientId' | 'ehrPatientIdentifier'>;

/** What the tabs of one browser send each other about their shared session. */
type TabMessage =
  | { kind: 'active'; at: number }
  /** The session has expired, or was ended from elsewhere: its user may come back. */
  | { kind: 'ended' }
  /** The user asked to sign out, the server answered that they are signed out, or it couldn't be reached. */
  | { kind: 'signing-out' | 'signed-out' | 'still-signed-in'; userId: string }
  | { kind: 'signed-in'; userId: string }
  /** An EHR has opened Tidings, with this patient or without one. */
  | ({ kind: 'launched' } & LaunchedPatient);

const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('tidings-session');

export const postToTabs = (message: TabMessage): void => channel?.postMessage(message);

/** Calls `listener` with the messages of other tabs until the returned function is called. */
export const listenToTabs = (listener: (message: TabMessage) => void): (() => void) => {
  const onMessage = ({ data }: MessageEvent<TabMessage>): void => listener(data);
  channel?.addEventListener('message', onMessage);
  return () => channel?.removeEventListener('message', onMessage);
};
