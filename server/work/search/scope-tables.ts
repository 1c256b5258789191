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

export const emptyTables = (withEvents: boolean): Tables => {
  const persons = new Table(PERSONS);
  const child = () => new Table(VISIT_ROWS, { parent: persons });
  return { persons, pings: child(), events: withEvents ? child() : null, due: new Map(), descriptions: new Map() };
};

/** Returns the approximate memory use, in bytes. */
export const bytesOfTables = ({ persons, pings, events, due }: Tables): number =>
  persons.bytes + pings.bytes + (events?.bytes ?? 0) + due.size * 80;

/**
 * Replaces the rows of these persons. Rows are made one person at a time, because short-lived objects cost the garbage collector little.
 * `isUpdate`: the tables may hold earlier rows of these persons, and what is no longer among their facts is removed: a visit may have moved to
 * someone whom the scope must not see. `incomplete`: called for a person with a row that a
 * table rejects, or with more values than a row can hold.
 */
export function putPersons(
  tables: Tables,
  facts: readonly PersonFacts[],
  { isUpdate, ...options }: RowOptions & { isUpdate: boolean },
  incomplete: (personId: string, reason: string) => void,
): void {
  const gone: number[] = [];
  const kept = { pings: new Set<number>(), events: new Set<number>() };
  for (const each of facts) {
    const rows = rowsOf(each, options);
    try {
      if (!putRows(tables, rows)) incomplete(rows.personId, 'More values than a row can hold');
      for (const { key } of rows.pings) kept.pings.add(key);
      for (const { key } of rows.events) kept.events.add(key);
    } catch (error) {
      incomplete(rows.personId, (error as Error).message);
    }
    if (!rows.person) gone.push(Number(rows.personId));
    if (rows.dueAt !== null) tables.due.set(rows.personId, rows.dueAt);
    else if (isUpdate) tables.due.delete(rows.personId);
  }
  if (!isUpdate) return;
  const persons = facts.map(({ personId }) => Number(personId));
  removeOthers(tables.pings, persons, kept.pings);
  if (tables.events) removeOthers(tables.events, persons, kept.events);
  for (const key of gone) tables.persons.remove(key);
}

/** Returns whether all rows were stored with all their values. */
function putRows({ persons, ...tables }: Tables, { person, pings, events }: PersonRows): boolean {
  if (!person) return true;
  let isWhole = persons.put(person);
  for (const row of pings) isWhole = tables.pings.put(row) && isWhole;
  for (const row of events) isWhole = (tables.events?.put(row) ?? true) && isWhole;
  return isWhole;
}

function removeOthers(table: Table, persons: readonly number[], kept: ReadonlySet<number>): void {
  for (const key of table.childrenOf(persons)) if (!kept.has(key)) table.remove(key);
}
