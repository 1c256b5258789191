import { Alert, Anchor, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef } from 'react';
import { IconActivity, IconAlertTriangle } from '../ui/icons.ts';
import { applicationInfoQuery } from './session.ts';
import classes from './sign-in-page.module.css';

/** What went wrong, in the catalogue's words, with the support link that they speak of; it takes the focus. */
export const Problem = ({ message }: { message: string | null }) => {
  const { data: info } = useQuery(applicationInfoQuery);
  const place = useRef<HTMLDivElement>(null);
  const { link, email } = info?.support ?? {};
  const support = link ?? (email ? `mailto:${email}` : null);
  useEffect(() => {
    if (message) place.current?.focus();
  }, [message]);
  return (
    <div ref={place} tabIndex={-1} className={classes.problem}>
      {message && (
        <Alert role="alert" color="caution" icon={<IconAlertTriangle size={18} aria-hidden />}>
          {message}{' '}
          {support && (
            <Anchor href={support} inherit underline="always">
              Support
            </Anchor>
          )}
        </Alert>
      )}
    </div>
  );
};

/** The one column of every page before sign-in: product, title, what the page is about, help. */
export const AccountFrame = ({ title, children, wide }: { title: string; children: ReactNode; wide?: boolean }) => {
  const { data: info } = useQuery(applicationInfoQuery);
  const { email, phone } = info?.support ?? {};
  return (
    <main className={classes.page} data-wide={wide || undefined}>
      <div className={classes.product}>
        <IconActivity size={24} stroke={2} aria-hidden />
        {info?.productName ?? 'Tidings'}
      </div>
      <Title order={1}>{title}</Title>
      {children}
      <footer className={classes.footer}>
        {(email ?? phone) && (
          <Text size="xs" c="dimmed">
            Help: {[phone, email].filter(Boolean).join(' · ')}
          </Text>
        )}
        <Text size="xs" c="dimmed">
          For authorised users only. What you read and change is recorded.
        </Text>
      </footer>
    </main>
  );
};
