/** Where a patient went after a visit, as far as a reader may learn it. Pure. */
import { dispositionLabel } from '#contract/dispositions.ts';

/** The parts of a visit or of the event that ended it. */
export interface Departure {
  disposition: string | null;
  /** PV1-37, or what staff entered. */
  dischargedTo: string | null;
  transferredTo?: string | undefined;
}

/** The facility of a transfer, and whether its stays of this person are hidden from the reader (42 CFR Part 2). */
export interface Destination {
  name: string;
  isHidden: boolean;
}

/** Returns the destination in words; null if it is unknown or hidden. `find`: returns the facility with this id, if it is known. */
export function destinationOf(
  { disposition, dischargedTo, transferredTo }: Departure,
  find: (facilityId: string) => Destination | undefined,
): string | null {
  if (transferredTo === undefined) return dischargedTo ?? dispositionLabel(disposition);
  const facility = find(transferredTo);
  return facility === undefined || facility.isHidden ? null : (dischargedTo ?? facility.name);
}
