import { Button } from '@mantine/core';
import { IconPlus } from '../ui/icons.ts';

/** Opens the form for a new entry, once the data the form needs is loaded. */
export const AddButton = ({ label, ready, add }: { label: string; ready: boolean; add: () => void }) => (
  <Button leftSection={<IconPlus size={16} stroke={1.75} aria-hidden />} disabled={!ready} onClick={add}>
    {label}
  </Button>
);
