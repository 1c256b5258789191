import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { Me } from '#contract/accounts.ts';
import { PASSWORD_WARNING_DAYS } from '#contract/constants.ts';
import { useIsLive } from '../api/use-live.ts';
import { loadChunk } from '../errors/load-chunk.ts';
import { savedFiltersQuery } from '../filters/saved-filter-queries.ts';
import { applicationInfoQuery, profilePath, useSession } from '../session/session.ts';
import { Toasts } from '../ui/toast-stack.tsx';
import { showToast } from '../ui/toasts.tsx';
import { useLoaded } from '../ui/use-loaded.ts';
import { track, trackLogin } from '../usage/track.ts';
import { asksForMfa, withoutMfaToast } from './mfa-toast-rule.ts';
import { useRecentExports } from './use-recent-exports.ts';

const loadKeeper = () =>
  loadChunk('session-keeper', () => import('../session/session-keeper.tsx')).then((file) => file.SessionKeeper);
const loadNotice = () =>
  loadChunk('password-notice', () => import('./password-notice.tsx')).then((file) => file.PasswordNotice);
const loadWidget = () => loadChunk('support-widget', () => import('../support/hand-over.ts'));

/** Once a visit: how to enrol a second factor. */
const useMfaToast = (me: Me): void => {
  const { can, user } = useSession();
  const navigate = useNavigate();
  const [asks] = useState(() => asksForMfa(me, can));
  useEffect(() => {
    if (!asks) return;
    withoutMfaToast();
    track('mfa-toast-shown');
    showToast({
      type: 'info',
      message: 'Protect your account with a second factor.',
      action: {
        label: 'Set it up',
        run: () => {
          track('mfa-toast-clicked');
          void navigate({ to: profilePath(user) });
        },
      },
    });
  }, [asks, navigate, user]);
};

const useWidget = (me: Me): void => {
  const { team } = useSession();
  const { data: info } = useQuery(applicationInfoQuery);
  const url = info?.features.supportWidgetUrl ?? null;
  // Only for the widget: nobody else asks for all of them on every page.
  const { data: filters } = useQuery({ ...savedFiltersQuery, enabled: url !== null });
  const saved = filters && filters.length > 0;
  useEffect(() => {
    if (url && saved !== undefined)
      loadWidget().then(
        ({ handToWidget, widgetData }) =>
          handToWidget(url, widgetData(me, team, { filters: saved, filterNotifications: false })),
        () => {},
      );
  }, [url, me, team, saved]);
};

const useLoginEvent = (me: Me): void => {
  useEffect(() => trackLogin(me), [me]);
};

/** Says when the password expires soon; nothing while it does not, or is none of ours. */
export const PasswordNotice = ({ me }: { me: Me }) => {
  const { user } = useSession();
  const days = me.daysUntilPasswordExpiration;
  const soon = days !== null && days <= PASSWORD_WARNING_DAYS && !user.isSSO;
  const Notice = useLoaded(loadNotice, soon, false);
  return Notice && soon ? <Notice days={days} /> : null;
};

/** What goes along with every page and is not needed to see one: loaded after it. */
export const Companions = ({ me }: { me: Me }) => {
  useLoginEvent(me);
  useMfaToast(me);
  useRecentExports();
  useWidget(me);
  const [since] = useState(Date.now);
  // In spare time: there are 35 minutes until it has something to say. A stream that never comes does not hold it back.
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 60_000);
    return () => clearTimeout(timer);
  }, []);
  const live = useIsLive();
  const SessionKeeper = useLoaded(loadKeeper, false, live || late);
  return (
    <>
      {SessionKeeper && <SessionKeeper since={since} />}
      <Toasts />
    </>
  );
};
