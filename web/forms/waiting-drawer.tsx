import { Drawer } from '@mantine/core';
import type { ComponentProps } from 'react';
import { useBack } from '../router/use-back.ts';
import { Loaded } from './loaded.tsx';

interface Props {
  title: string;
  /** The queries that the form needs, each with its name in lower case. */
  needs: readonly (readonly [ComponentProps<typeof Loaded>['query'], what: string])[];
  close: () => void;
}

/** Takes the place of a form while the data that it needs is loading or has failed to load. */
export const WaitingDrawer = ({ title, needs, close }: Props) => {
  useBack(close);
  const first = needs.find(([{ data, error }]) => data === undefined || error);
  return (
    <Drawer
      opened
      position="right"
      size={720}
      title={title}
      closeButtonProps={{ 'aria-label': 'Close' }}
      onClose={close}
    >
      {first && (
        <Loaded query={first[0]} what={first[1]}>
          {() => null}
        </Loaded>
      )}
    </Drawer>
  );
};

/** Reloads a query. Throws if that fails. */
export const readAgain = async ({ refetch }: { refetch: () => Promise<{ error: Error | null }> }): Promise<void> => {
  const { error } = await refetch();
  if (error) throw error;
};
