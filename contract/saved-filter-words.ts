/** Modules, limits, built-in filters and messages of saved filters. Free of schemas, because the browser loads it with every list. */

/** The modules in which a filter can be the default. */
export const SEARCH_MODULES = [
  'PATIENT_SEARCH',
  'PING_SEARCH',
  'NOTIFICATIONS',
  'EXPORTS',
  'HOSPITAL_PATIENT_SEARCH',
  'RISING_RISK',
  'EVENT_FEED',
] as const;
export type SearchModule = (typeof SEARCH_MODULES)[number];

export const FILTER_NAME_LIMIT = 100;
export const SAVED_FILTERS_LIMIT = 200;

export const PREVIEW_DAYS = 30;

/** The built-in filters, with the permission that each requires. */
export const FIXED_FILTERS = {
  ALL_PATIENTS: { label: 'All Patients', permission: null },
  CURRENTLY_ADMITTED: { label: 'Currently Admitted', permission: 'canEditPatientsAndEvents' },
  RECENTLY_DISCHARGED: { label: 'Recently Discharged', permission: 'canResolveBackToCensus' },
} as const;
export type FixedFilter = keyof typeof FIXED_FILTERS;
export const RECENTLY_DISCHARGED_DAYS = 30;

export const FILTER_SAVE_FAILED = 'There was a problem saving your filter. Please try saving your filter again.';
export const savedBanner = (name: string): string => `Saved ${name}`;
export const renamedBanner = (name: string): string => `Renamed ${name} filter`;
export const deletedBanner = (name: string): string => `Deleted ${name} filter`;
