import type { ReactNode } from 'react';
import { type InboxListCode, isOpenList } from '#contract/inbox-lists.ts';
import { GroupSelect } from '../filters/group-select.tsx';
import { PanelButton } from '../filters/panel-button.tsx';
import type { FilterPanelState } from '../filters/use-filter-panel.ts';
import { isSubset, type ListFilters } from '../filters/use-filters.ts';
import { SortSelect } from '../lists/sort-select.tsx';
import { ownerWords, WAITING_WORDS } from '../lists/work-filters.ts';
import type { FilterDialog } from '../saved-filters/filter-dialog.ts';
import { FilterMenu } from '../saved-filters/filter-menu.tsx';
import { savePreferences } from '../session/preferences.ts';
import { useSession } from '../session/session.ts';
import { Text, Title } from '../ui/plain/text.tsx';
import { RefreshButton } from '../ui/refresh-button.tsx';
import { useLoaded } from '../ui/use-loaded.ts';
import { useWidth } from '../ui/use-width.ts';
import { type Counts, unfilteredCount } from './counts.ts';
import classes from './inbox.module.css';
import { INBOX_SORTS, type InboxSearch } from './inbox-search.ts';
import { ClosedAs, ListChoice } from './list-choice.tsx';

/** Returns "35 of 48", or "35 shown" where the size of the unfiltered list is unknown. */
const shownText = (total: number | null, all: number | null): string | null =>
  total === null ? null : all === null ? `${total} shown` : `${total} of ${Math.max(all, total)}`;

const later = () => import('./later-parts.ts');
const loadChips = async () => (await later()).loadChips();
const loadPrintButton = async () => (await later()).loadPrintButton();
const loadExportButton = async () => (await later()).loadExportButton();

interface Props {
  /** Selects the page, and chooses the owner; null until they are loaded. */
  pickPage: ReactNode;
  owner: ReactNode;
  code: InboxListCode;
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
  print: Omit<Parameters<typeof import('../lists/print/print-button.tsx').PrintButton>[0], 'total'>;
}

/** The title with counts, the lists by status, the filters and the sort order. */
export const InboxHeader = ({
  pickPage,
  owner,
  code,
  search,
  filters,
  panel,
  openDialog,
  counts,
  total,
  refreshing,
  patch,
  refresh,
  print,
}: Props) => {
  const PrintButton = useLoaded(loadPrintButton, false);
  const ExportButton = useLoaded(loadExportButton, false);
  const { team, preferences } = useSession();
  const isNarrow = useWidth() === 'narrow';
  const choose = (status: InboxListCode): void => {
    // For the next visit. Without an answer, it opens the list of this one.
    if (status !== preferences.inboxList) void savePreferences({ inboxList: status }).catch(() => {});
    patch({ status, p: undefined, sel: undefined, sort: undefined, order: undefined });
  };
  const { owner: whose, waiting } = search;
  const own = [
    ...(whose ? [{ words: ownerWords(whose), remove: () => patch({ owner: undefined }) }] : []),
    ...(waiting ? [{ words: WAITING_WORDS[waiting], remove: () => patch({ waiting: undefined }) }] : []),
  ];
  const Chips = useLoaded(loadChips, isSubset(filters) || own.length > 0, false);
  const lists = (
    <div className={classes.lists}>
      <ListChoice code={code} counts={counts} choose={choose} />
    </div>
  );
  return (
    <div className={classes.head}>
      <div className={classes.titleLine}>
        <Title>Pings</Title>
        {isNarrow ? (
          lists
        ) : (
          <Text c="dimmed" span className="tabular">
            {[
              counts?.new == null ? null : `${counts.new} new of ${counts.open} open`,
              counts && counts.new === null ? `${counts.open} open` : null,
              team.name,
            ]
              .filter(Boolean)
              .join(' · ')}
          </Text>
        )}
        {PrintButton && <PrintButton total={total} {...print} />}
        {ExportButton && <ExportButton context="PINGS" total={total} filters={filters} />}
        <RefreshButton refreshing={refreshing} refresh={refresh} />
      </div>
      {!isNarrow && lists}
      <div className={classes.tools}>
        {pickPage}
        {!isOpenList(code) && !isNarrow && <ClosedAs code={code} choose={choose} />}
        <FilterMenu filters={filters} openDialog={openDialog} />
        <PanelButton count={filters.count} open={panel.open} toggle={panel.toggle} />
        <GroupSelect group={search.group} choose={(group) => patch({ group, p: undefined, sel: undefined })} />
        {owner}
        <SortSelect filters={filters} keys={INBOX_SORTS} />
      </div>
      {Chips && (
        <Chips
          filters={filters}
          total={total}
          shown={shownText(total, unfilteredCount(code, counts))}
          save={() => openDialog('save')}
          more={own}
        />
      )}
    </div>
  );
};
