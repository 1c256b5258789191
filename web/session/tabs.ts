/** What tabs of one browser tell each other about their shared session. */
export type TabMessage =
  | { kind: 'active'; at: number }
  | { kind: 'ended' }
  | { kind: 'signed-in'; userId: string }
  /** An EHR has opened us, with that patient or with none. */
  | { kind: 'launched'; patientId: string | null };

const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('tidings-session');

export const tellTabs = (message: TabMessage): void => channel?.postMessage(message);

/** Hears the other tabs until the returned function is called. */
export const hearTabs = (hear: (message: TabMessage) => void): (() => void) => {
  const heard = ({ data }: MessageEvent<TabMessage>): void => hear(data);
  channel?.addEventListener('message', heard);
  return () => channel?.removeEventListener('message', heard);
};
