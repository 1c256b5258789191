/** Returns the value so that a spreadsheet does not run it as a formula: with a leading apostrophe (OWASP, "CSV injection"; also for full-width signs). */
const neutralized = (value: string): string => (/^[=+\-@\t\r\n＝＋－＠]/.test(value) ? `'${value}` : value);

function cell(value: string): string {
  const safe = neutralized(value);
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Returns a line of a CSV file (RFC 4180), with its end. */
export const csvLine = (cells: readonly string[]): string => `${cells.map(cell).join(',')}\r\n`;
