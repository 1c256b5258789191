import { Button } from '@mantine/core';
import { IconPlus } from '../ui/icons.ts';

/** Opens the form of a new entry, once what it offers is there. */
export const AddButton = ({ words, ready, add }: { words: string; ready: boolean; add: () => void }) => (
  <Button leftSection={<IconPlus size={16} stroke={1.75} aria-hidden />} disabled={!ready} onClick={add}>
    {words}
  </Button>
);
