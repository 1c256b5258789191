import { Button, Group, Text } from '@mantine/core';
import { Modal } from '../ui/modal.tsx';
import { useReturnFocus } from '../ui/use-return-focus.ts';

/** Asks before a link that something speaks against. */
export const ConfirmLink = ({
  title,
  warnings,
  link,
  close,
}: {
  /** Who is linked. */
  title: string;
  warnings: readonly string[];
  link: () => void;
  close: () => void;
}) => {
  useReturnFocus();
  return (
    <Modal opened onClose={close} title="Link as the same person?" closeOnClickOutside={false}>
      <Text fw={550}>{title}</Text>
      <Text mt="xs">Check this before you link:</Text>
      <ul>
        {warnings.map((warning) => (
          <li key={warning}>{warning}</li>
        ))}
      </ul>
      <Text>A wrong link shows one person's stays to another person's team. You can undo it.</Text>
      <Group gap="sm" mt="lg">
        <Button onClick={link}>Same person</Button>
        <Button variant="default" data-autofocus onClick={close}>
          Cancel
        </Button>
      </Group>
    </Modal>
  );
};
