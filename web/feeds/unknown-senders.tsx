import { Button, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { UnknownSender } from '#contract/feeds.ts';
import { CardTable } from '../ui/card-table.tsx';
import { formatDateTime } from '../ui/format/date.ts';
import { Failed } from '../ui/states.tsx';
import { unknownSendersQuery } from './feed-queries.ts';

const wordsOf = ({ sendingApplication, sendingFacility }: UnknownSender): string =>
  [sendingApplication, sendingFacility].filter(Boolean).join(' / ');

/** Who sends and is of no feed, for operators; nothing where there is none. */
export const UnknownSenders = ({ add }: { add: (sender: UnknownSender) => void }) => {
  const { data = [], error, refetch } = useQuery(unknownSendersQuery);
  if (error) return <Failed what="Unknown senders could not be loaded." error={error} retry={() => void refetch()} />;
  if (data.length === 0) return null;
  return (
    <section aria-label="Unknown senders">
      <Title order={2} mt="lg" mb={4}>
        Unknown senders
      </Title>
      <Text size="sm" c="dimmed" mb="xs">
        Their messages are acknowledged and wait in quarantine. Set up a feed, then replay them.
      </Text>
      <CardTable
        label="Unknown senders"
        rows={data.map((sender) => ({
          ...sender,
          id: JSON.stringify([sender.sendingApplication, sender.sendingFacility]),
        }))}
        columns={[
          ['Sender (MSH-3 / MSH-4)', (sender) => wordsOf(sender)],
          ['Messages', ({ messages }) => messages.toLocaleString('en-US'), 'right'],
          ['Last message', ({ lastMessageAt }) => formatDateTime(lastMessageAt)],
          [
            'Feed',
            (sender) => (
              <Button
                size="xs"
                variant="default"
                aria-label={`Set up a feed for ${wordsOf(sender)}`}
                onClick={() => add(sender)}
              >
                Set up
              </Button>
            ),
          ],
        ]}
      />
    </section>
  );
};
