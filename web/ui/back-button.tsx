import { Button } from '@mantine/core';
import { IconArrowLeft } from './icons.ts';

/** From what is open back to the list that it was opened from; `to`: what the list is called. */
export const BackButton = ({ to, close }: { to: string; close: () => void }) => (
  <Button
    variant="subtle"
    color="gray"
    size="xs"
    px="xs"
    leftSection={<IconArrowLeft size={16} stroke={1.75} aria-hidden />}
    onClick={close}
  >
    Back to the {to}
  </Button>
);
