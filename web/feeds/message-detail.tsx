import { Group, Skeleton, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { messageQuery } from '../explain/explain-queries.ts';
import { BackButton } from '../ui/back-button.tsx';
import { Facts } from '../ui/facts.tsx';
import { formatDateTime } from '../ui/format/date.ts';
import { Failed } from '../ui/states.tsx';
import classes from './feeds.module.css';
import { MessageActions } from './message-actions.tsx';
import { Reason } from './message-list.tsx';
import { MessageStatusBadge } from './message-status-badge.tsx';

/** One received message: its status and reason, its text, and what can be done with it. */
export const MessageDetail = ({ id, close }: { id: string; close: () => void }) => {
  const head = useRef<HTMLHeadingElement>(null);
  const { data: message, error, refetch } = useQuery(messageQuery(id));
  useEffect(() => head.current?.focus(), []);
  return (
    <section>
      <BackButton to="messages" close={close} />
      <Group my="sm" gap="sm">
        <Title order={2} ref={head} tabIndex={-1} className={classes.quiet}>
          Message {message?.controlId ?? id}
        </Title>
        {message && <MessageStatusBadge message={message} />}
        {message && (
          <Group gap="sm" ml="auto">
            <MessageActions message={message} />
          </Group>
        )}
      </Group>
      {error && <Failed what="Couldn't load the message." error={error} retry={() => void refetch()} />}
      {!message && !error && <Skeleton h={240} />}
      {message && (
        <>
          <Text mb="sm" component="div">
            <Reason message={message} />
          </Text>
          <Facts
            facts={[
              ['Received', formatDateTime(message.receivedAt)],
              ['Processed', message.processedAt ? formatDateTime(message.processedAt) : 'Not yet'],
              ['Feed', message.feedName],
              ...(message.patient ? [['Patient', message.patient.name] as [string, string]] : []),
              ['Type', message.messageType],
              ...(message.reportedByLink ? [['Reported by link', message.reportedByLink] as [string, string]] : []),
              ['Sender', [message.sendingApplication, message.sendingFacility].filter(Boolean).join(' / ') || null],
              ['Size', `${message.bytes.toLocaleString('en-US')} bytes`],
            ]}
          />
          {message.text === null ? (
            <Text c="dimmed" mt="md">
              The message text is no longer stored, or it can't be read as text.
            </Text>
          ) : (
            // HL7 v2 ends segments with carriage returns; here each one is on its own line.
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
            <pre className={classes.text} tabIndex={0} role="region" aria-label="Message text">
              {message.text.replaceAll(/\r\n?/g, '\n')}
            </pre>
          )}
        </>
      )}
    </section>
  );
};
