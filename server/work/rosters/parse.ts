/** Parses a roster file row by row from a stream of bytes, holding only a row or two in memory. */
import { createHash } from 'node:crypto';
import { FULL_NAME, ROSTER_COLUMNS, type RosterColumn, type RosterTarget } from '#contract/roster-columns.ts';
import { type DateRules, inDateOrder, readBirthDate } from './birth-dates.ts';
import * as cells from './cells.ts';
import { cleanRows } from './clean-rows.ts';
import { RosterFileError } from './file-error.ts';
import { namePartsOf } from './full-name.ts';
import type { HeaderMapping } from './headers.ts';
import { shown } from './shown-value.ts';

type ListColumn = { [K in RosterColumn]: (typeof ROSTER_COLUMNS)[K] extends { list: true } ? K : never }[RosterColumn];
type RequiredColumn = 'memberId' | 'firstName' | 'lastName' | 'dateOfBirth' | 'gender';

/** A valid row, with values in the form in which they are stored. */
export type RosterRow = {
  [K in RosterColumn]: K extends ListColumn ? string[] : K extends RequiredColumn ? string : string | null;
};

/** `column`: a header of `ROSTER_COLUMNS`, or 'Row'. `reason`: a sentence for the uploader, which never quotes a value. */
export interface RowError {
  column: string;
  reason: string;
  /** What the cell says, as it may be shown (`shown-value.ts`). */
  value?: string;
}

/** `isRead`: the cell was completed, and `row` has its value. Otherwise it could not be read and is not needed, and `row` has none. */
export interface RowWarning extends RowError {
  isRead?: true;
}

/** `rowNumber`: as in a spreadsheet, where the header is row 1. */
export type ParsedRow = { rowNumber: number; memberId: string; warnings: RowWarning[] } & (
  | { row: RosterRow; contentHash: Buffer; errors?: undefined }
  | { errors: RowError[]; legible: LegibleRow }
);

/** The readable cells of a row with errors that say which patient it is about. */
export type LegibleRow = Partial<Pick<RosterRow, 'firstName' | 'lastName' | 'dateOfBirth' | 'medicareId'>>;

export interface ParseOptions {
  /** YYYY-MM-DD. Later dates of birth are errors. */
  today: string;
  /** What the group's own headers mean. */
  mapping?: HeaderMapping | undefined;
  /** Called once, before the first row. */
  onHeader?: (header: { ignored: string[] }) => void;
  /** Called if dates of birth are read as D/M/YYYY, because that is how the file writes them. */
  onDayFirst?: () => void;
}

type Columns = readonly (RosterTarget | null)[];

/** Yields the rows of a roster file and skips blank lines. Throws RosterFileError, possibly after some rows. */
export async function* parseRoster(
  source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  { today, mapping, onHeader, onDayFirst }: ParseOptions,
): AsyncGenerator<ParsedRow> {
  let columns: Columns = [];
  const rows = cleanRows(source, mapping, (header) => {
    if (header.missing.length > 0) throw new RosterFileError(missing(header.missing));
    onHeader?.({ ignored: header.ignored });
    columns = header.columns;
  });
  const birthDateOf = ({ cells }: { cells: readonly string[] }) => cells[columns.indexOf('dateOfBirth')] ?? '';
  let count = 0;
  let wasDayFirst = false;
  for await (const { rowNumber, cells, hasDayFirst } of inDateOrder(rows, birthDateOf)) {
    if (hasDayFirst && !wasDayFirst) onDayFirst?.();
    wasDayFirst = hasDayFirst;
    count++;
    yield parseRow(cells, columns, rowNumber, { today, hasDayFirst });
  }
  if (count === 0)
    throw new RosterFileError(
      'The file has a header row but no patients. Add a row for each patient, then upload it again.',
    );
}

const missing = (headers: string[]): string =>
  `Missing required column${headers.length > 1 ? 's' : ''}: ${headers.join(', ')}. Match columns of the file to ${headers.length > 1 ? 'them' : 'it'}, or add ${headers.length > 1 ? 'them' : 'it'} to the file, then upload it again.`;

const READERS: Partial<Record<RosterColumn, (text: string, rules: DateRules) => cells.Read<string>>> = {
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

const COLUMNS = Object.entries(ROSTER_COLUMNS) as [
  RosterColumn,
  { header: string; required?: boolean; list?: boolean; beside?: RosterColumn; added?: boolean },
][];

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

/** Parses the cleaned cells of one row by the columns of the header. */
function parseRow(record: readonly string[], columns: Columns, rowNumber: number, rules: DateRules): ParsedRow {
  const errors: RowError[] = [];
  const warnings: RowWarning[] = [];
  const row: Record<string, unknown> = {};
  const textOf = textsOf(record, columns);
  const wholeName = record[columns.indexOf(FULL_NAME.id)] ?? '';
  const isOneName = wholeName !== '' && !wholeName.includes(',');
  if (isOneName)
    errors.push({ column: ROSTER_COLUMNS.lastName.header, reason: ONE_NAME, ...shown('lastName', wholeName) });
  for (const [column, { header, required, list, beside }] of COLUMNS) {
    if (beside) continue;
    const text = textOf(column);
    const reader = list ? cells.readList : (READERS[column] ?? cells.readText);
    const read = reader(text, rules);
    if (read instanceof cells.CompletedCell) {
      warnings.push({ column: header, reason: read.reason, isRead: true, ...shown(column, text) });
      row[column] = read.value;
    } else if (!(read instanceof cells.CellError)) {
      if (isOneName && (column === 'firstName' || column === 'lastName')) continue;
      if (required && read === null)
        errors.push({ column: header, reason: 'Required value is missing. Fill in the cell' });
      else row[column] = read;
    } else if (IDENTIFYING.has(column)) errors.push({ column: header, reason: read.reason, ...shown(column, text) });
    else {
      warnings.push({ column: header, reason: read.reason, ...shown(column, text) });
      row[column] = reader('', rules);
    }
  }
  readBesideColumns(row, textOf, warnings);
  if (record.slice(columns.length).some((cell) => cell !== '')) {
    errors.push({
      column: 'Row',
      reason: 'More cells than the header row. Put cells that contain the separator in quotation marks',
    });
  }
  const memberId = typeof row.memberId === 'string' ? row.memberId : '';
  if (errors.length > 0) return { rowNumber, memberId, warnings, errors, legible: legibleOf(row) };
  // Every column was read without an error, so the row is complete.
  return { rowNumber, memberId, warnings, row: row as RosterRow, contentHash: hashOf(row as RosterRow) };
}

/** Returns how to get the text of a column. Parts of a name without a column of their own come from the whole name. */
function textsOf(record: readonly string[], columns: Columns): (column: RosterColumn) => string {
  const at = columns.indexOf(FULL_NAME.id);
  const parts: Partial<Record<RosterColumn, string>> = at < 0 ? {} : namePartsOf(record[at] ?? '');
  return (column) => {
    const own = columns.indexOf(column);
    return own < 0 ? (parts[column] ?? '') : (record[own] ?? '');
  };
}

/**
 * Reads the columns whose values belong to those of another. Where the other could not be read, the listed values stay, like the listed
 * names. Where one of these could not be read it is left empty: the listed values may belong to other names.
 */
function readBesideColumns(
  row: Record<string, unknown>,
  textOf: (column: RosterColumn) => string,
  warnings: RowWarning[],
): void {
  for (const [column, { header, beside }] of COLUMNS) {
    if (!beside) continue;
    const unread = warnings.find((warning) => warning.column === ROSTER_COLUMNS[beside].header && !warning.isRead);
    const read = cells.readBeside(textOf(column));
    const values = Array.isArray(read) ? cells.besideNames(textOf(beside), read) : read;
    row[column] = Array.isArray(values) && !unread ? values : [];
    const value = shown(column, textOf(column));
    if (unread) warnings.push({ column: header, reason: unread.reason, ...value });
    else if (values instanceof cells.CellError)
      warnings.push({ column: header, reason: values.reason, isRead: true, ...value });
  }
}

function legibleOf({ firstName, lastName, dateOfBirth, medicareId }: LegibleRow): LegibleRow {
  return { firstName, lastName, dateOfBirth, medicareId };
}

/** Returns a hash that is equal for rows that would be stored the same way, whatever the order of their keys. */
export const hashOf = (row: RosterRow): Buffer => {
  const hashed = COLUMNS.filter(([column, { added }]) => !added || row[column]?.length);
  return createHash('sha256')
    .update(JSON.stringify(Object.fromEntries(hashed.map(([column]) => [column, row[column]]))))
    .digest();
};
