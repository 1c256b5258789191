import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Me } from '#contract/accounts.ts';
import { useIsLive } from '../api/use-live.ts';
import { loadChunk } from '../errors/load-chunk.ts';
import { savedFiltersQuery } from '../filters/saved-filter-queries.ts';
import { useNavigate } from '../router/hooks.ts';
import { expiresSoon } from '../session/password-expiry.ts';
import { profilePath } from '../session/paths.ts';
import { useSession } from '../session/session.ts';
import { Toasts } from '../ui/toast-stack.tsx';
import { showToast } from '../ui/toasts.tsx';
import { useLoaded } from '../ui/use-loaded.ts';
import { track, trackLogin, whenPageIsKnown } from '../usage/track.ts';
import { offersMfa, rememberMfaToast } from './mfa-toast-rule.ts';
import { useRecentExports } from './use-recent-exports.ts';
import { useWidgetHere } from './use-widget-here.ts';

const loadSessionTimeout = () =>
  loadChunk('session-timeout', () => import('../session/session-timeout.tsx')).then((file) => file.SessionTimeout);
const loadBanner = () =>
  loadChunk('password-expiry', () => import('./password-expiry-banner.tsx')).then((file) => file.PasswordExpiryBanner);
const loadWidget = () => loadChunk('support-widget', () => import('../support/hand-over.ts'));

/** Offers two-step verification, once for each sign-in. */
const useMfaToast = (me: Me): void => {
  const { can, user } = useSession();
  const navigate = useNavigate();
  const [offers] = useState(() => offersMfa(me, can));
  const isShown = useRef(false);
  useEffect(() => {
    // The user is loaded again when their rights change.
    if (!offers || isShown.current) return;
    isShown.current = true;
    rememberMfaToast(me);
    track('mfa-toast-shown');
    showToast({
      type: 'info',
      message: 'Protect your account with two-step verification.',
      action: {
        label: 'Set up',
        run: () => {
          track('mfa-toast-clicked');
          void navigate({ to: profilePath(user) });
        },
      },
    });
  }, [offers, navigate, user, me]);
};

const useSupportWidget = (me: Me): void => {
  const { team } = useSession();
  const widget = useWidgetHere();
  // Only the widget needs all saved filters on every page.
  const { data: filters } = useQuery({ ...savedFiltersQuery, enabled: widget !== null });
  const saved = filters && filters.length > 0;
  useEffect(() => {
    if (widget && saved !== undefined)
      loadWidget().then(
        ({ handOver }) => handOver(widget, me, team, saved),
        () => {},
      );
  }, [widget, me, team, saved]);
};

const useLoginEvent = (me: Me): void => {
  // Tracking pages loads by itself, and may come later.
  useEffect(() => whenPageIsKnown(() => trackLogin(me)), [me]);
};

/** Warns of a password that expires soon. Users of single sign-on have none with us. */
export const PasswordExpiryNotice = ({ me }: { me: Me }) => {
  const { user } = useSession();
  const days = me.daysUntilPasswordExpiration;
  const soon = expiresSoon(days) && !user.isSSO;
  const Banner = useLoaded(loadBanner, soon, false);
  return Banner && soon ? <Banner days={days} /> : null;
};

/** What every page has but doesn't need in order to be shown: it loads after the page. */
export const DeferredFeatures = ({ me }: { me: Me }) => {
  useLoginEvent(me);
  useMfaToast(me);
  useRecentExports();
  useSupportWidget(me);
  const [since] = useState(Date.now);
  // In spare time, since it has nothing to say for minutes: once the live stream is open, or after a minute without one.
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 60_000);
    return () => clearTimeout(timer);
  }, []);
  const live = useIsLive();
  const SessionTimeout = useLoaded(loadSessionTimeout, false, live || late);
  return (
    <>
      {SessionTimeout && (
        <SessionTimeout
          since={since}
          latestEnd={Date.parse(me.sessionEndsAt)}
          endsAfter={me.inactivityMinutes * 60_000}
        />
      )}
      <Toasts />
    </>
  );
};
