import type { Encounter } from '#contract/patients.ts';

/** "Day 6" of a stay that goes on, the first day being day 1; its length once it has ended. Null while nobody knows. */
export const stayDay = ({ status, lengthOfStay, visitDuration, dischargedDate }: Encounter): string | null => {
  if (!dischargedDate && (status === 'IN_PROGRESS' || status === 'ON_LEAVE'))
    return lengthOfStay === null ? null : `Day ${lengthOfStay + 1}`;
  return visitDuration;
};
