import { Text, Title } from '@mantine/core';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { type ReactNode, type RefObject, useRef, useState } from 'react';
import { counted } from '#contract/counted.ts';
import { experienceBase } from '#contract/experiences.ts';
import type { FilterGroup } from '#contract/filter-groups.ts';
import type { Patient } from '#contract/patients.ts';
import type { SortKey } from '#contract/sorts.ts';
import { call } from '../api/call.ts';
import { ExportButton } from '../exports/export-button.tsx';
import { FilterChips } from '../filters/filter-chips.tsx';
import { FilterSide } from '../filters/filter-side.tsx';
import { NameFields } from '../filters/name-fields.tsx';
import { PanelButton } from '../filters/panel-button.tsx';
import { type FilterPanelState, useFilterPanel } from '../filters/use-filter-panel.ts';
import { type ListFilters, type ListKind, useFilters } from '../filters/use-filters.ts';
import { totalOf } from '../lists/list-part.ts';
import listTools from '../lists/list-tools.module.css';
import { PrintButton } from '../lists/print/print-button.tsx';
import { SortSelect } from '../lists/sort-select.tsx';
import { shownOf, useUnfilteredCount } from '../lists/unfiltered-count.ts';
import type { FilterDialog } from '../saved-filters/filter-dialog.ts';
import { FilterMenu } from '../saved-filters/filter-menu.tsx';
import { SavedFilterTools } from '../saved-filters/saved-filter-tools.tsx';
import { useListKeys } from '../saved-filters/use-list-keys.ts';
import { useSession } from '../session/session.ts';
import { RefreshButton } from '../ui/refresh-button.tsx';
import { useAnnounced } from '../ui/use-announced.ts';
import { useTitle } from '../ui/use-title.ts';
import { ColumnMenu } from './column-menu.tsx';
import { patientsQuery, type SearchResults } from './patient-queries.ts';
import { PatientResultsView } from './patient-results.tsx';
import classes from './patients.module.css';
import { useColumns } from './use-columns.ts';
import { useLiveResults } from './use-live-results.ts';

interface Props {
  title: string;
  kind: ListKind;
  columns: Parameters<typeof useColumns>[0];
  sortKeys: readonly SortKey[];
  /** How many values of each facet to count at first; the default of the panel where it is absent. */
  facetSize?: number;
  /** Filter groups that only this list has, above the others. */
  ownGroups?: readonly FilterGroup[];
  /** Controls beside filters and sort. */
  tools?: (filters: ListFilters) => ReactNode;
  /** Returns the grouping of the rows, which names the heading of each; undefined where they are not grouped. */
  groupOf?: (filters: ListFilters) => ((patient: Patient) => string) | undefined;
  /** Renders what goes above the rows. `asOf`: when they were loaded, in epoch milliseconds; null while they load. */
  aboveRows?: (filters: ListFilters, asOf: number | null) => ReactNode;
  /** Shown where none of the team's patients is on this list. Without it, the list has all of them. */
  empty?: { title: string; words: string };
}

interface HeaderProps extends Pick<Props, 'title' | 'sortKeys' | 'tools'> {
  /** How many patients match; null while unknown. */
  total: number | null;
  filters: ListFilters;
  panel: FilterPanelState;
  columns: ReturnType<typeof useColumns>;
  page: UseQueryResult<SearchResults>;
  /** "48 of 1,204 · Team East". */
  shown: string;
  name: RefObject<HTMLInputElement | null>;
  openDialog: (dialog: FilterDialog) => void;
  print: Pick<Parameters<typeof PrintButton>[0], 'load' | 'show'>;
}

/** The title with counts, the name fields, and the controls of the list. */
const ListHeader = ({
  title,
  sortKeys,
  tools,
  filters,
  panel,
  columns,
  page,
  total,
  shown,
  name,
  openDialog,
  print,
}: HeaderProps) => (
  <div className={classes.head}>
    <div className={classes.titleLine}>
      <Title order={1}>{title}</Title>
      <Text c="dimmed" span className="tabular">
        {shown}
      </Text>
      <PrintButton total={totalOf(page.data)} rows={page.data?.patients.length ?? 0} {...print} />
      <ExportButton context="ALL" total={totalOf(page.data)} filters={filters} />
      <RefreshButton refreshing={page.isRefetching} refresh={() => void page.refetch()} />
    </div>
    <NameFields filters={filters} field={name} />
    <div className={listTools.tools}>
      <FilterMenu filters={filters} openDialog={openDialog} />
      <PanelButton count={filters.count} open={panel.open} toggle={panel.toggle} />
      {tools?.(filters)}
      <SortSelect filters={filters} keys={sortKeys} />
      <ColumnMenu columns={columns} />
    </div>
    <FilterChips filters={filters} total={total} save={() => openDialog('save')} />
  </div>
);

/** Returns what loads a page of the list without counts, for a print-out. */
const pageLoader = (filters: ListFilters) => (part: { pageNumber: number; pageSize: number }) =>
  call('POST /api/patients/search', { body: { ...filters.parameters(0), ...part } });

/** A list of patients with its filters, one row per patient. */
export const PatientList = ({ title, kind, sortKeys, facetSize, ownGroups, tools, empty, ...props }: Props) => {
  useTitle(title);
  const { team, user } = useSession();
  const filters = useFilters(kind);
  const columns = useColumns(props.columns);
  const panel = useFilterPanel(filters, true, facetSize);
  const [dialog, openDialog] = useState<FilterDialog>(null);
  const name = useRef<HTMLInputElement>(null);
  const [printed, showPrinted] = useState<readonly Patient[] | null>(null);
  const parameters = filters.parameters(panel.facetSize);
  const print = { load: pageLoader(filters), show: showPrinted };
  const page = useQuery({
    ...patientsQuery(parameters),
    enabled: filters.ready,
    placeholderData: (previous) => previous,
  });
  const live = useLiveResults(parameters);
  const unfiltered = useUnfilteredCount(true);
  useAnnounced(page, 'patient', 'patients');
  useListKeys(name, panel, openDialog);
  const total = totalOf(page.data);
  const isFresh = page.data !== undefined && !page.isPlaceholderData;
  const fresh = isFresh ? total : null;
  const shown = shownOf(page.data?.isCounting ? 'counting' : fresh, unfiltered, team.name);
  const header = {
    title,
    sortKeys,
    tools,
    filters,
    panel,
    columns,
    page,
    total: fresh,
    shown,
    name,
    openDialog,
    print,
  };
  return (
    <div className={classes.page}>
      {panel.open && (
        <FilterSide
          filters={filters}
          context="ALL"
          counts={total === null ? undefined : page.data?.facets}
          failed={!page.data && page.error !== null}
          more={panel.more}
          results={total === null ? null : counted(total, 'patient', 'patients')}
          focus={panel.focus}
          close={panel.close}
          ownGroups={ownGroups}
        />
      )}
      <div className={classes.main}>
        <ListHeader {...header} />
        <SavedFilterTools
          filters={filters}
          context="ALL"
          module={kind.module}
          total={total}
          dialog={dialog}
          openDialog={openDialog}
        />
        <PatientResultsView
          title={title}
          unfiltered={unfiltered}
          page={page}
          printed={printed}
          filters={filters}
          live={live}
          columns={columns.columns}
          empty={empty}
          base={experienceBase(user.applicationExperience)}
          groupOf={props.groupOf?.(filters)}
          aboveRows={props.aboveRows?.(filters, isFresh ? page.dataUpdatedAt : null)}
        />
      </div>
    </div>
  );
};
