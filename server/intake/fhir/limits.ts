/** What a FHIR message may hold at most. The largest of the published samples has 222 KB, 115 entries and a depth of 14. */

/** Bytes, as many as a frame of HL7 v2. */
export const MOST_BYTES = 16 * 1024 * 1024;
/** Values and properties, roughly: commas and opening brackets outside of texts. */
export const MOST_VALUES = 500_000;
/** Brackets inside each other. */
export const MOST_DEPTH = 64;
/** How often an element that is read may repeat, except the entries of the bundle. */
export const MOST_REPETITIONS = 100;
/** The same for what a long stay gathers: places, doctors, statuses and classes. */
export const MOST_GATHERED = 1000;
/** Steps from a location to the one that it is part of. */
export const MOST_STEPS = 10;
