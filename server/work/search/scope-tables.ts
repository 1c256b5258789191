/** The tables of an access scope, and how the rows of new, changed and removed persons are written into them. */
import { Table } from './columns/table.ts';
import { type PersonRows, type RowOptions, rowsOf } from './rows/rows.ts';
import type { PersonFacts } from './rows/visible-history.ts';
import { PERSONS, VISIT_ROWS } from './schema.ts';

export interface Tables {
  persons: Table;
  pings: Table;
  /** Null until the list of events is first requested. */
  events: Table | null;
  /** By person: when the rows change only because time passes, in milliseconds. */
  due: Map<string, number>;
  /** What diagnosis codes mean. */
  descriptions: Map<string, string>;
}

/** `capacity`: how many persons to allocate at first; growing copies the columns. */
export const emptyTables = (withEvents: boolean, capacity: number): Tables => {
  const persons = new Table(PERSONS, { capacity });
  const child = () => new Table(VISIT_ROWS, { parent: persons });
  return { persons, pings: child(), events: withEvents ? child() : null, due: new Map(), descriptions: new Map() };
};

/** Returns the approximate memory use, in bytes. */
export const bytesOfTables = ({ persons, pings, events, due }: Tables): number =>
  persons.bytes + pings.bytes + (events?.bytes ?? 0) + due.size * 80;

/**
 * Replaces the rows of these persons. Rows are made one person at a time, because short-lived objects cost the garbage collector little.
 * `refused`: called for a person with a row that a table rejects.
 */
export function putPersons(
  tables: Tables,
  facts: readonly PersonFacts[],
  options: RowOptions,
  refused: (personId: string, reason: Error) => void,
): void {
  const gone: number[] = [];
  for (const each of facts) {
    const rows = rowsOf(each, options);
    try {
      putRows(tables, rows);
    } catch (error) {
      refused(rows.personId, error as Error);
    }
    if (!rows.person) gone.push(Number(rows.personId));
    if (rows.dueAt !== null) tables.due.set(rows.personId, rows.dueAt);
    else if (options.isUpdate) tables.due.delete(rows.personId);
  }
  // Last, because a ping may just have moved to another person.
  for (const key of gone) removePerson(tables.persons, key);
}

function putRows(tables: Tables, { person, pings, events, gonePings, goneEvents }: PersonRows): void {
  if (person) {
    tables.persons.put(person);
    for (const row of pings) tables.pings.put(row);
    for (const row of events) tables.events?.put(row);
  }
  for (const key of gonePings) tables.pings.remove(key);
  for (const key of goneEvents) tables.events?.remove(key);
}

/** Removes a person. If rows still refer to it, which are about to move elsewhere, it stays as a person that no group lists. */
function removePerson(persons: Table, key: number): void {
  if (!persons.has(key)) return;
  try {
    persons.remove(key);
  } catch {
    persons.put({ key, singles: {}, multis: {}, numbers: {}, sortTexts: {}, words: {} });
  }
}
