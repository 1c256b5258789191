import type { Destination } from '#server/record/rules/destination.ts';
import type { FacilityRow, VisitRow } from './queries.ts';

/** The destination of a transfer is hidden if the facility is under 42 CFR Part 2 and the team may read none of the person's visits there. */
export function destinationFor(visits: VisitRow[], facilities: Map<string, FacilityRow>) {
  return (facilityId: string): Destination | undefined => {
    const facility = facilities.get(facilityId);
    const isHidden = facility?.isPart2Facility && !visits.some(({ groupId }) => groupId === facilityId);
    return facility && { name: facility.name, isHidden: isHidden ?? true };
  };
}
