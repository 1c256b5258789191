import { ActionIcon, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import { PATIENT_PAGE_SIZE } from '#contract/constants.ts';
import { experienceBase } from '#contract/experiences.ts';
import type { SortKey } from '#contract/sorts.ts';
import { everything, withSort } from '../filters/criteria.ts';
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
import { PrintButton } from '../print/print-button.tsx';
import { type Session, useSession } from '../session/session.ts';
import { IconRefresh } from '../ui/icons.ts';
import { Select } from '../ui/select.tsx';
import { useShortcuts } from '../ui/shortcuts.ts';
import { useTitle } from '../ui/use-title.ts';
import { ColumnMenu } from './column-menu.tsx';
import { HOSPITAL_COLUMNS, PATIENT_COLUMNS, useColumns } from './columns.tsx';
import { patientsQuery } from './patient-queries.ts';
import { PatientResultsView } from './patient-results.tsx';
import classes from './patients.module.css';
import { useLiveResults } from './use-live-results.ts';

const SORT_KEYS: SortKey[] = [
  'PING_ENCOUNTER_DATE',
  'LAST_NAME',
  'FIRST_NAME',
  'VISIT_DURATION',
  'LENGTH_OF_STAY',
  'ROOM_AND_BED',
  'NUMBER_OF_ENCOUNTERS',
];

/** The roster opens on who is there now in Janus experiences, for those who have that filter; on everybody elsewhere. */
const kindOf = ({ user, can }: Session): ListKind => {
  const admitted = user.applicationExperience.startsWith('JANUS') && can('canEditPatientsAndEvents');
  return {
    module: experienceBase(user.applicationExperience) === '/hospital' ? 'HOSPITAL_PATIENT_SEARCH' : 'PATIENT_SEARCH',
    context: 'ALL',
    usual: { ...everything(PATIENT_PAGE_SIZE), view: admitted ? 'CURRENTLY_ADMITTED' : 'ALL_PATIENTS' },
  };
};

/** The patients of the selected team, one row a person. */
export const PatientsPage = () => {
  useTitle('Patients');
  const session = useSession();
  const { team, user } = session;
  const kind = useMemo(() => kindOf(session), [session]);
  const filters = useFilters(kind);
  const panel = usePanel(filters, true);
  const base = experienceBase(user.applicationExperience);
  const columns = useColumns(base === '/hospital' ? HOSPITAL_COLUMNS : PATIENT_COLUMNS);
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
      panel.find();
    },
    s: (event) => {
      if (!event.shiftKey) return;
      event.preventDefault();
      ask('save');
    },
  });
  const { criteria, change, search, patch } = filters;
  const groups = Object.values(team.groups).sort((a, b) => a.name.localeCompare(b.name));
  const total = page.data?.total ?? null;
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
        />
      )}
      <div className={classes.main}>
        <div className={classes.head}>
          <div className={classes.titleLine}>
            <Title order={1}>Patients</Title>
            <Text c="dimmed" span className="tabular">
              {shownOf(total === null || page.isPlaceholderData ? null : total, unfiltered, team.name)}
            </Text>
            <PrintButton />
            <ActionIcon
              className={classes.refresh}
              title="Refresh the list"
              aria-label="Refresh the list"
              loading={page.isRefetching}
              onClick={() => void page.refetch()}
            >
              <IconRefresh size={16} stroke={1.75} aria-hidden />
            </ActionIcon>
          </div>
          <NameFields filters={filters} field={name} />
          <div className={classes.tools}>
            <FilterMenu filters={filters} ask={ask} />
            <PanelButton count={filters.count} open={panel.open} toggle={panel.toggle} />
            {groups.length > 1 && (
              <Select
                aria-label="Group"
                value={search.group ?? ''}
                onChange={({ currentTarget }) => patch({ group: currentTarget.value || undefined, p: undefined })}
                data={[
                  { value: '', label: 'All groups' },
                  ...groups.map(({ id, name: words }) => ({ value: id, label: words })),
                ]}
              />
            )}
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
        <SavedFilterTools
          filters={filters}
          context="ALL"
          module={kind.module ?? 'PATIENT_SEARCH'}
          total={total}
          asked={tool}
          ask={ask}
        />
        <PatientResultsView
          what="patients"
          title="Patients"
          unfiltered={unfiltered}
          page={page}
          filters={filters}
          live={live}
          columns={columns.columns}
          nobody={{
            title: 'No patients are listed yet.',
            words: 'When a roster is uploaded, or a facility of this team reports a stay, its patients appear here.',
          }}
          base={base}
        />
      </div>
    </div>
  );
};
