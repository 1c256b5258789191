import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Outlet, useMatches, useRouter } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useMemo, useState } from 'react';
import type { Me, Team } from '#contract/accounts.ts';
import { LiveContext, useConnection, useLiveEvents } from '../api/use-live.ts';
import { loadChunk } from '../errors/load-chunk.ts';
import { type Counts, countsQuery } from '../inbox/counts.ts';
import { isBare } from '../session/ehr-frame.ts';
import { endSession } from '../session/end-session.ts';
import { keptScroll } from '../session/kept-scroll.ts';
import { usePreferencesOfUser } from '../session/preferences.ts';
import { meQuery, type Session, SessionContext, selectedTeam } from '../session/session.ts';
import { Announcer } from '../ui/announcer.tsx';
import { useShortcuts } from '../ui/shortcuts.ts';
import { Empty } from '../ui/states.tsx';
import { useLoaded } from '../ui/use-loaded.ts';
import { Header } from './header.tsx';
import { Navigation } from './navigation.tsx';
import { OfflineBar } from './offline-bar.tsx';
import classes from './shell.module.css';

const ShortcutSheet = lazy(() =>
  loadChunk('shortcuts', () => import('./shortcut-sheet.tsx')).then((file) => ({ default: file.ShortcutSheet })),
);
const EhrStrip = lazy(() =>
  loadChunk('ehr', () => import('./ehr-strip.tsx')).then((file) => ({ default: file.EhrStrip })),
);
const loadCompanions = () => loadChunk('companions', () => import('./companions.tsx'));
const scrollMain = keptScroll('main');
const NAVBAR_STORED = 'tidings-navbar';

const Frame = ({ me, team }: { me: Me; team: Team }) => {
  const session = useMemo<Session>(
    () => ({ user: me.user, team, can: (permission) => team.permissions.includes(permission) }),
    [me.user, team],
  );
  const live = useConnection(team.id);
  usePreferencesOfUser();
  const client = useQueryClient();
  const router = useRouter();
  // Of the page that stands, not of one that is still loading: that would mount this one anew, which asks for its data again.
  // A list stays the same list when its saved filter changes.
  const path = useMatches({ select: (matches) => matches.at(-1)?.pathname.replace(/\/active-filter-id\/.*$/, '') });
  const companions = useLoaded(loadCompanions, true);
  const [bare] = useState(() => isBare(me.user));
  const [sheet, showSheet] = useState(false);
  const [collapsed, collapse] = useState(() => localStorage.getItem(NAVBAR_STORED) === 'collapsed');
  useEffect(() => localStorage.setItem(NAVBAR_STORED, collapsed ? 'collapsed' : 'open'), [collapsed]);
  useShortcuts({ '?': () => showSheet(true), '[': () => collapse((was) => !was) });
  useLiveEvents((event) => {
    if (event.kind === 'counts') {
      // An answer that is under way may be from before, and would overwrite it.
      void client.cancelQueries({ queryKey: countsQuery.queryKey });
      client.setQueryData<Counts>(countsQuery.queryKey, event.data);
    }
    if (event.kind === 'reload') void client.invalidateQueries({ queryKey: countsQuery.queryKey });
    if (event.kind === 'ended') endSession(router);
  }, live);
  return (
    <SessionContext value={session}>
      <LiveContext value={live}>
        <a className={classes.skip} href="#main">
          Skip to the content
        </a>
        <div className={classes.shell} data-bare={bare || undefined} data-collapsed={collapsed || undefined}>
          {bare ? (
            <Suspense>
              <EhrStrip me={me} />
            </Suspense>
          ) : (
            <>
              <Header me={me} openShortcuts={() => showSheet(true)} />
              <Navigation collapsed={collapsed} toggle={() => collapse(!collapsed)} />
            </>
          )}
          <main id="main" ref={scrollMain} className={classes.main} tabIndex={-1} key={path} data-scroller="main">
            <OfflineBar />
            {companions && <companions.PasswordNotice me={me} />}
            <Outlet />
          </main>
        </div>
        {sheet && (
          <Suspense>
            <ShortcutSheet close={() => showSheet(false)} />
          </Suspense>
        )}
        {companions && <companions.Companions me={me} />}
        <Announcer />
      </LiveContext>
    </SessionContext>
  );
};

/** The frame of every page behind sign-in. Another team mounts everything anew. */
export const Shell = () => {
  const { data: me } = useQuery(meQuery);
  if (!me) return null;
  const team = selectedTeam(me);
  if (!team)
    return <Empty title="You belong to no team yet.">An administrator of your organisation can add you to one.</Empty>;
  return <Frame key={team.id} me={me} team={team} />;
};
