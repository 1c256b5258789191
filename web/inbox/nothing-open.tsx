import { IconInbox } from '../ui/icons.ts';
import { Empty } from '../ui/states.tsx';

/** Shown beside the list while no ping is open. */
export const NothingOpen = () => (
  <Empty icon={<IconInbox size={24} stroke={1.75} aria-hidden />} title="No ping selected.">
    Select one from the list or press J.
  </Empty>
);
