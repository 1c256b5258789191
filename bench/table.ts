/** Returns the median. For an even number of values, the upper of the middle two. */
export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** Returns the value below which `part` (0 to 1) of the values lie. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? Number.NaN;
}

/** Prints a table with a title. */
export function table(title: string, head: readonly string[], rows: readonly (readonly string[])[]): void {
  const all = [head, ...rows];
  const width = (column: number) => Math.max(...all.map((row) => row[column]?.length ?? 0));
  const line = (row: readonly string[]) => row.map((cell, column) => cell.padStart(width(column))).join('  ');
  process.stdout.write(`\n${title}\n${all.map((row) => `  ${line(row)}\n`).join('')}`);
}
