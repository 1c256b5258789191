/** Writes the rows to a file that both databases load. */
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { MULTIS, NUMBERS, SINGLES } from './facets.ts';
import { codesAt, type Rows } from './rows.ts';

export const COLUMNS = [
  'id',
  'last',
  'first',
  ...NUMBERS,
  ...SINGLES.map(({ name }) => name),
  ...MULTIS.map(({ name }) => name),
];

/** Writes tab-separated values, with arrays in braces. */
export async function writeRows(path: string, rows: Rows): Promise<void> {
  const file = createWriteStream(path);
  for (let row = 0; row < rows.count; row += 1) {
    const cells = [
      row,
      rows.lastNames[rows.last[row] as number],
      rows.firstNames[rows.first[row] as number],
      ...NUMBERS.map((name) => rows.numbers[name][row]),
      ...SINGLES.map(({ name }) => rows.singles[name]?.[row]),
      ...MULTIS.map(({ name }) => `{${codesAt(rows.multis[name] as Rows['multis'][string], row).join(',')}}`),
    ];
    if (!file.write(`${cells.join('\t')}\n`)) await once(file, 'drain');
  }
  file.end();
  await once(file, 'close');
}
