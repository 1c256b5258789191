/** Numbers and words of pre-admit. Without zod: the browser loads it as it is. */

/** How long a patient is held. */
export const HELD_HOURS = 72;
/** How many people a facility holds at a time. */
export const MOST_HELD = 200;

export const GENDERS = ['Female', 'Male', 'Other', 'Unknown'] as const;
