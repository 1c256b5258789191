import { Alert, Anchor, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef } from 'react';
import { isFramed } from '../session/ehr-frame.ts';
import { applicationInfoQuery } from '../session/queries.ts';
import { IconActivity, IconAlertTriangle } from '../ui/icons.ts';
import classes from './sign-in-page.module.css';

/** Opens another site in a new window, since most refuse to open inside a frame. */
const linkOut = () => (isFramed() ? { target: '_blank', rel: 'noopener' } : {});

const useSupport = () => {
  const { data: info } = useQuery(applicationInfoQuery);
  const { link = null, email = null, phone = null } = info?.support ?? {};
  const href = link ?? (email ? `mailto:${email}` : phone && `tel:${phone}`);
  return { link, email, phone, href, isKnown: info !== undefined };
};

/**
 * A message of the error catalog; in it, "the support link" becomes that link. An installation without any support contact has no link to name, so
 * the message names the people who can help instead.
 */
const Message = ({ message }: { message: string }) => {
  const { href, isKnown } = useSupport();
  const [before, after] = message.split('the support link');
  if (after === undefined || !isKnown) return message;
  if (!href) return message.replace('us at the support link', "your organization's administrator");
  return (
    <>
      {before}
      <Anchor href={href} {...linkOut()} inherit underline="always">
        the support link
      </Anchor>
      {after}
    </>
  );
};

/** What went wrong. It takes the focus when it appears. */
export const Problem = ({ message }: { message: string | null }) => {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (message) place.current?.focus();
  }, [message]);
  return (
    <div ref={place} tabIndex={-1} className={classes.problem}>
      {message && (
        <Alert role="alert" color="caution" icon={<IconAlertTriangle size={18} aria-hidden />}>
          <Message message={message} />
        </Alert>
      )}
    </div>
  );
};

/** The single column of every page before sign-in: product, title, content, help. */
export const AccountFrame = ({ title, children, wide }: { title: string; children: ReactNode; wide?: boolean }) => {
  const { data: info } = useQuery(applicationInfoQuery);
  const { email, phone, link } = useSupport();
  const contacts = [phone, email].filter(Boolean).join(' · ');
  return (
    <main className={classes.page} data-wide={wide || undefined}>
      <div className={classes.product}>
        <IconActivity size={24} stroke={2} aria-hidden />
        {info?.productName ?? 'Tidings'}
      </div>
      <Title order={1}>{title}</Title>
      {children}
      <footer className={classes.footer}>
        {(contacts || link) && (
          <Text size="xs" c="dimmed">
            Help: {contacts}
            {contacts && link && ' · '}
            {link && (
              <Anchor href={link} {...linkOut()} inherit underline="always">
                Support
              </Anchor>
            )}
          </Text>
        )}
        <Text size="xs" c="dimmed">
          For authorized users only. Everything you view and change is recorded.
        </Text>
      </footer>
    </main>
  );
};
