/** Measures a table whose rows point to parents, as pings do to persons, with the queries of the search bench. */
import { type Row, Table, type TableSchema } from '#server/work/search/columns/table.ts';
import { questionsFor } from './search/questions.ts';
import { makeRows, numbersFrom, type Rows, rowAt } from './search/rows.ts';
import { SCHEMA } from './search/schema.ts';
import { median, table } from './table.ts';

const ROUNDS = 15;
const PARENTS_PER_ROW = 0.3;
const OF_PERSON = new Set(
  'gender city zip payor practice provider coordinator ageband program tag age birth'.split(' '),
);

const ofPerson = (name: string) => OF_PERSON.has(name);
const ofPing = (name: string) => !OF_PERSON.has(name);

const PERSONS: TableSchema = {
  ...SCHEMA,
  singles: SCHEMA.singles.filter(ofPerson),
  multis: SCHEMA.multis.filter(ofPerson),
  numbers: SCHEMA.numbers.filter(ofPerson),
};
const PINGS: TableSchema = {
  singles: SCHEMA.singles.filter(ofPing),
  multis: SCHEMA.multis.filter(ofPing),
  numbers: SCHEMA.numbers.filter(ofPing),
  sortTexts: [],
  words: [],
};

/** Returns the row with only those cells that the schema has columns for. */
function cellsFor(row: Row, { singles, multis, numbers, sortTexts, words }: TableSchema): Row {
  const some = <T>(names: readonly string[], cells: Record<string, T>): Record<string, T> =>
    Object.fromEntries(names.map((name) => [name, cells[name] as T]));
  return {
    key: row.key,
    singles: some(singles, row.singles),
    multis: some(multis, row.multis),
    numbers: some(numbers, row.numbers),
    sortTexts: some(sortTexts, row.sortTexts),
    words: some(words, row.words),
  };
}

/** Runs the bench for `count` pings, with three persons for every ten pings, and prints a table. */
export function benchPings(count: number): void {
  const ofPersons = makeRows(Math.ceil(count * PARENTS_PER_ROW));
  const ofPings = makeRows(count, 21);
  const persons = new Table(PERSONS);
  const pings = new Table(PINGS, { parent: persons });
  const next = numbersFrom(3);
  const personsIn = putAll(persons, ofPersons, (row) => cellsFor(row, PERSONS));
  const pingsIn = putAll(pings, ofPings, (row) => ({ ...cellsFor(row, PINGS), parent: next() % ofPersons.count }));
  const lines = questionsFor(ofPersons).map(({ name, query }) => {
    const { total } = pings.search(query);
    const times: number[] = [];
    const cpu = process.cpuUsage();
    for (let round = 0; round < ROUNDS; round += 1) {
      const start = performance.now();
      pings.search(query);
      times.push(performance.now() - start);
    }
    const { user, system } = process.cpuUsage(cpu);
    const share = ((total / count) * 100).toFixed(1);
    return [name, share, median(times).toFixed(1), ((user + system) / 1000 / ROUNDS).toFixed(1)];
  });
  const megabytes = ((persons.bytes + pings.bytes) / 1e6).toFixed(0);
  const seconds = `${personsIn.toFixed(1)} s and ${pingsIn.toFixed(1)} s of CPU time`;
  table(
    `Search over ${count} pings of ${ofPersons.count} persons, milliseconds (one core; ${megabytes} MB, loaded in ${seconds})`,
    ['query', '% match', 'median', 'CPU, mean'],
    lines,
  );
}

/** Puts all rows into the columns, and returns the seconds of CPU time that this took, without generating the rows. */
function putAll(columns: Table, rows: Rows, asRow: (row: Row) => Row): number {
  let spent = 0;
  for (let from = 0; from < rows.count; from += 1000) {
    const length = Math.min(1000, rows.count - from);
    const chunk = Array.from({ length }, (_, n) => asRow(rowAt(rows, from + n)));
    const cpu = process.cpuUsage();
    for (const row of chunk) columns.put(row);
    const { user, system } = process.cpuUsage(cpu);
    spent += user + system;
  }
  return spent / 1e6;
}
