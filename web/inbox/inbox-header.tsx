import { Text, Title } from '@mantine/core';
import { MANAGEMENT_STATUS_LABELS, MANAGEMENT_STATUSES } from '#contract/management-status.ts';
import { loadChunk } from '../errors/load-chunk.ts';
import { GroupSelect } from '../filters/group-select.tsx';
import { PanelButton } from '../filters/panel-button.tsx';
import type { FilterPanelState } from '../filters/use-filter-panel.ts';
import { isSubset, type ListFilters } from '../filters/use-filters.ts';
import { SortSelect } from '../lists/sort-select.tsx';
import type { FilterDialog } from '../saved-filters/filter-dialog.ts';
import { FilterMenu } from '../saved-filters/filter-menu.tsx';
import { useSession } from '../session/session.ts';
import { ChoiceBar } from '../ui/choice-bar.tsx';
import { RefreshButton } from '../ui/refresh-button.tsx';
import { useLoaded } from '../ui/use-loaded.ts';
import { type Counts, unfilteredCount } from './counts.ts';
import classes from './inbox.module.css';
import { INBOX_SORTS, type InboxSearch, statusOf } from './inbox-search.ts';

/** Returns "35 of 48", or "35 shown" where the size of the unfiltered list is unknown. */
const shownText = (total: number | null, all: number | null): string | null =>
  total === null ? null : all === null ? `${total} shown` : `${total} of ${Math.max(all, total)}`;

const loadChips = () => import('../filters/filter-chips.tsx').then((file) => file.FilterChips);

interface Props {
  search: InboxSearch;
  filters: ListFilters;
  panel: FilterPanelState;
  openDialog: (dialog: FilterDialog) => void;
  counts: Counts | undefined;
  /** How many rows the list has; null while unknown. */
  total: number | null;
  refreshing: boolean;
  patch: (search: Partial<InboxSearch>) => void;
  refresh: () => void;
}

const loadPrintButton = () =>
  loadChunk('print-button', () => import('../lists/print/print-button.tsx')).then((file) => file.PrintButton);

/** The title with counts, the lists by status, the filters and the sort order. */
export const InboxHeader = ({
  search,
  filters,
  panel,
  openDialog,
  counts,
  total,
  refreshing,
  patch,
  refresh,
}: Props) => {
  const PrintButton = useLoaded(loadPrintButton, false);
  const { team } = useSession();
  const status = statusOf(search);
  const Chips = useLoaded(loadChips, isSubset(filters), false);
  return (
    <div className={classes.head}>
      <div className={classes.titleLine}>
        <Title order={1}>Pings</Title>
        <Text c="dimmed" span className="tabular">
          {[
            counts?.new == null ? null : `${counts.new} new of ${counts.open} open`,
            counts && counts.new === null ? `${counts.open} open` : null,
            team.name,
          ]
            .filter(Boolean)
            .join(' · ')}
        </Text>
        {PrintButton && <PrintButton />}
        <RefreshButton refreshing={refreshing} refresh={refresh} />
      </div>
      <div className={classes.lists}>
        <ChoiceBar
          label="List"
          value={status}
          choose={(value) => patch({ status: value === 'NEW' ? undefined : value, p: undefined, sel: undefined })}
          choices={MANAGEMENT_STATUSES.map((value) => {
            const count = unfilteredCount(value, counts);
            return {
              value,
              label: count === null ? MANAGEMENT_STATUS_LABELS[value] : `${MANAGEMENT_STATUS_LABELS[value]} ${count}`,
            };
          })}
        />
      </div>
      <div className={classes.tools}>
        <FilterMenu filters={filters} openDialog={openDialog} />
        <PanelButton count={filters.count} open={panel.open} toggle={panel.toggle} />
        <GroupSelect group={search.group} choose={(group) => patch({ group, p: undefined, sel: undefined })} />
        <SortSelect filters={filters} keys={INBOX_SORTS} />
      </div>
      {Chips && (
        <Chips
          filters={filters}
          shown={shownText(total, unfilteredCount(status, counts))}
          save={() => openDialog('save')}
        />
      )}
    </div>
  );
};
