import { Anchor, Button, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { call } from '../api/call.ts';
import { queryClient } from '../api/query-client.ts';
import { endSession } from '../session/end-session.ts';
import { applicationInfoQuery, meQuery } from '../session/queries.ts';
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
  /** Recorded as a usage event. */
  message?: string;
}

/** An error page, which records that it was shown. */
export const ErrorScreen = ({ header, children, home = true, message = 'Unknown Error' }: ErrorScreenProps) => {
  const { data: info } = useQuery(applicationInfoQuery);
  useEffect(() => {
    suppressMfaToast();
    track('error-page-loaded', { params: { message } });
  }, [message]);
  return (
    <div className={classes.alone}>
      <main>
        <Title order={1}>{header}</Title>
        {children}
        {home && (
          <Anchor href="/" mt="md" display="inline-block" underline="always">
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
    <ErrorScreen header="Tidings isn't available right now.">
      <Text mt="sm">Check back in a few minutes. Everything you saved is safe.</Text>
    </ErrorScreen>
  );
};

/** For users without any permission: whom to contact. */
export const PermissionsErrorPage = () => {
  useTitle('No access');
  const router = useRouter();
  const { data: info } = useQuery(applicationInfoQuery);
  const { email, phone, link } = info?.support ?? {};
  const signOut = async (): Promise<void> => {
    await call('POST /api/logout').catch(() => {});
    endSession(router, { willReturn: false });
  };
  return (
    <ErrorScreen header="401" home={false} message="permissions">
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
      {queryClient.getQueryData(meQuery.queryKey) && (
        <Button mt="lg" variant="default" onClick={() => void signOut()}>
          Sign out
        </Button>
      )}
    </ErrorScreen>
  );
};
