import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Message } from '#contract/feeds.ts';
import { call } from '../api/call.ts';
import { ApiError } from '../api/error.ts';
import { messageQuery } from '../explain/explain-queries.ts';
import { TakeApart } from '../explain/take-apart.tsx';
import { IconRotateClockwise2 } from '../ui/icons.ts';
import { showToast } from '../ui/toasts.tsx';
import { DismissMessage } from './dismiss-message.tsx';
import { MESSAGE_STATUS_LOOKS } from './message-status-badge.tsx';

/** Warns with the server's words, or else with these. */
const warn = (failure: unknown, otherwise: string): void => {
  showToast({ type: 'warning', message: failure instanceof ApiError ? failure.message : otherwise });
};

/** What can be done with a received message: dismiss it or undo that, take the match of its patient apart, and replay it. */
export const MessageActions = ({ message }: { message: Message }) => {
  const { id, status, dismissal } = message;
  const client = useQueryClient();
  const [dismissing, setDismissing] = useState(false);
  const [isTakingApart, setTakingApart] = useState(false);
  const done = (words: string): void => {
    showToast({ type: 'info', message: words });
    for (const queryKey of [['feed-messages'], ['feeds'], messageQuery(id).queryKey])
      void client.invalidateQueries({ queryKey });
  };
  const undo = useMutation({
    mutationFn: () => call('POST /api/feeds/messages/:id/undismiss', { params: { id } }),
    onSuccess: () => done('The message is in quarantine again.'),
    onError: (failure) => warn(failure, "Couldn't undo the dismissal. Try again."),
  });
  const replay = useMutation({
    mutationFn: () => call('POST /api/feeds/messages/:id/replay', { params: { id } }),
    onSuccess: (next) => done(`Replayed: ${MESSAGE_STATUS_LOOKS[next.status].label}.`),
    onError: (failure) => warn(failure, "Couldn't replay the message. Try again."),
  });
  return (
    <>
      {status === 'QUARANTINED' && (
        <Button size="xs" variant="default" onClick={() => setDismissing(true)}>
          Dismiss…
        </Button>
      )}
      {dismissal && (
        <Button size="xs" variant="default" loading={undo.isPending} onClick={() => undo.mutate()}>
          Undo dismissal
        </Button>
      )}
      {status === 'APPLIED' && (
        <Button size="xs" variant="default" onClick={() => setTakingApart(true)}>
          Take match apart…
        </Button>
      )}
      {isTakingApart && (
        <TakeApart
          record="The record that this message is about"
          act={() => call('POST /api/feeds/messages/:id/take-apart', { params: { id } })}
          done={() => {
            setTakingApart(false);
            done('The match was taken apart.');
          }}
          close={() => setTakingApart(false)}
        />
      )}
      <Button
        size="xs"
        variant="default"
        loading={replay.isPending}
        leftSection={<IconRotateClockwise2 size={16} stroke={1.75} aria-hidden />}
        onClick={() => replay.mutate()}
      >
        Replay
      </Button>
      {dismissing && (
        <DismissMessage
          id={id}
          close={() => setDismissing(false)}
          done={() => {
            setDismissing(false);
            done('Message dismissed.');
          }}
        />
      )}
    </>
  );
};
