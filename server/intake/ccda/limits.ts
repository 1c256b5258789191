/** What a clinical document may hold at most. The largest of the published samples has 2.2 MB, 29,000 elements and a depth of 21. */

/** Bytes. */
export const MOST_BYTES = 16 * 1024 * 1024;
export const MOST_ELEMENTS = 500_000;
/** Elements inside each other. */
export const MOST_DEPTH = 100;
/** Attributes of one element. */
export const MOST_ATTRIBUTES = 100;
/** Characters of one attribute. */
export const LONGEST_ATTRIBUTE = 16_384;
/** Characters of a name, title or value of the header or an entry; the rest is cut off. */
export const LONGEST_TEXT = 1000;
/** Characters of a text that an entry refers to: many may refer to the same, which is in the narrative as a whole. */
export const LONGEST_REFERENCED = 300;
/** Coded statements of one section that are listed; all entries are counted. */
export const MOST_ENTRIES = 2000;
/** Columns or rows that a cell may span. */
export const MOST_SPAN = 100;
/** Sections that are shown. */
export const MOST_SECTIONS = 1000;
