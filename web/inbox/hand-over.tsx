import { Button, Group, Text } from '@mantine/core';
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { counted } from '#contract/counted.ts';
import type { Colleague } from '#contract/worklist.ts';
import { call } from '../api/call.ts';
import { reasonOf } from '../api/error.ts';
import { announce } from '../ui/announcer.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Failed } from '../ui/states.tsx';
import { showToast } from '../ui/toasts.tsx';
import { ChooseColleague } from './choose-colleague.tsx';
import { offerUndo } from './offer-undo.ts';
import { ownStaysQuery } from './work-queries.ts';

const stays = (n: number): string => counted(n, 'stay', 'stays');

const refresh = (client: QueryClient): void => {
  void client.invalidateQueries({ queryKey: ['pings'] });
  void client.invalidateQueries({ queryKey: ['patient'] });
};

/** Takes back what was handed over at that time. */
const takeBack = async (client: QueryClient, date: string): Promise<void> => {
  try {
    const { count, changed } = await call('POST /api/hand-over/undo', { body: { date } });
    const rest = changed > 0 ? ` ${stays(changed)} changed since stay where they are.` : '';
    showToast({ type: changed > 0 ? 'warning' : 'success', message: `Undone. You have ${stays(count)} again.${rest}` });
  } catch (error) {
    showToast({ type: 'warning', message: `The hand-over wasn’t undone. ${reasonOf(error)}` });
  }
  refresh(client);
};

/** Gives everything that the user has taken to a colleague, after saying how much that is. */
export const HandOver = ({ close, noteUndo }: { close: () => void; noteUndo: (undo: () => void) => void }) => {
  const client = useQueryClient();
  const [to, choose] = useState<Colleague | null>(null);
  const { data: own, error, refetch } = useQuery(ownStaysQuery);
  const handOver = useMutation({
    mutationFn: (colleague: Colleague) =>
      call('POST /api/hand-over', { body: { toUserId: colleague.id, expectedCount: own?.count } }),
    onSuccess: ({ count, date }, { name }) => {
      const told = `${stays(count)} handed over to ${name}.`;
      announce(told);
      offerUndo(told, () => void takeBack(client, date), noteUndo);
      refresh(client);
      close();
    },
    onError: () => void refetch(),
  });
  if (error) {
    return (
      <Dialog title="Hand over" close={close}>
        <Failed what="Couldn’t count what you have." error={error} retry={() => void refetch()} />
        <Button variant="default" onClick={close}>
          Close
        </Button>
      </Dialog>
    );
  }
  return (
    <Dialog title="Hand over" close={close}>
      <Text role="status">
        {!own
          ? 'Counting…'
          : own.count === 0
            ? 'You have no stays to hand over.'
            : `You have ${stays(own.count)}, ${own.open} of them with open pings.${own.open < own.count ? ' Closed ones go along, so that a new event reaches the right person.' : ''}`}
      </Text>
      {handOver.error && <Failed what="Nothing was handed over." error={handOver.error} />}
      {own && own.count > 0 && to === null && (
        <ChooseColleague label="To" withSelf={false} clear={null} choose={choose} cancel={close} />
      )}
      {(to !== null || own?.count === 0) && (
        <Group gap="sm" mt="md">
          {to !== null && own && (
            <Button loading={handOver.isPending} onClick={() => handOver.mutate(to)}>
              Hand over {stays(own.count)} to {to.name}
            </Button>
          )}
          <Button variant="default" disabled={handOver.isPending} onClick={close}>
            {own?.count === 0 ? 'Close' : 'Cancel'}
          </Button>
        </Group>
      )}
    </Dialog>
  );
};
