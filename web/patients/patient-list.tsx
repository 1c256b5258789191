import { Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { experienceBase } from '#contract/experiences.ts';
import type { Patient } from '#contract/patients.ts';
import type { SortKey } from '#contract/sorts.ts';
import { FilterChips } from '../filters/filter-chips.tsx';
import { FilterSide } from '../filters/filter-side.tsx';
import { NameFields } from '../filters/name-fields.tsx';
import { type ListFilters, type ListKind, useFilters } from '../filters/use-filters.ts';
import { usePanel } from '../filters/use-panel.ts';
import { PrintButton } from '../lists/print/print-button.tsx';
import { SortSelect } from '../lists/sort-select.tsx';
import { shownOf, useUnfiltered } from '../lists/unfiltered.ts';
import { type Asked, FilterMenu, PanelButton } from '../saved-filters/filter-bar.tsx';
import { SavedFilterTools } from '../saved-filters/saved-filter-tools.tsx';
import { useSession } from '../session/session.ts';
import { RefreshButton } from '../ui/refresh-button.tsx';
import { useShortcuts } from '../ui/shortcuts.ts';
import { counted, useAnnounced } from '../ui/use-announced.ts';
import { useTitle } from '../ui/use-title.ts';
import { ColumnMenu } from './column-menu.tsx';
import { useColumns } from './columns.tsx';
import { patientsQuery } from './patient-queries.ts';
import { PatientResultsView } from './patient-results.tsx';
import classes from './patients.module.css';
import { useLiveResults } from './use-live-results.ts';

interface Props {
  title: string;
  kind: ListKind;
  columns: Parameters<typeof useColumns>[0];
  sortKeys: readonly SortKey[];
  /** Values a facet at first; the panel's own number where it is left out. */
  facetSize?: number;
  /** Filter groups that come before the others. */
  first?: Parameters<typeof FilterSide>[0]['first'];
  /** Beside filters and sort. */
  tools?: (filters: ListFilters) => ReactNode;
  /** What a row of the page stands under; undefined: the rows are not grouped. */
  groupOf?: (filters: ListFilters) => ((patient: Patient) => string) | undefined;
  /** Above the rows; `asOf`: when they were read, null while they are being read. */
  above?: (filters: ListFilters, asOf: number | null) => ReactNode;
  /** Said where there is nobody at all. */
  nobody: { title: string; words: string };
}

/** A list of patients with its filters, one row a person. */
export const PatientList = ({
  title,
  kind,
  sortKeys,
  facetSize,
  first,
  tools,
  groupOf,
  above,
  nobody,
  ...props
}: Props) => {
  useTitle(title);
  const { team, user } = useSession();
  const filters = useFilters(kind);
  const columns = useColumns(props.columns);
  const panel = usePanel(filters, true, facetSize);
  const [tool, ask] = useState<Asked>(null);
  const name = useRef<HTMLInputElement>(null);
  const parameters = filters.parameters(panel.facetSize);
  const page = useQuery({
    ...patientsQuery(parameters),
    enabled: filters.ready,
    placeholderData: (previous) => previous,
  });
  const live = useLiveResults(parameters);
  const unfiltered = useUnfiltered(true);
  useAnnounced(page, 'patient', 'patients');
  useShortcuts({
    '/': (event) => {
      event.preventDefault();
      name.current?.focus();
    },
    f: (event) => {
      event.preventDefault();
      panel.find('finder');
    },
    s: (event) => {
      if (!event.shiftKey) return;
      event.preventDefault();
      ask('save');
    },
  });
  const total = page.data?.total ?? null;
  const isFresh = page.data !== undefined && !page.isPlaceholderData;
  return (
    <div className={classes.page}>
      {panel.open && (
        <FilterSide
          filters={filters}
          context="ALL"
          counts={page.data?.facets}
          more={panel.more}
          results={total === null ? null : counted(total, 'patient', 'patients')}
          asked={panel.asked}
          close={panel.close}
          first={first}
        />
      )}
      <div className={classes.main}>
        <div className={classes.head}>
          <div className={classes.titleLine}>
            <Title order={1}>{title}</Title>
            <Text c="dimmed" span className="tabular">
              {shownOf(isFresh ? total : null, unfiltered, team.name)}
            </Text>
            <PrintButton />
            <RefreshButton refreshing={page.isRefetching} refresh={() => void page.refetch()} />
          </div>
          <NameFields filters={filters} field={name} />
          <div className={classes.tools}>
            <FilterMenu filters={filters} ask={ask} />
            <PanelButton count={filters.count} open={panel.open} toggle={panel.toggle} />
            {tools?.(filters)}
            <SortSelect filters={filters} keys={sortKeys} />
            <ColumnMenu columns={columns} />
          </div>
          <FilterChips filters={filters} save={() => ask('save')} />
        </div>
        <SavedFilterTools filters={filters} context="ALL" module={kind.module} total={total} asked={tool} ask={ask} />
        <PatientResultsView
          what="patients"
          title={title}
          unfiltered={unfiltered}
          page={page}
          filters={filters}
          live={live}
          columns={columns.columns}
          nobody={nobody}
          base={experienceBase(user.applicationExperience)}
          groupOf={groupOf?.(filters)}
          above={above?.(filters, isFresh ? page.dataUpdatedAt : null)}
        />
      </div>
    </div>
  );
};
