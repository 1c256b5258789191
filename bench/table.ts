/** The middle one; of an even number the upper of the two. */
export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** `part` from 0 to 1. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? Number.NaN;
}

/** Prints a table with its title. */
export function table(title: string, head: readonly string[], rows: readonly (readonly string[])[]): void {
  const all = [head, ...rows];
  const width = (column: number) => Math.max(...all.map((row) => row[column]?.length ?? 0));
  const line = (row: readonly string[]) => row.map((cell, column) => cell.padStart(width(column))).join('  ');
  process.stdout.write(`\n${title}\n${all.map((row) => `  ${line(row)}\n`).join('')}`);
}
