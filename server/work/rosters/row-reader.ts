/** Reads the cells of a row by the columns of its file. What the header decides is decided once, not for each of a million rows. */
import { hash } from 'node:crypto';
import { FULL_NAME, ROSTER_COLUMNS, type RosterColumn, type RosterTarget } from '#contract/roster-columns.ts';
import { placeholderOf } from '#server/record/scoring/names.ts';
import { normalizeMedicareId } from '#server/record/scoring/normalize-values.ts';
import { type DateRules, readBirthDate } from './birth-dates.ts';
import * as cells from './cells.ts';
import { warningsOfCharacters } from './character-warnings.ts';
import type { CleanRow } from './clean-rows.ts';
import { namePartsOf } from './full-name.ts';
import type { RowError, RowWarning } from './row-errors.ts';
import { shown } from './shown-value.ts';

type ListColumn = { [K in RosterColumn]: (typeof ROSTER_COLUMNS)[K] extends { list: true } ? K : never }[RosterColumn];
type RequiredColumn = 'memberId' | 'firstName' | 'lastName' | 'dateOfBirth' | 'gender';

/** A valid row, with values in the form in which they are stored. */
export type RosterRow = {
  [K in RosterColumn]: K extends ListColumn ? string[] : K extends RequiredColumn ? string : string | null;
};

/** `rowNumber`: as in a spreadsheet, where the header is row 1. */
export type ParsedRow = {
  rowNumber: number;
  memberId: string;
  warnings: RowWarning[];
  /** Cells that were probably written in another encoding than they were read in. */
  garbledCells: number;
} & ({ row: RosterRow; contentHash: Buffer; errors?: undefined } | { errors: RowError[]; legible: LegibleRow });

/** The readable cells of a row with errors that say which patient it is about. */
export type LegibleRow = Partial<Pick<RosterRow, 'firstName' | 'lastName' | 'dateOfBirth' | 'medicareId'>>;

type Reader = (text: string, rules: DateRules) => cells.Read<string | readonly string[]>;

const READERS: Partial<Record<RosterColumn, Reader>> = {
  memberId: cells.readMemberId,
  dateOfBirth: readBirthDate,
  gender: cells.readGender,
  state: cells.readState,
  zip: cells.readZip,
  homePhone: cells.readPhone,
  mobilePhone: cells.readPhone,
  ssnLast4: cells.readSsnLast4,
  medicareId: cells.readMedicareId,
  providerNpi: cells.readNpi,
  providerPhone: cells.readPhone,
  providerFax: cells.readPhone,
};

interface Column {
  column: RosterColumn;
  header: string;
  required?: boolean;
  list?: boolean;
  beside?: RosterColumn;
  added?: boolean;
}

const COLUMNS = (Object.keys(ROSTER_COLUMNS) as RosterColumn[]).map(
  (column): Column => ({ column, ...ROSTER_COLUMNS[column] }),
);
const NAMES = COLUMNS.map(({ column }) => column);
const ADDED = COLUMNS.filter(({ added }) => added).map(({ column }) => column);

const readerOf = ({ column, list }: Column): Reader => (list ? cells.readList : (READERS[column] ?? cells.readText));
/** A row of empty cells, with its columns in their order. All rows share its lists. */
const EMPTY: Readonly<Record<string, unknown>> = Object.fromEntries(
  COLUMNS.map((column) => [column.column, Object.freeze(readerOf(column)('', { today: '', hasDayFirst: false }))]),
);

/** What says who a patient is. A row in which one of these cannot be read changes nothing; other cells are left out. */
const IDENTIFYING: ReadonlySet<RosterColumn> = new Set([
  'memberId',
  'firstName',
  'middleName',
  'lastName',
  'nameSuffix',
  'dateOfBirth',
]);

const ONE_NAME = "The first and the last name can't be told apart. Use Last, First Middle, or a column for each";

/** A column of the roster, and where the file's rows have it: -1 if they don't. */
interface Field extends Column {
  at: number;
  read: Reader;
}

/** A row while it is read. `row` begins as `EMPTY`. */
interface Reading {
  row: Record<string, unknown>;
  textOf: (field: Field) => string;
  errors: RowError[];
  warnings: RowWarning[];
}

/** Returns a function that reads the cleaned cells of a row. `columns`: what each of them is. */
export function makeRowReader(columns: readonly (RosterTarget | null)[]) {
  const fields = COLUMNS.map(
    (column): Field => ({
      ...column,
      at: columns.indexOf(column.column),
      read: readerOf(column),
    }),
  );
  const wholeNameAt = columns.indexOf(FULL_NAME.id);
  const alone = fields.filter(({ beside, required, at }) => !beside && (required || at >= 0 || wholeNameAt >= 0));
  const besides = fields.flatMap((field) => {
    const names = fields.find(({ column }) => column === field.beside);
    return names ? [{ field, names }] : [];
  });

  return ({ rowNumber, cells: record, asWritten }: CleanRow, rules: DateRules): ParsedRow => {
    const { warnings, garbledCells } = warningsOfCharacters(asWritten, columns);
    const wholeName = record[wholeNameAt] ?? '';
    // Parts of a name without a column of their own come from the whole name.
    const parts = wholeName === '' ? {} : namePartsOf(wholeName);
    const textOf = ({ at, column }: Field): string => (at < 0 ? parts[column] : record[at]) ?? '';
    const reading: Reading = { row: { ...EMPTY }, textOf, errors: [], warnings };
    const { row, errors } = reading;
    const isOneName = wholeName !== '' && !wholeName.includes(',');
    if (isOneName)
      errors.push({ column: ROSTER_COLUMNS.lastName.header, reason: ONE_NAME, ...shown('lastName', wholeName) });
    for (const field of alone) if (!isOneName || !isName(field)) readField(reading, field, rules);
    // Medicare's own lists have no other number: whoever says that it is the member ID keeps it as what records are compared by.
    row.medicareId ??= normalizeMedicareId(row.memberId as string | null);
    for (const { field, names } of besides) readBeside(reading, field, names);
    warnOfPlaceholder(row, warnings);
    if (record.length > columns.length && record.slice(columns.length).some((cell) => cell !== ''))
      errors.push({ column: 'Row', reason: TOO_MANY_CELLS });
    const known = { rowNumber, memberId: (row.memberId as string | null) ?? '', warnings, garbledCells };
    if (errors.length > 0) return { ...known, errors, legible: legibleOf(row) };
    // Every column was read without an error, so the row is complete.
    return { ...known, row: row as RosterRow, contentHash: hashOf(row as RosterRow) };
  };
}

const TOO_MANY_CELLS = 'More cells than the header row. Put cells that contain the separator in quotation marks';

const isName = ({ column }: Field): boolean => column === 'firstName' || column === 'lastName';

/** Reads a column. What can't be read stays empty. */
function readField({ row, textOf, errors, warnings }: Reading, field: Field, rules: DateRules): void {
  const { column, header, required } = field;
  const text = textOf(field);
  // Most columns of most rows.
  const read = text === '' ? row[column] : field.read(text, rules);
  if (read instanceof cells.CompletedCell) {
    warnings.push({ column: header, reason: read.reason, isRead: true, ...shown(column, text) });
    row[column] = read.value;
  } else if (read instanceof cells.CellError) {
    (IDENTIFYING.has(column) ? errors : warnings).push({
      column: header,
      reason: read.reason,
      ...shown(column, text),
    });
  } else if (required && read === null)
    errors.push({ column: header, reason: 'Required value is missing. Fill in the cell' });
  else row[column] = read;
}

/**
 * Reads a column whose values belong to those of another. Where the other could not be read, the listed values stay, like the listed
 * names. Where this one could not be read it is left empty: the listed values may belong to other names.
 */
function readBeside({ row, textOf, warnings }: Reading, field: Field, names: Field): void {
  const { column, header } = field;
  const text = textOf(field);
  if (text === '' && warnings.length === 0) return;
  const value = shown(column, text);
  const unread = warnings.find((warning) => warning.column === names.header && !warning.isRead);
  if (unread) {
    warnings.push({ column: header, reason: unread.reason, ...value });
    return;
  }
  const read = cells.readBeside(text);
  const values = Array.isArray(read) ? cells.besideNames(textOf(names), read) : read;
  if (Array.isArray(values)) row[column] = values;
  else if (values instanceof cells.CellError)
    warnings.push({ column: header, reason: values.reason, isRead: true, ...value });
}

const PLACEHOLDER =
  "Taken for a placeholder: hospitals write such names when they don't know the patient's. It isn't compared with hospitals' records, so pings may be missing. Check the name";

/** Warns of a name by which no hospital's record is linked (`record/scoring/names.ts`, which names the sources). */
function warnOfPlaceholder(row: Partial<RosterRow>, warnings: RowWarning[]): void {
  const { lastName = null, firstName = null, middleName = null, nameSuffix = null } = row;
  const part = placeholderOf({ family: lastName, given: firstName, middle: middleName, suffix: nameSuffix });
  if (part === null) return;
  const column = part === 'family' ? 'lastName' : 'firstName';
  const { header } = ROSTER_COLUMNS[column];
  warnings.push({ column: header, reason: PLACEHOLDER, isRead: true, ...shown(column, row[column] ?? '') });
}

function legibleOf({ firstName, lastName, dateOfBirth, medicareId }: Partial<RosterRow>): LegibleRow {
  return { firstName, lastName, dateOfBirth, medicareId };
}

/** Returns a hash that is equal for rows that would be stored the same way, whatever the order of their keys. */
export function hashOf(row: RosterRow): Buffer {
  const hashed: Record<string, unknown> = { ...EMPTY };
  for (const column of NAMES) hashed[column] = row[column] ?? null;
  for (const column of ADDED) if (!row[column]?.length) hashed[column] = undefined;
  return hash('sha256', JSON.stringify(hashed), 'buffer');
}
