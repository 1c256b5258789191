import type { Patient } from '#contract/patients.ts';
import type { SortKey } from '#contract/sorts.ts';
import { type Criteria, everything } from '../filters/criteria.ts';
import type { ListFilters, ListKind } from '../filters/use-filters.ts';
import { STAY_COLUMNS } from '../patients/columns.tsx';
import { PatientList } from '../patients/patient-list.tsx';
import { Distribution } from './distribution.tsx';
import type { GroupedBy, StaySearch } from './stay-search.ts';
import { StayTools } from './stay-tools.tsx';

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
  { label: 'Expected Stay', facets: ['expectedStay'], isExpanded: true },
  { label: 'Facility Kind', facets: ['groupType'] },
] as const;

const NOBODY = {
  title: 'Nobody is in a facility now.',
  words: 'Stays appear here when a facility reports them.',
};

/** What a row stands under. */
const GROUPS: Record<GroupedBy, (patient: Patient) => string> = {
  facility: ({ currentPingEncounter: stay }) => stay?.admittingFacility.name ?? 'No facility recorded',
  diagnosis: ({ currentPingEncounter: stay }) =>
    [stay?.diagnosis?.synonym, stay?.diagnosis?.fullCode].filter(Boolean).join(' · ') || 'No diagnosis recorded',
};
const groupOf = ({ search }: ListFilters) => {
  const { by } = search as StaySearch;
  return by && GROUPS[by];
};

/** How long those who are in a skilled nursing facility have been there. */
export const LengthOfStayPage = () => (
  <PatientList
    title="Length of stay"
    kind={KIND}
    columns={STAY_COLUMNS}
    sortKeys={SORT_KEYS}
    facetSize={TERM_FACET_SIZE}
    first={OWN_GROUPS}
    tools={(filters) => <StayTools filters={filters} />}
    groupOf={groupOf}
    above={({ criteria, visibleTo }, asOf) => <Distribution criteria={criteria} visibleTo={visibleTo} asOf={asOf} />}
    nobody={NOBODY}
  />
);
