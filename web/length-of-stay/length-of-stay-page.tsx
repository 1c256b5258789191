import { ActionIcon, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { experienceBase } from '#contract/experiences.ts';
import type { SortKey } from '#contract/sorts.ts';
import { type Criteria, everything, withSort } from '../filters/criteria.ts';
import { type Asked, FilterMenu, PanelButton } from '../filters/filter-bar.tsx';
import { FilterChips } from '../filters/filter-chips.tsx';
import { FilterSide } from '../filters/filter-side.tsx';
import { NameFields } from '../filters/name-fields.tsx';
import { SavedFilterTools } from '../filters/saved-filter-tools.tsx';
import { readSort, sortChoices } from '../filters/sorts.ts';
import { shownOf, useUnfiltered } from '../filters/unfiltered.ts';
import { counted, useAnnounced } from '../filters/use-announced.ts';
import { type ListKind, useFilters } from '../filters/use-filters.ts';
import { usePanel } from '../filters/use-panel.ts';
import { ColumnMenu } from '../patients/column-menu.tsx';
import { STAY_COLUMNS, useColumns } from '../patients/columns.tsx';
import { patientsQuery } from '../patients/patient-queries.ts';
import { PatientResultsView } from '../patients/patient-results.tsx';
import list from '../patients/patients.module.css';
import { useLiveResults } from '../patients/use-live-results.ts';
import { PrintButton } from '../print/print-button.tsx';
import { useSession } from '../session/session.ts';
import { IconRefresh } from '../ui/icons.ts';
import { Select } from '../ui/select.tsx';
import { useShortcuts } from '../ui/shortcuts.ts';
import { useTitle } from '../ui/use-title.ts';
import { Distribution } from './distribution.tsx';

/** The default view of the specification, section 9. */
const PAGE_SIZE = 20;
const TERM_FACET_SIZE = 50;
const USUAL: Criteria = {
  ...everything(PAGE_SIZE),
  openPatientsOnly: true,
  filters: {
    groupType: [{ field: 'groupType', value: 'SNF', negated: false }],
    lengthOfStay: [{ field: 'lengthOfStay', value: '0:100', negated: false }],
  },
};
/** The specification has no module for it: it always opens on its own view. */
const KIND: ListKind = { module: null, context: 'ALL', usual: USUAL, usualName: 'The usual view' };
const SORT_KEYS: SortKey[] = ['PING_ENCOUNTER_DATE', 'LENGTH_OF_STAY', 'LAST_NAME', 'FIRST_NAME', 'ROOM_AND_BED'];
const OWN_GROUPS = [
  { label: 'Length of Stay', facets: ['lengthOfStay'], isExpanded: true },
  { label: 'Facility Kind', facets: ['groupType'] },
] as const;

export const LengthOfStayPage = () => {
  useTitle('Length of stay');
  const { team, user } = useSession();
  const filters = useFilters(KIND);
  const columns = useColumns(STAY_COLUMNS);
  const panel = usePanel(filters, true, TERM_FACET_SIZE);
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
    s: (event) => {
      if (!event.shiftKey) return;
      event.preventDefault();
      ask('save');
    },
    f: (event) => {
      event.preventDefault();
      panel.find();
    },
  });
  const { criteria, change } = filters;
  const total = page.data?.total ?? null;
  return (
    <div className={list.page}>
      {panel.open && (
        <FilterSide
          filters={filters}
          context="ALL"
          counts={page.data?.facets}
          more={panel.more}
          results={total === null ? null : counted(total, 'patient', 'patients')}
          asked={panel.asked}
          close={panel.close}
          first={OWN_GROUPS}
        />
      )}
      <div className={list.main}>
        <div className={list.head}>
          <div className={list.titleLine}>
            <Title order={1}>Length of stay</Title>
            <Text c="dimmed" span className="tabular">
              {shownOf(total === null || page.isPlaceholderData ? null : total, unfiltered, team.name)}
            </Text>
            <PrintButton />
            <ActionIcon
              className={list.refresh}
              title="Refresh the list"
              aria-label="Refresh the list"
              loading={page.isRefetching}
              onClick={() => void page.refetch()}
            >
              <IconRefresh size={16} stroke={1.75} aria-hidden />
            </ActionIcon>
          </div>
          <NameFields filters={filters} field={name} />
          <div className={list.tools}>
            <FilterMenu filters={filters} ask={ask} />
            <PanelButton count={filters.count} open={panel.open} toggle={panel.toggle} />
            <Select
              aria-label="Sort by"
              value={`${criteria.sort} ${criteria.order}`}
              onChange={({ currentTarget }) => {
                const { sort, order } = readSort(currentTarget.value);
                change({ ...withSort(criteria, sort), order });
              }}
              data={sortChoices(criteria.text ? ['RELEVANCE', ...SORT_KEYS] : SORT_KEYS)}
            />
            <ColumnMenu columns={columns} />
          </div>
          <FilterChips filters={filters} save={() => ask('save')} />
        </div>
        <SavedFilterTools filters={filters} context="ALL" module={null} total={total} asked={tool} ask={ask} />
        <PatientResultsView
          what="patients"
          title="Length of stay"
          unfiltered={unfiltered}
          page={page}
          filters={filters}
          live={live}
          columns={columns.columns}
          nobody={{ title: 'Nobody is in a facility now.', words: 'Stays appear here when a facility reports them.' }}
          base={experienceBase(user.applicationExperience)}
          above={
            <Distribution
              criteria={criteria}
              visibleTo={filters.visibleTo}
              asOf={page.data && !page.isPlaceholderData ? page.dataUpdatedAt : null}
            />
          }
        />
      </div>
    </div>
  );
};
