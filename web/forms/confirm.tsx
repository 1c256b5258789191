import { Button, Group, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Modal } from '../ui/modal.tsx';
import { Failed } from '../ui/states.tsx';
import { useReturnFocus } from '../ui/use-return-focus.ts';
import { AboutPatient } from './about-patient.tsx';

/** Asks before a change that affects others. Says about which patient, what will happen and, if it fails, why. */
export const Confirm = ({
  title,
  children,
  word,
  ready = true,
  act,
  done,
  close,
}: {
  title: string;
  children: ReactNode;
  /** The label of the button: a verb, never "OK". */
  word: string;
  /** Whether everything that it asks is chosen. */
  ready?: boolean;
  act: () => Promise<unknown>;
  done: () => void;
  close: () => void;
}) => {
  useReturnFocus();
  const action = useMutation({ mutationFn: act, onSuccess: done });
  const cancel = (): void => {
    if (!action.isPending) close();
  };
  return (
    <Modal opened onClose={cancel} title={title} closeOnClickOutside={false}>
      <AboutPatient />
      <Text component="div">{children}</Text>
      {action.error && <Failed what="No changes were made." error={action.error} />}
      <Group gap="sm" mt="lg">
        <Button loading={action.isPending} disabled={!ready} onClick={() => action.mutate()}>
          {word}
        </Button>
        <Button variant="default" disabled={action.isPending} data-autofocus onClick={close}>
          Cancel
        </Button>
      </Group>
    </Modal>
  );
};
