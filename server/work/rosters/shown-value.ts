/** What a report shows of a cell that could not be used: enough to find and mend it, and no digit of a number that should not be there. */
import type { RosterColumn } from '#contract/roster-columns.ts';

const LONGEST = 60;
/** Here whole Social Security numbers turn up: an old Medicare number (HICN) contains one. */
const SECRET: ReadonlySet<RosterColumn> = new Set(['ssnLast4', 'medicareId']);
const SSN = /\b\d{3}[- ]\d{2}[- ]\d{4}\b/g;

/** Returns the text without the digits of Social Security numbers, cut after 60 characters. */
export function showable(column: RosterColumn | null, text: string): string {
  const hidden = column !== null && SECRET.has(column) ? hide(text) : text.replace(SSN, hide);
  return hidden.length > LONGEST ? `${hidden.slice(0, LONGEST)}…` : hidden;
}

const hide = (text: string): string => text.replace(/\d/g, '•');

/** Returns `{ value }` for a cell that says something. */
export const shown = (column: RosterColumn, text: string): { value?: string } =>
  text === '' ? {} : { value: showable(column, text) };
