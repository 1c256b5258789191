/** Parses a roster file row by row from a stream of bytes, holding only a row or two in memory. */
import { createHash } from 'node:crypto';
import Papa from 'papaparse';
import { ROSTER_COLUMNS, type RosterColumn } from '#contract/roster-columns.ts';
import { ROSTER_MAX_ROWS } from '#contract/rosters.ts';
import { type DateRules, inDateOrder, readBirthDate } from './birth-dates.ts';
import * as cells from './cells.ts';
import { decodeText } from './decode-text.ts';
import { RosterFileError } from './file-error.ts';
import { delimiterOf, type Header, readHeader } from './headers.ts';

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
  /** Called once, before the first row. */
  onHeader?: (header: { ignored: string[] }) => void;
  /** Called if dates of birth are read as D/M/YYYY, because that is how the file writes them. */
  onDayFirst?: () => void;
}

type Columns = readonly (RosterColumn | null)[];

/** Yields the rows of a roster file and skips blank lines. Throws RosterFileError, possibly after some rows. */
export async function* parseRoster(
  source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  { today, onHeader, onDayFirst }: ParseOptions,
): AsyncGenerator<ParsedRow> {
  let columns: Columns = [];
  const rows = cleanRows(source, (header) => {
    if (header.missing.length > 0) throw new RosterFileError(missingColumns(header.missing));
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
  if (count === 0) throw new RosterFileError('The file has a header row but no patients.');
}

/** Yields the cleaned cells of each row below the header that isn't blank. */
async function* cleanRows(
  source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  onHeader: (header: Header) => void,
): AsyncGenerator<{ rowNumber: number; cells: string[] }> {
  const text = await decodeText(source);
  let rowNumber = 0;
  let hasHeader = false;
  for await (const raw of records(text.pieces)) {
    // Blank rows count too: reading them takes time.
    if (++rowNumber > ROSTER_MAX_ROWS + 1)
      throw new RosterFileError(
        `The file has more than ${ROSTER_MAX_ROWS.toLocaleString('en-US')} rows, which is the limit.`,
      );
    if (raw.length > MOST_CELLS) throw new RosterFileError(tooManyCells(rowNumber));
    const cells = raw.map((cell) => clean(text.decodeCell(cell)));
    if (cells.every((cell) => cell === '')) continue;
    if (hasHeader) yield { rowNumber, cells };
    else onHeader(readHeader(cells));
    hasHeader = true;
  }
  if (!hasHeader) throw new RosterFileError('The file is empty.');
}

const tooManyCells = (rowNumber: number): string =>
  `Row ${rowNumber} has more than ${MOST_CELLS.toLocaleString('en-US')} columns. Check that the file is a CSV file with one patient per row.`;

const missingColumns = (missing: string[]): string =>
  `Missing required column${missing.length > 1 ? 's' : ''}: ${missing.join(', ')}`;

/** In characters. A longer row contains an unclosed quotation mark, or is no row of a roster. */
const LONGEST_RECORD = 128 * 1024;
/** Cells of a row. The template has 39 columns. */
const MOST_CELLS = 1000;

async function* records(pieces: AsyncIterable<string>): AsyncGenerator<string[]> {
  let rest = '';
  let delimiter: string | undefined;
  let count = 0;
  const take = function* (isLast: boolean): Generator<string[]> {
    delimiter ??= delimiterOf(rest.trimStart().split('\n', 1)[0] ?? '');
    const parser = new Papa.Parser({ delimiter, newline: '\n' });
    const result = parser.parse(rest, 0, !isLast) as Papa.ParseResult<string[]>;
    const fault = result.errors.find(
      ({ type, row }) => type === 'Quotes' && (isLast || (row ?? 0) < result.data.length),
    );
    if (fault) throw new RosterFileError(badQuote(count + (fault.row ?? 0) + 1));
    count += result.data.length;
    rest = isLast ? '' : rest.slice(result.meta.cursor);
    if (rest.length > LONGEST_RECORD) throw new RosterFileError(tooLong(rest, count + 1));
    yield* result.data;
  };
  for await (const piece of pieces) {
    rest += piece;
    if (rest.length >= 65_536 && rest.includes('\n')) yield* take(false);
    else if (rest.length > LONGEST_RECORD) throw new RosterFileError(tooLong(rest, count + 1));
  }
  if (rest !== '') yield* take(true);
}

const badQuote = (rowNumber: number): string =>
  `Row ${rowNumber} has an unmatched quotation mark. Close it, or double it inside a quoted cell.`;

const tooLong = (row: string, rowNumber: number): string =>
  row.includes('"')
    ? badQuote(rowNumber)
    : `Row ${rowNumber} is too long. Check that the file is a CSV file with one patient per row.`;

/**
 * Replaces control characters, including the zero byte that PostgreSQL cannot store, with blanks, and runs of blanks with one. Removes an
 * apostrophe before a digit or formula character, with which spreadsheets and exports (ours too) mark a cell as text.
 */
const clean = (cell: string): string =>
  cell
    .replace(/[\s\p{Cc}\p{Zs}\ufeff]+/gu, ' ')
    .trim()
    .replace(/^'(?=[\d=+\-@])/, '');

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

/** Parses the cleaned cells of one row by the columns of the header. */
function parseRow(record: readonly string[], columns: Columns, rowNumber: number, rules: DateRules): ParsedRow {
  const errors: RowError[] = [];
  const warnings: RowWarning[] = [];
  const row: Record<string, unknown> = {};
  const textOf = (column: RosterColumn): string => record[columns.indexOf(column)] ?? '';
  for (const [column, { header, required, list, beside }] of COLUMNS) {
    if (beside) continue;
    const text = textOf(column);
    const reader = list ? cells.readList : (READERS[column] ?? cells.readText);
    const read = reader(text, rules);
    if (read instanceof cells.CompletedCell) {
      warnings.push({ column: header, reason: read.reason, isRead: true });
      row[column] = read.value;
    } else if (!(read instanceof cells.CellError)) {
      if (required && read === null) errors.push({ column: header, reason: 'Required value is missing' });
      else row[column] = read;
    } else if (IDENTIFYING.has(column)) errors.push({ column: header, reason: read.reason });
    else {
      warnings.push({ column: header, reason: read.reason });
      row[column] = reader('', rules);
    }
  }
  readBesideColumns(row, textOf, warnings);
  if (record.slice(columns.length).some((cell) => cell !== '')) {
    errors.push({ column: 'Row', reason: 'More cells than the header row' });
  }
  const memberId = typeof row.memberId === 'string' ? row.memberId : '';
  if (errors.length > 0) return { rowNumber, memberId, warnings, errors, legible: legibleOf(row) };
  // Every column was read without an error, so the row is complete.
  return { rowNumber, memberId, warnings, row: row as RosterRow, contentHash: hashOf(row as RosterRow) };
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
    if (unread) warnings.push({ column: header, reason: unread.reason });
    else if (values instanceof cells.CellError) warnings.push({ column: header, reason: values.reason, isRead: true });
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
