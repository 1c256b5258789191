/** The tables of a scope, and how persons come into them: whoever is new, has changed or has gone. */
import { Table } from './columns/table.ts';
import { type PersonRows, type RowOptions, rowsOf } from './rows/rows.ts';
import type { PersonFacts } from './rows/visible-history.ts';
import { PERSONS, VISIT_ROWS } from './schema.ts';

export interface Tables {
  persons: Table;
  pings: Table;
  /** Null until somebody asks for events. */
  events: Table | null;
  /** When the clock alone changes a person's rows, in milliseconds. */
  due: Map<string, number>;
  /** What codes of diagnoses mean. */
  descriptions: Map<string, string>;
}

/** `capacity`: how many persons to make room for at once; making more copies what is there. */
export const emptyTables = (withEvents: boolean, capacity: number): Tables => {
  const persons = new Table(PERSONS, { capacity });
  const child = () => new Table(VISIT_ROWS, { parent: persons });
  return { persons, pings: child(), events: withEvents ? child() : null, due: new Map(), descriptions: new Map() };
};

/** In bytes, about. */
export const bytesOfTables = ({ persons, pings, events, due }: Tables): number =>
  persons.bytes + pings.bytes + (events?.bytes ?? 0) + due.size * 80;

/**
 * Puts the rows of these persons in the place of those that are there. Rows are made one person at a time: what is used at once costs
 * little to throw away. `refused`: told of a person who has a row that no table takes.
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
  // Last: a ping may just have gone to another person.
  for (const key of gone) takeOut(tables.persons, key);
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

/** A person to whom rows still point, which are about to go elsewhere, stays as nobody whom any group lists. */
function takeOut(persons: Table, key: number): void {
  if (!persons.has(key)) return;
  try {
    persons.remove(key);
  } catch {
    persons.put({ key, singles: {}, multis: {}, numbers: {}, sortTexts: {}, words: {} });
  }
}
