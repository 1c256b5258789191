import { Button, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { counted } from '#contract/counted.ts';
import type { RefusedSender, UnknownSender } from '#contract/feeds.ts';
import { CardTable } from '../ui/card-table.tsx';
import { formatDateTime } from '../ui/format/date.ts';
import { Notice } from '../ui/notice.tsx';
import { Failed } from '../ui/states.tsx';
import { refusedSendersQuery, unknownSendersQuery } from './feed-queries.ts';

const nameOf = ({ sendingApplication, sendingFacility }: UnknownSender): string =>
  [sendingApplication, sendingFacility].filter(Boolean).join(' / ');

const Refused = ({ refused }: { refused: readonly RefusedSender[] }) => (
  <Notice role="note" color="caution" title="Messages without a feed were refused because there were too many.">
    {refused.map(({ address, refused: messages, lastRefusedAt }) => (
      <div key={address}>
        {address}: {counted(messages, 'message')} not stored, last {formatDateTime(lastRefusedAt)}
      </div>
    ))}
    <div>
      Set up a feed if you know the sender, and ask it to resend. If you don't, block its address in your network.
    </div>
  </Notice>
);

/** Senders that belong to no feed, for operators; nothing if there are none. */
export const UnknownSenders = ({ add }: { add: (sender: UnknownSender) => void }) => {
  const { data = [], error, refetch } = useQuery(unknownSendersQuery);
  const { data: refused = [] } = useQuery(refusedSendersQuery);
  if (error) return <Failed what="Couldn't load unknown senders." error={error} retry={() => void refetch()} />;
  if (data.length === 0 && refused.length === 0) return null;
  return (
    <section aria-label="Unknown senders">
      <Title order={2} mt="lg" mb={4}>
        Unknown senders
      </Title>
      {refused.length > 0 && <Refused refused={refused} />}
      {data.length > 0 && (
        <>
          <Text size="sm" c="dimmed" mb="xs">
            Their messages are acknowledged and quarantined. Set up a feed, then replay them.
          </Text>
          <CardTable
            label="Senders"
            rows={data.map((sender) => ({
              ...sender,
              id: JSON.stringify([sender.sendingApplication, sender.sendingFacility]),
            }))}
            columns={[
              ['Sender (MSH-3 / MSH-4)', (sender) => nameOf(sender)],
              ['Messages', ({ messages }) => messages.toLocaleString('en-US'), 'right'],
              ['Last message', ({ lastMessageAt }) => formatDateTime(lastMessageAt)],
              [
                'Feed',
                (sender) => (
                  <Button
                    size="xs"
                    variant="default"
                    aria-label={`Set up a feed for ${nameOf(sender)}`}
                    onClick={() => add(sender)}
                  >
                    Set up
                  </Button>
                ),
              ],
            ]}
          />
        </>
      )}
    </section>
  );
};
