import { useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useMemo, useState } from 'react';
import type { Me, Team } from '#contract/accounts.ts';
import { LiveContext, useIsLive, useLiveConnection, useLiveEvents } from '../api/use-live.ts';
import { type Counts, countsQuery } from '../inbox/counts.ts';
import { reviewCountQuery } from '../reviews/review-queries.ts';
import { useRouter, useShownPath } from '../router/hooks.ts';
import { Outlet } from '../router/outlet.tsx';
import { isEmbedded } from '../session/ehr-frame.ts';
import { endSession } from '../session/end-session.ts';
import { keptScroll } from '../session/kept-scroll.ts';
import { meQuery, selectedTeam } from '../session/queries.ts';
import { type Session, SessionContext } from '../session/session.ts';
import { Announcer } from '../ui/announcer.tsx';
import { Empty } from '../ui/states.tsx';
import { useLoaded } from '../ui/use-loaded.ts';
import { AppCommands } from './app-commands.tsx';
import { Header } from './header.tsx';
import { Navigation } from './navigation.tsx';
import classes from './shell.module.css';

const later = () => import('./later-parts.ts');
const loadRights = async () => (await later()).loadRights();

const ShortcutSheet = lazy(async () => ({ default: (await (await later()).loadShortcutSheet()).ShortcutSheet }));
const EhrStrip = lazy(async () => ({ default: (await (await later()).loadEhrStrip()).EhrStrip }));
const loadDeferred = async () => (await later()).loadDeferred();
const loadOfflineBar = async () => (await later()).loadOfflineBar();
const loadPalette = async () => (await later()).loadPalette();
const scrollMain = keptScroll('main');
const NAVBAR_STORED = 'tidings-navbar';

const Frame = ({ me, team }: { me: Me; team: Team }) => {
  const session = useMemo<Session>(
    () => ({
      user: me.user,
      team,
      preferences: me.preferences,
      can: (permission) => team.permissions.includes(permission),
    }),
    [me.user, team, me.preferences],
  );
  const live = useLiveConnection(team.id);
  const client = useQueryClient();
  const router = useRouter();
  // The path of the page on the screen, not of one that is still loading, which would remount this page and reload its data. Choosing
  // a saved filter doesn't remount a list.
  const path = useShownPath().split('/active-filter-id/', 1)[0];
  // Nothing of it is urgent, but without a live connection it comes too.
  const deferred = useLoaded(loadDeferred, useIsLive(live));
  const [embedded] = useState(() => isEmbedded(me.user));
  const [sheet, showSheet] = useState(false);
  const [collapsed, collapse] = useState(() => localStorage.getItem(NAVBAR_STORED) === 'collapsed');
  useEffect(() => localStorage.setItem(NAVBAR_STORED, collapsed ? 'collapsed' : 'open'), [collapsed]);
  const [palette, showPalette] = useState(false);
  const Palette = useLoaded(loadPalette, palette, deferred !== null);
  const OfflineBar = useLoaded(loadOfflineBar, false, deferred !== null);
  useLiveEvents((event) => {
    if (event.kind === 'counts') {
      // A pending answer may be older, and would overwrite this.
      void client.cancelQueries({ queryKey: countsQuery.queryKey });
      client.setQueryData<Counts>(countsQuery.queryKey, event.data);
    }
    if (event.kind === 'reviews') client.setQueryData(reviewCountQuery.queryKey, event.data);
    if (event.kind === 'reload') void client.invalidateQueries({ queryKey: countsQuery.queryKey });
    if (event.kind === 'rights') void loadRights().then(({ refreshRights }) => refreshRights(router));
    if (event.kind === 'ended') endSession(router);
  }, live);
  return (
    <SessionContext value={session}>
      <LiveContext value={live}>
        <a className={classes.skip} href="#main">
          Skip to main content
        </a>
        <div className={classes.shell} data-embedded={embedded || undefined} data-collapsed={collapsed || undefined}>
          {embedded ? (
            <Suspense>
              <EhrStrip me={me} />
            </Suspense>
          ) : (
            <>
              <Header me={me} openPalette={() => showPalette(true)} openShortcuts={() => showSheet(true)} />
              <Navigation collapsed={collapsed} toggle={() => collapse(!collapsed)} />
            </>
          )}
          <main id="main" ref={scrollMain} className={classes.main} tabIndex={-1} key={path} data-scroller="main">
            {deferred && <deferred.PasswordExpiryNotice me={me} />}
            <Outlet />
          </main>
          {OfflineBar && <OfflineBar />}
        </div>
        {sheet && (
          <Suspense>
            <ShortcutSheet close={() => showSheet(false)} />
          </Suspense>
        )}
        <AppCommands
          embedded={embedded}
          openPalette={() => showPalette(true)}
          openShortcuts={() => showSheet(true)}
          toggleSidebar={() => collapse((was) => !was)}
        />
        {palette && Palette && <Palette close={() => showPalette(false)} />}
        {deferred && <deferred.DeferredFeatures me={me} />}
        <Announcer />
      </LiveContext>
    </SessionContext>
  );
};

/** The frame of every page behind sign-in. Switching teams remounts everything. */
export const Shell = () => {
  const { data: me } = useQuery(meQuery);
  if (!me) return null;
  const team = selectedTeam(me);
  if (!team)
    return <Empty title="You're not on a team yet.">An administrator in your organization can add you to one.</Empty>;
  return <Frame key={team.id} me={me} team={team} />;
};
