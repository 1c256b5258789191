import { ActionIcon, Button, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { experienceBase } from '#contract/experiences.ts';
import type { SortKey } from '#contract/sorts.ts';
import { type Criteria, everything, isSame, withSort } from '../filters/criteria.ts';
import { PanelButton } from '../filters/filter-bar.tsx';
import { FilterChips } from '../filters/filter-chips.tsx';
import { FilterSide } from '../filters/filter-side.tsx';
import { readSort, sortChoices } from '../filters/sorts.ts';
import { counted, useAnnounced } from '../filters/use-announced.ts';
import { type ListKind, useFilters } from '../filters/use-filters.ts';
import { usePanel } from '../filters/use-panel.ts';
import { COLUMNS, type Column } from '../patients/columns.tsx';
import { patientsQuery } from '../patients/patient-queries.ts';
import { PatientResultsView } from '../patients/patient-results.tsx';
import list from '../patients/patients.module.css';
import { stayDay } from '../patients/stay.ts';
import { useLiveResults } from '../patients/use-live-results.ts';
import { useSession } from '../session/session.ts';
import { formatDate } from '../ui/format/date.ts';
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
const KIND: ListKind = { module: null, context: 'ALL', usual: USUAL };
const SORT_KEYS: SortKey[] = ['PING_ENCOUNTER_DATE', 'LENGTH_OF_STAY', 'LAST_NAME', 'FIRST_NAME', 'ROOM_AND_BED'];
const OWN_GROUPS = [
  { label: 'Length of Stay', facets: ['lengthOfStay'], isExpanded: true },
  { label: 'Facility Kind', facets: ['groupType'] },
] as const;

const STAY_COLUMNS: Column[] = [
  COLUMNS.facility,
  {
    label: 'Admitted',
    cell: ({ currentPingEncounter: stay }) =>
      stay?.admittedDate && (
        <time className={list.short} dateTime={stay.admittedDate}>
          {formatDate(stay.admittedDate, stay.admittingFacility.timeZone)}
        </time>
      ),
  },
  {
    label: 'Stay',
    cell: ({ currentPingEncounter: stay }) => stay && <strong className={list.short}>{stayDay(stay)}</strong>,
  },
  // No source tells how long a stay was expected to last.
  { label: 'Expected', cell: () => <span className={list.dim}>No benchmark</span> },
  COLUMNS.program,
  COLUMNS.status,
];

/** How long those who are in a skilled nursing facility have been there. */
export const LengthOfStayPage = () => {
  useTitle('Length of stay');
  const { team, user } = useSession();
  const filters = useFilters(KIND);
  const panel = usePanel(filters, true, TERM_FACET_SIZE);
  const parameters = filters.parameters(panel.facetSize);
  const page = useQuery({ ...patientsQuery(parameters), placeholderData: (previous) => previous });
  const live = useLiveResults(parameters);
  useAnnounced(page, 'patient', 'patients');
  useShortcuts({
    f: (event) => {
      event.preventDefault();
      panel.find();
    },
  });
  const { criteria, change } = filters;
  const usual = useMemo(() => isSame(criteria, USUAL), [criteria]);
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
              {total === null || page.isPlaceholderData
                ? team.name
                : `${counted(total, 'patient', 'patients')} · ${team.name}`}
            </Text>
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
          <div className={list.tools}>
            <PanelButton count={filters.count} open={panel.open} toggle={panel.toggle} />
            <Select
              aria-label="Sort by"
              value={`${criteria.sort} ${criteria.order}`}
              onChange={({ currentTarget }) => {
                const { sort, order } = readSort(currentTarget.value);
                change({ ...withSort(criteria, sort), order });
              }}
              data={sortChoices(SORT_KEYS)}
            />
            {!usual && (
              <Button size="xs" variant="default" onClick={filters.reset}>
                The usual view
              </Button>
            )}
          </div>
          <FilterChips filters={filters} />
        </div>
        <PatientResultsView
          what="patients"
          page={page}
          filters={filters}
          live={live}
          columns={STAY_COLUMNS}
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
