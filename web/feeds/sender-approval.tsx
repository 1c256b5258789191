import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { counted } from '#contract/counted.ts';
import type { Feed } from '#contract/feeds.ts';
import { call } from '../api/call.ts';
import { IconHourglassHigh } from '../ui/icons.ts';
import { Modal } from '../ui/modal.tsx';
import { Failed } from '../ui/states.tsx';
import { StatusBadge } from '../ui/status-badge.tsx';
import { useReturnFocus } from '../ui/use-return-focus.ts';

type Waiting = NonNullable<Feed['waiting']>;
type Decision = 'approve' | 'decline';

const decide = async (feed: Feed, { version }: Waiting, decision: Decision): Promise<string> => {
  const asked = { params: { id: feed.id }, body: { version } };
  if (decision === 'decline') {
    await call('POST /api/admin/feeds/:id/decline', asked);
    return feed.approvedAt
      ? `The new sender of ${feed.name} was declined. The feed runs as before.`
      : `The feed ${feed.name} was declined and removed.`;
  }
  const { messages } = await call('POST /api/admin/feeds/:id/approve', asked);
  const replayed = messages === 0 ? '' : ` ${counted(messages, 'message')} from quarantine will be processed now.`;
  return `The sender of ${feed.name} was approved.${replayed}`;
};

const Claim = ({ feed, waiting }: { feed: Feed; waiting: Waiting }) => (
  <Stack gap="xs">
    <Text>
      {feed.organizationName} says that it receives these messages. Approve only if you have checked this with the
      hospital: its administrators can then read them.
    </Text>
    <Text>
      <b>Sender (MSH-3 / MSH-4):</b> {waiting.sendingApplication ?? 'any'} / {waiting.sendingFacility ?? 'any'}
    </Text>
    <Text component="div">
      <b>Facilities:</b>
      {waiting.facilities.map(({ identifier, groupName }) => (
        <div key={identifier}>
          {identifier} → {groupName}
        </div>
      ))}
    </Text>
    <Text>
      <b>Waiting:</b> {counted(waiting.messages ?? 0, 'message')}
    </Text>
  </Stack>
);

const Review = ({
  feed,
  waiting,
  done,
  close,
}: {
  feed: Feed;
  waiting: Waiting;
  done: (message: string) => void;
  close: () => void;
}) => {
  useReturnFocus();
  const action = useMutation({
    mutationFn: (decision: Decision) => decide(feed, waiting, decision),
    onSuccess: (message) => {
      close();
      done(message);
    },
  });
  const isRunning = (decision: Decision): boolean => action.isPending && action.variables === decision;
  return (
    <Modal
      opened
      onClose={() => action.isPending || close()}
      title={`Review the sender of ${feed.name}`}
      closeOnClickOutside={false}
    >
      <Claim feed={feed} waiting={waiting} />
      {action.error && <Failed what="No changes were made." error={action.error} />}
      <Group gap="sm" mt="lg">
        <Button loading={isRunning('approve')} disabled={action.isPending} onClick={() => action.mutate('approve')}>
          Approve sender
        </Button>
        <Button
          variant="default"
          loading={isRunning('decline')}
          disabled={action.isPending}
          onClick={() => action.mutate('decline')}
        >
          Decline
        </Button>
        <Button variant="default" disabled={action.isPending} data-autofocus onClick={close}>
          Cancel
        </Button>
      </Group>
    </Modal>
  );
};

/** Says that a feed's sender waits for approval; operators can review it. Nothing if it doesn't wait. */
export const SenderApproval = ({ feed, done }: { feed: Feed; done: (message: string) => void }) => {
  const [reviewing, setReviewing] = useState(false);
  const { waiting } = feed;
  if (waiting === null) return null;
  return (
    <>
      <StatusBadge color="caution" Icon={IconHourglassHigh}>
        {feed.approvedAt ? 'Change waiting for approval' : 'Waiting for approval'}
      </StatusBadge>
      {waiting.messages !== null && (
        <Button
          size="compact-xs"
          variant="default"
          aria-label={`Review the sender of ${feed.name}`}
          onClick={() => setReviewing(true)}
        >
          Review…
        </Button>
      )}
      {reviewing && <Review feed={feed} waiting={waiting} done={done} close={() => setReviewing(false)} />}
    </>
  );
};
