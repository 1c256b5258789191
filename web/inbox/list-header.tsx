import { Text, Title } from '@mantine/core';
import { MANAGEMENT_STATUS_LABELS, MANAGEMENT_STATUSES } from '#contract/management-status.ts';
import { GroupSelect } from '../filters/group-select.tsx';
import { isSubset, type ListFilters } from '../filters/use-filters.ts';
import type { Panel } from '../filters/use-panel.ts';
import { PrintButton } from '../lists/print/print-button.tsx';
import { SortSelect } from '../lists/sort-select.tsx';
import { type Asked, FilterMenu, PanelButton } from '../saved-filters/filter-bar.tsx';
import { useSession } from '../session/session.ts';
import { ChoiceBar } from '../ui/choice-bar.tsx';
import { RefreshButton } from '../ui/refresh-button.tsx';
import { useLoaded } from '../ui/use-loaded.ts';
import { type Counts, countOf } from './counts.ts';
import classes from './inbox.module.css';
import { INBOX_SORTS, type InboxSearch, statusOf } from './inbox-search.ts';

/** "35 of 48", where what the list has without filters is known. */
const shownOf = (total: number | null, all: number | null): string | null =>
  total === null ? null : all === null ? `${total} shown` : `${total} of ${Math.max(all, total)}`;

const loadChips = () => import('../filters/filter-chips.tsx').then((file) => file.FilterChips);

interface Props {
  search: InboxSearch;
  filters: ListFilters;
  panel: Panel;
  ask: (asked: Asked) => void;
  counts: Counts | undefined;
  /** Rows of the list; null while unknown. */
  total: number | null;
  refreshing: boolean;
  choose: (search: Partial<InboxSearch>) => void;
  refresh: () => void;
}

/** Title with counts, the lists, the order and the filter. */
export const ListHeader = ({ search, filters, panel, ask, counts, total, refreshing, choose, refresh }: Props) => {
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
        <PrintButton />
        <RefreshButton refreshing={refreshing} refresh={refresh} />
      </div>
      <div className={classes.lists}>
        <ChoiceBar
          label="List"
          value={status}
          choose={(value) => choose({ status: value === 'NEW' ? undefined : value, p: undefined, sel: undefined })}
          choices={MANAGEMENT_STATUSES.map((value) => {
            const count = countOf(value, counts);
            return {
              value,
              label: count === null ? MANAGEMENT_STATUS_LABELS[value] : `${MANAGEMENT_STATUS_LABELS[value]} ${count}`,
            };
          })}
        />
      </div>
      <div className={classes.tools}>
        <FilterMenu filters={filters} ask={ask} />
        <PanelButton count={filters.count} open={panel.open} toggle={panel.toggle} />
        <GroupSelect
          group={search.group}
          choose={(chosen) => choose({ group: chosen, p: undefined, sel: undefined })}
        />
        <SortSelect filters={filters} keys={INBOX_SORTS} />
      </div>
      {Chips && <Chips filters={filters} shown={shownOf(total, countOf(status, counts))} save={() => ask('save')} />}
    </div>
  );
};
