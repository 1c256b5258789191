import type { SavedFilter } from '#contract/saved-filters.ts';

/** A filter that the user saved on the list of patients. */
export const savedFilter = (id: string, name: string, over: Partial<SavedFilter> = {}): SavedFilter => ({
  id,
  name,
  teamId: '5',
  orderNum: Number(id),
  offset: 0,
  query: '',
  ignoredFacets: [],
  visibleTo: [],
  ignoredPatientIds: [],
  isShared: false,
  owner: { name: 'Ama Osei', isYou: true, isOnTeam: true },
  mayChange: true,
  loggableFilterRepresentation: 'program (1)',
  searchContext: 'ALL',
  userDefinedFacetPreferences: { query: '', dateOfBirth: null, preferenceMap: {}, openPatientsOnly: false },
  sortBy: ['LAST_NAME'],
  sortOrder: 'ASC',
  pageNumber: 1,
  pageSize: 20,
  ...over,
});
