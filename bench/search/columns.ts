import { Table } from '#server/search/columns/table.ts';
import { MULTIS, NUMBERS, SINGLES } from './facets.ts';
import { type Rows, rowAt } from './rows.ts';

/** A table with all rows, put one by one. */
export function loadTable(rows: Rows): Table {
  const table = new Table(
    {
      singles: SINGLES.map(({ name }) => name),
      multis: MULTIS.map(({ name }) => name),
      numbers: NUMBERS,
      sortTexts: ['last', 'first'],
      words: ['name', 'identifier'],
    },
    { capacity: rows.count },
  );
  for (let row = 0; row < rows.count; row += 1) table.put(rowAt(rows, row));
  return table;
}
