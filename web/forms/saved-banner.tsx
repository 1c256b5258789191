import { Alert } from '@mantine/core';
import { IconCircleCheck } from '../ui/icons.ts';

/** Says that the server has taken a change, until it is closed or another one is made. */
export const SavedBanner = ({ message, close }: { message: string | null; close: () => void }) =>
  message === null ? null : (
    <Alert
      role="status"
      color="positive"
      mb="md"
      icon={<IconCircleCheck size={18} aria-hidden />}
      withCloseButton
      closeButtonLabel="Close this message"
      onClose={close}
    >
      {message}
    </Alert>
  );
