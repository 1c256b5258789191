import { Button, Group, Text, VisuallyHidden } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { call } from '../api/call.ts';
import { Dialog } from '../ui/dialog.tsx';
import { endSession } from './end-session.ts';
import { InactivityClock } from './inactivity-clock.ts';
import { hearTabs, tellTabs } from './tabs.ts';

const ACTIVITY = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const;
/** Said to screen readers at these many seconds before the end, and at no others (ux.md, "Session timeout"). */
const SPOKEN: [seconds: number, words: string][] = [
  [120, 'Your session ends in 2 minutes.'],
  [60, 'Your session ends in 1 minute.'],
  [20, 'Your session ends in 20 seconds.'],
];

const inWords = (left: number): string => {
  const minutes = Math.ceil(left / 60_000);
  return minutes > 1 ? `${minutes} minutes` : 'less than a minute';
};

const tellServer = (): void => void call('POST /api/session/activity').catch(() => {});

/** Somebody is at the buttons of the warning, which say themselves what they mean. */
const isChoosing = ({ type, target, key }: Event & { key?: string }): boolean =>
  target instanceof Element &&
  target.closest('dialog > *') !== null &&
  (type !== 'keydown' || ['Tab', 'Shift', 'Enter', ' '].includes(key ?? ''));

/** The session's inactivity: milliseconds to the end while the warning stands, else null; and how to go on. */
const useInactivity = (since: number, end: () => void) => {
  const [left, setLeft] = useState<number | null>(null);
  const [spoken, speak] = useState('');
  const latest = useRef(end);
  useEffect(() => {
    latest.current = end;
  });
  const clock = useRef<InactivityClock>(null);
  useEffect(() => {
    const ticking = new InactivityClock(tellServer, (at) => tellTabs({ kind: 'active', at }), since);
    clock.current = ticking;
    let before = Number.POSITIVE_INFINITY;
    const tick = (): void => {
      const now = ticking.left();
      if (now <= 0) return latest.current();
      setLeft(ticking.warns() ? now : null);
      for (const [seconds, words] of SPOKEN) if (before > seconds * 1000 && now <= seconds * 1000) speak(words);
      before = now;
    };
    const active = (event: Event): void => {
      if (ticking.warns() && isChoosing(event)) return;
      ticking.active();
      if (!ticking.warns()) setLeft(null);
    };
    const timer = setInterval(tick, 1000);
    const deaf = hearTabs((told) => {
      if (told.kind === 'active') ticking.heard(told.at);
    });
    for (const kind of ACTIVITY) window.addEventListener(kind, active, { passive: true, capture: true });
    return () => {
      ticking.stop();
      clearInterval(timer);
      deaf();
      for (const kind of ACTIVITY) window.removeEventListener(kind, active, { capture: true });
    };
  }, [since]);
  return { left, spoken, goOn: () => clock.current?.active() };
};

/** Warns before the session ends for want of activity, and ends it; in step with the other tabs. `since`: when the page was opened. */
export const SessionKeeper = ({ since }: { since: number }) => {
  const router = useRouter();
  const end = (): void => {
    endSession(router);
    // The server ends it by itself; this only makes sure that it is not later than the screen says.
    void call('POST /api/logout').catch(() => {});
  };
  const { left, spoken, goOn } = useInactivity(since, end);
  if (left === null) return null;
  return (
    <Dialog title="Your session is about to end" close={goOn}>
      <Text>
        You have not done anything for a while. For the safety of patient data you will be signed out in{' '}
        <strong className="tabular">{inWords(left)}</strong>. You can come back to this page by signing in again.
      </Text>
      {/* Here, for what stands outside of a modal dialog is not read out. */}
      <VisuallyHidden role="status">{spoken}</VisuallyHidden>
      <Group mt="lg" justify="flex-end">
        <Button variant="default" onClick={end}>
          Sign out
        </Button>
        <Button data-autofocus onClick={goOn}>
          Stay signed in
        </Button>
      </Group>
    </Dialog>
  );
};
