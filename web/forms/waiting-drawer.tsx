import { Drawer } from '@mantine/core';
import type { ComponentProps } from 'react';
import { Loaded } from './loaded.tsx';

interface Props {
  title: string;
  /** What the form needs, each with its name in lower case. */
  needs: readonly (readonly [ComponentProps<typeof Loaded>['query'], what: string])[];
  close: () => void;
}

/** Stands where a form will, while what it needs is on its way or could not be loaded. */
export const WaitingDrawer = ({ title, needs, close }: Props) => {
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

/** Reads again what a form shows. Throws where that fails. */
export const readAgain = async ({ refetch }: { refetch: () => Promise<{ error: Error | null }> }): Promise<void> => {
  const { error } = await refetch();
  if (error) throw error;
};
