/** Codes and limits of shared work. Without zod: the browser loads it as it is. */

/** The most stays that one call changes, each for itself. */
export const MOST_STAYS_OF_CALL = 100;
/** The most days that a stay waits. */
export const MOST_SNOOZE_DAYS = 30;
export const WORK_CHANGE_KINDS = ['ASSIGN', 'SNOOZE', 'HAND_OVER'] as const;
/** The value of the filter "Owner" for stays that no one has taken. */
export const UNASSIGNED = 'NONE';
/** The value of the filter "Waiting". */
export const WAITING = 'WAITING';
export const MOST_COLLEAGUES = 50;

/** "Recently done": how much at a time, and from how long ago, in milliseconds. */
export const DONE_PAGE = 50;
export const DONE_WITHIN = 2 * 86_400_000;

/** An open patient is reported this often, and counts as open for so long. In milliseconds. */
export const VIEWING_EVERY = 15_000;
export const VIEWING_LASTS = 40_000;
