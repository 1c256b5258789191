import { IconArrowLeft } from './icons.ts';
import { Button } from './plain/button.tsx';

/** Closes an open item and goes back to its list. `to` is the name of the list. */
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
