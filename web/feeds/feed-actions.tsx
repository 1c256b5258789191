import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { counted } from '#contract/counted.ts';
import type { Feed } from '#contract/feeds.ts';
import { call } from '../api/call.ts';
import { Confirm } from '../forms/confirm.tsx';
import { RemoveButton } from '../forms/remove-button.tsx';

const pause = async ({ id, name }: Feed): Promise<string> => {
  await call('POST /api/admin/feeds/:id/pause', { params: { id } });
  return `The feed ${name} was paused.`;
};
const resume = async ({ id, name }: Feed): Promise<string> => {
  const { messages } = await call('POST /api/admin/feeds/:id/resume', { params: { id } });
  return `The feed ${name} was resumed. ${counted(messages, 'message')} from quarantine will be processed now.`;
};

/** Pauses, resumes or removes a feed, each after a confirmation. */
export const FeedActions = ({ feed, done }: { feed: Feed; done: (message: string) => void }) => {
  const [confirming, setConfirming] = useState(false);
  const isPaused = feed.pausedAt !== null;
  const verb = isPaused ? 'Resume' : 'Pause';
  return (
    <Group gap="sm">
      {feed.approvedAt && (
        <Button variant="default" size="xs" onClick={() => setConfirming(true)}>
          {verb} this feed…
        </Button>
      )}
      {confirming && (
        <Confirm
          title={`${verb} the feed ${feed.name}?`}
          word={`${verb} the feed`}
          act={async () => done(await (isPaused ? resume(feed) : pause(feed)))}
          done={() => undefined}
          close={() => setConfirming(false)}
        >
          {isPaused
            ? 'The messages in its quarantine and all new messages will be processed.'
            : 'Its messages are still acknowledged, and kept in quarantine until you resume the feed. Until then, teams are not notified of admissions or discharges.'}
        </Confirm>
      )}
      <RemoveButton
        kind="feed"
        what={`the feed ${feed.name}`}
        act={() => call('DELETE /api/admin/feeds/:id', { params: { id: feed.id } })}
        done={done}
      >
        Everything it sent stays on record. If its sender keeps sending, those messages are acknowledged and
        quarantined, as messages from an unknown sender.
      </RemoveButton>
    </Group>
  );
};

/** Replays all messages in a feed's quarantine, after a confirmation. */
export const ReplayButton = ({ feed, done }: { feed: Feed; done: (message: string) => void }) => {
  const [confirming, setConfirming] = useState(false);
  const replay = async (): Promise<void> => {
    const { messages } = await call('POST /api/feeds/:id/replay', { params: { id: feed.id } });
    done(`${counted(messages, 'message')} from ${feed.name} ${messages === 1 ? 'is' : 'are'} being replayed.`);
  };
  return (
    <>
      <Button
        size="compact-xs"
        variant="default"
        aria-label={`Replay quarantined messages from ${feed.name}`}
        onClick={() => setConfirming(true)}
      >
        Replay all
      </Button>
      {confirming && (
        <Confirm
          title={`Replay quarantined messages from ${feed.name}?`}
          word="Replay all"
          act={replay}
          done={() => setConfirming(false)}
          close={() => setConfirming(false)}
        >
          {counted(feed.quarantined, 'message')} in quarantine will be processed with the current settings. A message
          that still can't be processed returns to quarantine with the reason.
        </Confirm>
      )}
    </>
  );
};
