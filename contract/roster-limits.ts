/** Limits of roster uploads that pages show or keep, too. Without zod: the browser loads it as it is. */

/** How much of the beginning of a file shows its columns. */
export const ROSTER_SAMPLE_BYTES = 64 * 1024;
/** Hours after which an upload that waits for its team is canceled: over a weekend. */
export const ROSTER_WAIT_HOURS = 72;
/** Hours in which an applied upload can be undone. */
export const ROSTER_UNDO_HOURS = 24;
/** Days for which the rows with errors and warnings of an upload are kept. Their counts stay. */
export const ROSTER_PROBLEM_DAYS = 90;

/** As many headers as a group can give a meaning of its own. */
export const MOST_MAPPED_HEADERS = 200;
export const LONGEST_HEADER = 100;
