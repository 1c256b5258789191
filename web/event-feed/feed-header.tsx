import { Button, Text, Title } from '@mantine/core';
import { type RefObject, useState } from 'react';
import { counted } from '#contract/counted.ts';
import { FilterChips } from '../filters/filter-chips.tsx';
import { GroupSelect } from '../filters/group-select.tsx';
import { NameFields } from '../filters/name-fields.tsx';
import { PanelButton } from '../filters/panel-button.tsx';
import type { FilterPanelState } from '../filters/use-filter-panel.ts';
import type { ListFilters } from '../filters/use-filters.ts';
import listTools from '../lists/list-tools.module.css';
import type { FilterDialog } from '../saved-filters/filter-dialog.ts';
import { FilterMenu } from '../saved-filters/filter-menu.tsx';
import { useSession } from '../session/session.ts';
import { IconBell, IconDownload, IconPlayerPause, IconPlayerPlay } from '../ui/icons.ts';
import { ActionIcon } from '../ui/plain/button.tsx';
import { RefreshButton } from '../ui/refresh-button.tsx';
import classes from './event-feed.module.css';
import { ExportEventFeed } from './export-event-feed.tsx';
import type { LiveFeed } from './use-live-feed.ts';

interface Props {
  filters: ListFilters;
  panel: FilterPanelState;
  live: LiveFeed;
  /** How many events match; null while unknown. */
  total: number | null;
  name: RefObject<HTMLInputElement | null>;
  refreshing: boolean;
  refresh: () => void;
  openDialog: (dialog: FilterDialog) => void;
}

/** The title with the count, the name fields, the pause button, and the controls of the feed. */
export const FeedHeader = ({ filters, panel, live, total, name, refreshing, refresh, openDialog }: Props) => {
  const { team } = useSession();
  const [isExporting, setExporting] = useState(false);
  const isPaused = live.pausedAt !== null;
  const PauseIcon = isPaused ? IconPlayerPlay : IconPlayerPause;
  return (
    <div className={classes.head}>
      <div className={classes.titleLine}>
        <Title order={1}>Event feed</Title>
        <Text c="dimmed" span className="tabular">
          {total === null ? team.name : `${counted(total, 'event', 'events')} · ${team.name}`}
        </Text>
        <ActionIcon
          title="Export event feed"
          aria-label="Export event feed"
          disabled={!total}
          onClick={() => setExporting(true)}
        >
          <IconDownload size={16} stroke={1.75} aria-hidden />
        </ActionIcon>
        <RefreshButton refreshing={refreshing} refresh={refresh} />
      </div>
      <NameFields filters={filters} field={name} />
      <div className={listTools.tools}>
        <FilterMenu filters={filters} openDialog={openDialog} />
        <PanelButton count={filters.count} open={panel.open} toggle={panel.toggle} />
        <GroupSelect group={filters.search.group} choose={(group) => filters.patch({ group, p: undefined })} />
        <Button
          size="xs"
          variant="default"
          leftSection={<PauseIcon size={14} stroke={1.75} aria-hidden />}
          onClick={live.togglePause}
        >
          {isPaused ? 'Resume live updates' : 'Pause live updates'}
        </Button>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconBell size={14} stroke={1.75} aria-hidden />}
          onClick={() => openDialog('notify')}
        >
          Notifications
        </Button>
      </div>
      <FilterChips filters={filters} total={total} save={() => openDialog('save')} />
      {isExporting && total !== null && (
        <ExportEventFeed filters={filters} total={total} close={() => setExporting(false)} />
      )}
    </div>
  );
};
