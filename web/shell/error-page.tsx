import { Anchor, Button, Text, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef } from 'react';
import type { Me } from '#contract/accounts.ts';
import type { ClientError } from '#contract/usage.ts';
import { inBackground } from '../api/background.ts';
import { useRouter } from '../router/hooks.ts';
import { startPath } from '../session/paths.ts';
import { applicationInfoQuery, fetchMe, meQuery, selectedTeam } from '../session/queries.ts';
import { signOut } from '../session/sign-out.ts';
import { wasReloaded } from '../session/was-reloaded.ts';
import { Failed } from '../ui/states.tsx';
import { useTitle } from '../ui/use-title.ts';
import { track } from '../usage/track.ts';
import { suppressMfaToast } from './mfa-toast-rule.ts';
import classes from './pages.module.css';

const YEAR = new Date().getFullYear();

interface ErrorScreenProps {
  header: string;
  children?: ReactNode;
  /** Whether it has a link to the home page. */
  home?: boolean;
  /** Both are recorded in a usage event. */
  message?: string;
  kind?: ClientError['kind'];
}

/** An error page, which records that it was shown. */
const ErrorScreen = ({
  header,
  children,
  home = true,
  message = 'Unknown Error',
  kind = 'unknown',
}: ErrorScreenProps) => {
  const { data: info } = useQuery(applicationInfoQuery);
  useEffect(() => {
    suppressMfaToast();
    track('error-page-loaded', { params: { message, kind } });
  }, [message, kind]);
  return (
    <div className={classes.alone}>
      <main>
        <Title order={1}>{header}</Title>
        {children}
        {home && (
          <Anchor href="/" mt="md" data-target underline="always">
            Go To Home Page
          </Anchor>
        )}
      </main>
      <footer>
        {YEAR} {info?.companyName ?? 'Tidings'}
      </footer>
    </div>
  );
};

/** Where the browser goes after a 502 or 503. */
export const ErrorPage = () => {
  useTitle('Not available');
  return (
    <ErrorScreen header="Tidings isn't available right now." kind="api_call_failed">
      <Text mt="sm">Check back in a few minutes. Everything you saved is safe.</Text>
    </ErrorScreen>
  );
};

/** How often the page asks whether the user has access by now, in milliseconds. */
const ASK_EVERY = 30_000;

/**
 * Returns the current user, asked for again and again, and whether they may open no page. Goes to the first of their pages once they may. Someone
 * with access who opens this page by its address stays here.
 */
const useAwaitedAccess = (): { me: Me | null | undefined; isBarred: boolean } => {
  const router = useRouter();
  const { data: me } = useQuery({
    ...meQuery,
    queryFn: () => inBackground(fetchMe),
    refetchInterval: ASK_EVERY,
    refetchOnMount: 'always',
    refetchOnWindowFocus: 'always',
  });
  const team = me ? selectedTeam(me) : undefined;
  const start = me && team && startPath({ user: me.user, can: (permission) => team.permissions.includes(permission) });
  const home = start && start !== '/permissions-error' ? start : null;
  const isAwaited = useRef(wasReloaded());
  const isBarred = Boolean(me) && !home;
  useEffect(() => {
    if (isBarred) isAwaited.current = true;
    if (home && isAwaited.current) void router.navigate({ to: home, replace: true });
  }, [isBarred, home, router]);
  return { me, isBarred };
};

/** For users who may open no page: why, and who can help. */
export const PermissionsErrorPage = () => {
  useTitle('No access');
  const { me, isBarred } = useAwaitedAccess();
  const { data: info } = useQuery(applicationInfoQuery);
  const { email, phone, link } = info?.support ?? {};
  const leaving = useMutation({ mutationFn: () => signOut() });
  return (
    <ErrorScreen
      header={isBarred ? "You don't have access yet" : 'Error 401'}
      home={false}
      message="permissions"
      kind="api_unauthenticated"
    >
      {isBarred && <Text c="dimmed">Error 401</Text>}
      <Text mt="sm">
        The proper permissions are not set up. Please contact us at{' '}
        {email ? (
          <Anchor inherit underline="always" href={`mailto:${email}`}>
            {email}
          </Anchor>
        ) : link ? (
          <Anchor inherit underline="always" href={link}>
            {link}
          </Anchor>
        ) : (
          (phone ?? "your organization's support desk.")
        )}
      </Text>
      {isBarred && (
        <Text mt="sm">
          You aren't on a team, or your team doesn't let you open any page. Ask an administrator in your organization
          for access. Once you have it, Tidings opens here by itself.
        </Text>
      )}
      {me !== null && (
        <>
          {leaving.error && <Failed what="You're still signed in." error={leaving.error} />}
          <Button mt="lg" variant="default" loading={leaving.isPending} onClick={() => leaving.mutate()}>
            Sign out
          </Button>
        </>
      )}
    </ErrorScreen>
  );
};
