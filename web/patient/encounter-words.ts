/** The specification's labels of a visit, and its words for values that nobody sent. */
import type { Facility } from '#contract/pings.ts';

export const MANAGING_PROVIDER = 'Managing Provider';
/** A facility's own record of the patient, as opposed to a roster. */
export const EHR = 'EHR';
/** For a value that nobody sent. Identifiers and dates of birth say "Not recorded" instead (docs/ux.md). */
export const UNAVAILABLE = 'Unavailable';
/** The same for a point of care. */
export const NO_INFORMATION = 'No Information Provided';

/** Returns the label of the facility of a visit. */
export const facilityLabel = ({ facilityType }: Pick<Facility, 'facilityType'>): string =>
  facilityType === 'HOS' ? 'Hospital' : 'Admitting Facility';
