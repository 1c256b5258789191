/** With more choices than this, a field looks them up instead of listing them all. */
export const LONGEST_LIST = 15;
/** The most options that are shown at once. */
export const MOST_SHOWN = 50;
