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
import { MESSAGE_STATUS_LABELS, MessageStatusBadge } from './message-status.tsx';

/** One received message: what became of it, its text, and the way to process it again. */
export const MessageDetail = ({ id, close }: { id: string; close: () => void }) => {
  const client = useQueryClient();
  const head = useRef<HTMLHeadingElement>(null);
  const { data: message, error, refetch } = useQuery(messageQuery(id));
  useEffect(() => head.current?.focus(), []);
  const replay = useMutation({
    mutationFn: () => call('POST /api/feeds/messages/:id/replay', { params: { id } }),
    onSuccess: (next) => {
      showToast({ type: 'info', message: `Processed again: ${MESSAGE_STATUS_LABELS[next.status]}.` });
      void client.invalidateQueries({ queryKey: ['feed-messages'] });
      void client.invalidateQueries({ queryKey: ['feeds'] });
      void refetch();
    },
    onError: (failure) =>
      showToast({
        type: 'warning',
        message:
          failure instanceof ApiError ? failure.message : 'The message was not processed again. Please try again.',
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
      {error && <Failed what="The message could not be loaded." error={error} retry={() => void refetch()} />}
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
              The text is no longer kept, or cannot be read as text.
            </Text>
          ) : (
            // One segment a line: carriage returns end them in HL7 v2.
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
            <pre className={classes.text} tabIndex={0} role="region" aria-label="Text of the message">
              {message.text.replaceAll(/\r\n?/g, '\n')}
            </pre>
          )}
        </>
      )}
    </section>
  );
};
