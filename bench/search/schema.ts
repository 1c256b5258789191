import type { TableSchema } from '#server/work/search/columns/table.ts';
import { MULTIS, NUMBERS, SINGLES } from './facets.ts';

/** The columns of the bench's rows. */
export const SCHEMA: TableSchema = {
  singles: SINGLES.map(({ name }) => name),
  multis: MULTIS.map(({ name }) => name),
  numbers: NUMBERS,
  sortTexts: ['last', 'first'],
  words: ['name', 'identifier'],
};
