import { FACETS } from '#contract/facets.ts';
import type { Patient } from '#contract/patients.ts';
import type { SortKey } from '#contract/sorts.ts';
import { type Criteria, noFilters } from '../filters/criteria.ts';
import type { ListFilters, ListKind } from '../filters/use-filters.ts';
import { PatientList } from '../patients/patient-list.tsx';
import { STAY_COLUMNS } from '../patients/use-columns.ts';
import { Distribution } from './distribution.tsx';
import type { GroupedBy, StaySearch } from './stay-search.ts';
import { StayTools } from './stay-tools.tsx';

const PAGE_SIZE = 20;
const TERM_FACET_SIZE = 50;
/** Current skilled nursing stays of up to 100 days. */
const DEFAULTS: Criteria = {
  ...noFilters(PAGE_SIZE),
  openPatientsOnly: true,
  filters: {
    groupType: [{ field: 'groupType', value: 'SNF', negated: false }],
    lengthOfStay: [{ field: 'lengthOfStay', value: '0:100', negated: false }],
  },
};
/** No module stores a default filter for this page: it always opens with its own. */
const KIND: ListKind = { module: null, context: 'ALL', defaults: DEFAULTS, defaultName: 'Default view' };
const SORT_KEYS: SortKey[] = ['PING_ENCOUNTER_DATE', 'LENGTH_OF_STAY', 'LAST_NAME', 'FIRST_NAME', 'ROOM_AND_BED'];
const OWN_GROUPS = [
  { label: FACETS.lengthOfStay.label, facets: ['lengthOfStay'], isExpanded: true },
  { label: FACETS.expectedStay.label, facets: ['expectedStay'], isExpanded: true },
  { label: FACETS.groupType.label, facets: ['groupType'] },
] as const;

const NO_STAYS = {
  title: 'No current stays.',
  words: 'Stays appear here when a facility reports them.',
};

/** The heading of a row. */
const GROUPINGS: Record<GroupedBy, (patient: Patient) => string> = {
  facility: ({ currentPingEncounter: stay }) => stay?.admittingFacility.name ?? 'No facility recorded',
  diagnosis: ({ currentPingEncounter: stay }) =>
    [stay?.diagnosis?.synonym, stay?.diagnosis?.fullCode].filter(Boolean).join(' · ') || 'No diagnosis recorded',
};
const groupOf = ({ search }: ListFilters) => {
  const { by } = search as StaySearch;
  return by && GROUPINGS[by];
};

/** How long patients have been in skilled nursing facilities. */
export const LengthOfStayPage = () => (
  <PatientList
    title="Length of stay"
    kind={KIND}
    columns={STAY_COLUMNS}
    sortKeys={SORT_KEYS}
    facetSize={TERM_FACET_SIZE}
    ownGroups={OWN_GROUPS}
    tools={(filters) => <StayTools filters={filters} />}
    groupOf={groupOf}
    aboveRows={({ criteria, visibleTo }, asOf) => (
      <Distribution criteria={criteria} visibleTo={visibleTo} asOf={asOf} />
    )}
    empty={NO_STAYS}
  />
);
