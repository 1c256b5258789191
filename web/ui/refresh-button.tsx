import { IconRefresh } from './icons.ts';
import { ActionIcon } from './plain/button.tsx';

/** Reloads a list. */
export const RefreshButton = ({ refreshing, refresh }: { refreshing: boolean; refresh: () => void }) => (
  <ActionIcon title="Refresh the list" aria-label="Refresh the list" loading={refreshing} onClick={refresh}>
    <IconRefresh size={16} stroke={1.75} aria-hidden />
  </ActionIcon>
);
