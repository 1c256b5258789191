import { Button, Group, Text, VisuallyHidden } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { call } from '../api/call.ts';
import { useRouter } from '../router/hooks.ts';
import { Dialog } from '../ui/dialog.tsx';
import { endSession } from './end-session.ts';
import { InactivityClock } from './inactivity-clock.ts';
import { signOut } from './sign-out.ts';
import { listenToTabs, postToTabs } from './tabs.ts';

const ACTIVITY = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const;
/** Announced to screen readers at these times before the end. Announcing every second would be noise. */
const ANNOUNCEMENTS: [seconds: number, text: string][] = [
  [120, 'Your session ends in 2 minutes.'],
  [60, 'Your session ends in 1 minute.'],
  [20, 'Your session ends in 20 seconds.'],
];

const inWords = (left: number): string => {
  const minutes = Math.ceil(left / 60_000);
  return minutes > 1 ? `${minutes} minutes` : 'less than a minute';
};

const notifyServer = (): void => void call('POST /api/session/activity').catch(() => {});

/** Whether the user is at the buttons of the warning, which act for themselves. */
const isInWarning = ({ type, target, key }: Event & { key?: string }): boolean =>
  target instanceof Element &&
  target.closest('dialog > *') !== null &&
  (type !== 'keydown' || ['Tab', 'Shift', 'Enter', ' '].includes(key ?? ''));

/** In epoch milliseconds: when the page was opened, and when the session ends at the latest; in milliseconds: after how long without activity. */
interface SessionTimes {
  since: number;
  latestEnd: number;
  endsAfter: number;
}

/** Returns the milliseconds left while the warning is due, else null; whether activity can't help; the announcement; and how to stay signed in. */
const useInactivity = ({ since, latestEnd, endsAfter }: SessionTimes, end: () => void) => {
  const [isFinal, setIsFinal] = useState(false);
  const [left, setLeft] = useState<number | null>(null);
  const [announcement, setAnnouncement] = useState('');
  const latest = useRef(end);
  useEffect(() => {
    latest.current = end;
  });
  const clock = useRef<InactivityClock>(null);
  useEffect(() => {
    const ticking = new InactivityClock(notifyServer, (at) => postToTabs({ kind: 'active', at }), {
      since,
      latestEnd,
      endsAfter,
    });
    clock.current = ticking;
    let before = Number.POSITIVE_INFINITY;
    const tick = (): void => {
      const now = ticking.left();
      if (now <= 0) return latest.current();
      setLeft(ticking.warns() ? now : null);
      setIsFinal(ticking.isLatestEndNear());
      for (const [seconds, text] of ANNOUNCEMENTS)
        if (before > seconds * 1000 && now <= seconds * 1000) setAnnouncement(text);
      before = now;
    };
    const onActivity = (event: Event): void => {
      if (ticking.warns() && isInWarning(event)) return;
      ticking.active();
      if (!ticking.warns()) setLeft(null);
    };
    const timer = setInterval(tick, 1000);
    const stopListening = listenToTabs((message) => {
      if (message.kind === 'active') ticking.activeElsewhere(message.at);
    });
    for (const kind of ACTIVITY) window.addEventListener(kind, onActivity, { passive: true, capture: true });
    return () => {
      ticking.stop();
      clearInterval(timer);
      stopListening();
      for (const kind of ACTIVITY) window.removeEventListener(kind, onActivity, { capture: true });
    };
  }, [since, latestEnd, endsAfter]);
  return { left, isFinal, announcement, stay: () => clock.current?.active() };
};

/** The session ends at its hour, however active the user is. The warning is shown once and can be put aside. */
const FinalWarning = ({ left, announcement, end }: { left: number; announcement: string; end: () => void }) => {
  const [isHidden, hide] = useState(false);
  if (isHidden) return null;
  return (
    <Dialog title="Your session is about to end" close={() => hide(true)}>
      <Text>
        For your security, sessions end some hours after sign-in. You'll be signed out in{' '}
        <strong className="tabular">{inWords(left)}</strong>. Sign in again to come back to this page.
      </Text>
      <VisuallyHidden role="status">{announcement}</VisuallyHidden>
      <Group mt="lg" justify="flex-end">
        <Button variant="default" onClick={end}>
          Sign in again now
        </Button>
        <Button data-autofocus onClick={() => hide(true)}>
          Finish what I'm doing
        </Button>
      </Group>
    </Dialog>
  );
};

/**
 * Warns before the session ends, from inactivity or at its hour, and ends it, in step with the other tabs.
 */
export const SessionTimeout = ({ since, latestEnd, endsAfter }: SessionTimes) => {
  const router = useRouter();
  const end = (): void => {
    endSession(router);
    // The server ends the session by itself; this makes sure that it is no later than the page says.
    void call('POST /api/logout').catch(() => {});
  };
  const { left, isFinal, announcement, stay } = useInactivity({ since, latestEnd, endsAfter }, end);
  if (left === null) return null;
  if (isFinal) return <FinalWarning left={left} announcement={announcement} end={end} />;
  return (
    <Dialog title="Your session is about to end" close={stay}>
      <Text>
        You've been inactive for a while. To protect patient data, you'll be signed out in{' '}
        <strong className="tabular">{inWords(left)}</strong>. Sign in again to come back to this page.
      </Text>
      {/* Inside the dialog: screen readers don't read out what is outside a modal one. */}
      <VisuallyHidden role="status">{announcement}</VisuallyHidden>
      <Group mt="lg" justify="flex-end">
        <Button variant="default" onClick={() => void signOut().catch(end)}>
          Sign out
        </Button>
        <Button data-autofocus onClick={stay}>
          Stay signed in
        </Button>
      </Group>
    </Dialog>
  );
};
