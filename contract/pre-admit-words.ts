/** Numbers and words of pre-admit. Without zod: the browser loads it as it is. */

/** How long a patient is held. */
export const HELD_HOURS = 72;
/** How many people a facility holds at a time. */
export const MOST_HELD = 200;

/** A whole Social Security number, with hyphens, spaces or neither; the first five digits may be masked, as records show them. */
const WHOLE_SSN = /^[\dX*]{3}[- ]?[\dX*]{2}[- ]?\d{4}$/i;
/** Returns the last four digits of a whole Social Security number; what is anything else comes back as it is. */
export const lastFourOfSsn = (text: string): string => (WHOLE_SSN.test(text.trim()) ? text.trim().slice(-4) : text);
/** Whether a text is the last four digits, all that is kept of an SSN. */
export const isLastFour = (text: string): boolean => /^\d{4}$/.test(text);
export const NOT_LAST_FOUR = 'Enter the last 4 digits, or all 9.';

export const GENDERS = ['Female', 'Male', 'Other', 'Unknown'] as const;
