import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import type { Feed } from '#contract/feeds.ts';
import { call } from '../api/call.ts';
import { Confirm } from '../forms/confirm.tsx';
import { RemoveButton } from '../forms/remove-button.tsx';

/** '1 message', '1,200 messages' */
export const messageWords = (count: number): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? 'message' : 'messages'}`;

const pause = async ({ id, name }: Feed): Promise<string> => {
  await call('POST /api/admin/feeds/:id/pause', { params: { id } });
  return `The feed ${name} was paused.`;
};
const resume = async ({ id, name }: Feed): Promise<string> => {
  const { messages } = await call('POST /api/admin/feeds/:id/resume', { params: { id } });
  return `The feed ${name} was resumed; ${messageWords(messages)} that waited ${messages === 1 ? 'is' : 'are'} processed now.`;
};

/** Pauses a feed or resumes it, and takes it away, each after a question. */
export const FeedActs = ({ feed, done }: { feed: Feed; done: (message: string) => void }) => {
  const [asking, ask] = useState(false);
  const isPaused = feed.pausedAt !== null;
  const word = isPaused ? 'Resume' : 'Pause';
  return (
    <Group gap="sm">
      <Button variant="default" size="xs" onClick={() => ask(true)}>
        {word} this feed…
      </Button>
      {asking && (
        <Confirm
          title={`${word} the feed ${feed.name}?`}
          word={`${word} the feed`}
          act={async () => done(await (isPaused ? resume(feed) : pause(feed)))}
          done={() => undefined}
          close={() => ask(false)}
        >
          {isPaused
            ? 'What waits in its quarantine is processed, and whatever comes from now on.'
            : 'Its messages are still acknowledged and kept, in quarantine. They are processed when the feed is resumed; until then nobody is pinged.'}
        </Confirm>
      )}
      <RemoveButton
        kind="feed"
        what={`the feed ${feed.name}`}
        act={() => call('DELETE /api/admin/feeds/:id', { params: { id: feed.id } })}
        done={done}
      >
        What it sent stays. Messages that its sender goes on sending are acknowledged and wait in quarantine, as those
        of an unknown sender.
      </RemoveButton>
    </Group>
  );
};

/** Processes again what stands in a feed's quarantine, after a question. */
export const ReplayButton = ({ feed, done }: { feed: Feed; done: (message: string) => void }) => {
  const [asking, ask] = useState(false);
  const replay = async (): Promise<void> => {
    const { messages } = await call('POST /api/feeds/:id/replay', { params: { id: feed.id } });
    done(`${messageWords(messages)} of ${feed.name} ${messages === 1 ? 'is' : 'are'} processed again.`);
  };
  return (
    <>
      <Button
        size="compact-xs"
        variant="default"
        aria-label={`Replay what waits of ${feed.name}`}
        onClick={() => ask(true)}
      >
        Replay all
      </Button>
      {asking && (
        <Confirm
          title={`Replay what waits of ${feed.name}?`}
          word="Replay all"
          act={replay}
          done={() => ask(false)}
          close={() => ask(false)}
        >
          {messageWords(feed.quarantined)} in quarantine {feed.quarantined === 1 ? 'is' : 'are'} processed with the
          settings as they are now. What cannot be processed comes back with its reason.
        </Confirm>
      )}
    </>
  );
};
