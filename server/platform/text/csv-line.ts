/**
 * Returns the value so that a spreadsheet does not run it as a formula: with an apostrophe before each sign that begins one (OWASP, "CSV injection";
 * also for full-width signs). A spreadsheet whose separator is a semicolon or a tab takes what follows one for a cell, also within quotes.
 */
const neutralized = (value: string): string =>
  value.replace(/^[=+\-@\t\r\n＝＋－＠]/, "'$&").replace(/([;\t\r\n][ "]*)([=+\-@＝＋－＠])/g, "$1'$2");

/** Quotes also a semicolon and a tab, which separate cells in some spreadsheets. */
function cell(value: string): string {
  const safe = neutralized(value);
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Returns a line of a CSV file (RFC 4180), with its end. */
export const csvLine = (cells: readonly string[]): string => `${cells.map(cell).join(',')}\r\n`;
