import { Button, Group } from '@mantine/core';
import { reasonOf } from '../api/error.ts';
import { Dialog } from '../ui/dialog.tsx';

/** Says that something could not be opened, why, and offers to try again. */
export const ErrorModal = ({
  title,
  error,
  retry,
  close,
}: {
  title: string;
  error: unknown;
  retry?: () => void;
  close: () => void;
}) => (
  <Dialog title={title} close={close}>
    <p>{reasonOf(error)}</p>
    <Group gap="sm">
      {retry && <Button onClick={retry}>Try again</Button>}
      <Button variant="default" data-autofocus onClick={close}>
        Close
      </Button>
    </Group>
  </Dialog>
);
