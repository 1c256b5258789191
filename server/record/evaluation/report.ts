/** Readable tables of what was measured. */
import type { FebrlResult } from './evaluate-febrl.ts';

const percent = (share: number): string => `${(100 * share).toFixed(2)} %`;

/** Returns a table with columns as wide as their longest cell; the first column is aligned left. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [header, ...rows];
  const widths = header.map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length)));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ')
      .trimEnd();
  return all.map(line).join('\n');
}

/** Returns one line per set of FEBRL. */
export function febrlTable(results: Readonly<Record<string, FebrlResult>>): string {
  return table(
    ['set', 'true pairs', 'automatic', 'review', 'missed', 'false', 'false without partner'],
    Object.entries(results).map(([set, result]) => [
      set,
      String(result.pairs),
      percent(result.automatic),
      percent(result.review),
      percent(result.missed),
      String(result.false),
      String(result.falseWithoutPartner),
    ]),
  );
}
