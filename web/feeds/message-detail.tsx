import { Button, Group, Skeleton, Text, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { call } from '../api/call.ts';
import { ApiError } from '../api/error.ts';
import { BackButton } from '../ui/back-button.tsx';
import { Facts } from '../ui/facts.tsx';
import { formatDateTime } from '../ui/format/date.ts';
import { IconRotateClockwise2 } from '../ui/icons.ts';
import { Failed } from '../ui/states.tsx';
import { showToast } from '../ui/toasts.tsx';
import { messageQuery } from './feed-queries.ts';
import classes from './feeds.module.css';
import { MESSAGE_STATUS_LOOKS, MessageStatusBadge } from './message-status-badge.tsx';

/** One received message: its status and reason, its text, and a button to replay it. */
export const MessageDetail = ({ id, close }: { id: string; close: () => void }) => {
  const client = useQueryClient();
  const head = useRef<HTMLHeadingElement>(null);
  const { data: message, error, refetch } = useQuery(messageQuery(id));
  useEffect(() => head.current?.focus(), []);
  const replay = useMutation({
    mutationFn: () => call('POST /api/feeds/messages/:id/replay', { params: { id } }),
    onSuccess: (next) => {
      showToast({ type: 'info', message: `Replayed: ${MESSAGE_STATUS_LOOKS[next.status].label}.` });
      void client.invalidateQueries({ queryKey: ['feed-messages'] });
      void client.invalidateQueries({ queryKey: ['feeds'] });
      void refetch();
    },
    onError: (failure) =>
      showToast({
        type: 'warning',
        message: failure instanceof ApiError ? failure.message : "Couldn't replay the message. Try again.",
      }),
  });
  return (
    <section>
      <BackButton to="messages" close={close} />
      <Group my="sm" gap="sm">
        <Title order={2} ref={head} tabIndex={-1} className={classes.quiet}>
          Message {message?.controlId ?? id}
        </Title>
        {message && <MessageStatusBadge status={message.status} />}
        {message && (
          <Button
            ml="auto"
            size="xs"
            variant="default"
            loading={replay.isPending}
            leftSection={<IconRotateClockwise2 size={16} stroke={1.75} aria-hidden />}
            onClick={() => replay.mutate()}
          >
            Replay
          </Button>
        )}
      </Group>
      {error && <Failed what="Couldn't load the message." error={error} retry={() => void refetch()} />}
      {!message && !error && <Skeleton h={240} />}
      {message && (
        <>
          <Text mb="sm">{message.reason}</Text>
          <Facts
            facts={[
              ['Received', formatDateTime(message.receivedAt)],
              ['Processed', message.processedAt ? formatDateTime(message.processedAt) : 'Not yet'],
              ['Feed', message.feedName],
              ['Type', message.messageType],
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
