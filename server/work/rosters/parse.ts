/** Parses a roster file row by row from a stream of bytes, holding only a row or two in memory. */
import { hash } from 'node:crypto';
import { FULL_NAME, ROSTER_COLUMNS, type RosterColumn, type RosterTarget } from '#contract/roster-columns.ts';
import type { RosterEncoding } from '#contract/rosters.ts';
import { placeholderOf } from '#server/record/scoring/names.ts';
import { normalizeMedicareId } from '#server/record/scoring/normalize-values.ts';
import { type DateRules, inDateOrder, readBirthDate } from './birth-dates.ts';
import * as cells from './cells.ts';
import { warningsOfCharacters } from './character-warnings.ts';
import { type CleanRow, cleanRows } from './clean-rows.ts';
import { RosterFileError } from './file-error.ts';
import { namePartsOf } from './full-name.ts';
import type { Header, HeaderMapping } from './headers.ts';
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

export interface ParseOptions {
  /** YYYY-MM-DD. Later dates of birth are errors. */
  today: string;
  /** What the group's own headers mean. */
  mapping?: HeaderMapping | undefined;
  /** Called once, before the first row. */
  onHeader?: (header: { ignored: string[] }) => void;
  /** Called if dates of birth are read as D/M/YYYY, because that is how the file writes them. */
  onDayFirst?: () => void;
  /** Called at the end, with how the bytes were read. */
  onEncoding?: (encoding: RosterEncoding) => void;
}

type Columns = readonly (RosterTarget | null)[];

/** Yields the rows of a roster file and skips blank lines. Throws RosterFileError, possibly after some rows. */
export async function* parseRoster(
  source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  { today, mapping, onHeader, onDayFirst, onEncoding }: ParseOptions,
): AsyncGenerator<ParsedRow> {
  let columns: Columns = [];
  const readHeader = (header: Header): void => {
    if (header.missing.length > 0) throw new RosterFileError(missing(header.missing));
    onHeader?.({ ignored: header.ignored });
    columns = header.columns;
  };
  const rows = cleanRows(source, mapping, readHeader, { onEncoding });
  const birthDateOf = ({ cells }: { cells: readonly string[] }) => cells[columns.indexOf('dateOfBirth')] ?? '';
  let count = 0;
  let wasDayFirst = false;
  for await (const { hasDayFirst, ...row } of inDateOrder(rows, birthDateOf)) {
    if (hasDayFirst && !wasDayFirst) onDayFirst?.();
    wasDayFirst = hasDayFirst;
    count++;
    yield parseRow(row, columns, { today, hasDayFirst });
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
function parseRow({ rowNumber, cells: record, asWritten }: CleanRow, columns: Columns, rules: DateRules): ParsedRow {
  const errors: RowError[] = [];
  const { warnings, garbledCells } = warningsOfCharacters(asWritten, columns);
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
  // Medicare's own lists have no other number: whoever says that it is the member ID keeps it as what records are compared by.
  row.medicareId ??= normalizeMedicareId(typeof row.memberId === 'string' ? row.memberId : null);
  readBesideColumns(row, textOf, warnings);
  warnOfPlaceholder(row, warnings);
  if (record.slice(columns.length).some((cell) => cell !== '')) {
    errors.push({
      column: 'Row',
      reason: 'More cells than the header row. Put cells that contain the separator in quotation marks',
    });
  }
  const memberId = typeof row.memberId === 'string' ? row.memberId : '';
  const known = { rowNumber, memberId, warnings, garbledCells };
  if (errors.length > 0) return { ...known, errors, legible: legibleOf(row) };
  // Every column was read without an error, so the row is complete.
  return { ...known, row: row as RosterRow, contentHash: hashOf(row as RosterRow) };
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

function legibleOf({ firstName, lastName, dateOfBirth, medicareId }: LegibleRow): LegibleRow {
  return { firstName, lastName, dateOfBirth, medicareId };
}

/** Returns a hash that is equal for rows that would be stored the same way, whatever the order of their keys. */
export function hashOf(row: RosterRow): Buffer {
  const hashed: Record<string, unknown> = {};
  for (const [column, { added }] of COLUMNS) if (!added || row[column]?.length) hashed[column] = row[column] ?? null;
  return hash('sha256', JSON.stringify(hashed), 'buffer');
}
