/** Splits the text of a roster file into its header and rows of cleaned cells, holding only a few rows in memory. */
import Papa from 'papaparse';
import { ROSTER_MAX_ROWS, type RosterEncoding } from '#contract/rosters.ts';
import { clean, isClean, isNotable } from './clean-cell.ts';
import { decodeText } from './decode-text.ts';
import { RosterFileError } from './file-error.ts';
import { delimiterOf, type Header, type HeaderMapping, readHeader } from './headers.ts';

export interface CleanRow {
  /** As in a spreadsheet, where the header is row 1. */
  rowNumber: number;
  cells: string[];
  /** Cells with characters to look at (`clean-cell.ts`) as the file has them, by position. */
  asWritten: ReadonlyMap<number, string>;
}

/** The header may come after titles: rows before it. */
const MOST_TITLES = 20;

/**
 * Yields the cleaned cells of the rows below the header that aren't blank, some rows at a time. The header is the first of a file's first rows that has all
 * required columns; without one, the row with the fewest missing. `isCut`: the source is only the beginning of a file, whose last row may
 * be incomplete. `onEncoding`: called at the end with how the bytes were read.
 */
export async function* cleanRows(
  source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  mapping: HeaderMapping | undefined,
  onHeader: (header: Header, cells: readonly string[]) => void,
  {
    isCut = false,
    onEncoding,
  }: { isCut?: boolean; onEncoding?: ((encoding: RosterEncoding) => void) | undefined } = {},
): AsyncGenerator<CleanRow[]> {
  const text = await decodeText(source);
  let rowNumber = 0;
  let waiting: CleanRow[] | null = [];
  for await (const batch of records(text.pieces, mapping, isCut)) {
    const rows: CleanRow[] = [];
    for (const raw of batch) {
      // Blank rows count too: reading them takes time.
      if (++rowNumber > ROSTER_MAX_ROWS + 1) throw new RosterFileError(TOO_MANY_ROWS);
      if (raw.length > MOST_CELLS) throw new RosterFileError(tooManyCells(rowNumber));
      const row = rowOf(raw, rowNumber, text.decodeCell);
      if (row.cells.every((cell) => cell === '')) continue;
      (waiting ?? rows).push(row);
      if (waiting === null) continue;
      if (waiting.length < MOST_TITLES && readHeader(row.cells, mapping).missing.length > 0) continue;
      rows.push(...afterHeader(waiting, mapping, onHeader));
      waiting = null;
    }
    // The header is near the beginning, or there is none. A file without one is refused while the rest of it still arrives.
    if (waiting !== null && waiting.length > 0) {
      rows.push(...afterHeader(waiting, mapping, onHeader));
      waiting = null;
    }
    if (rows.length > 0) yield rows;
  }
  if (waiting !== null) throw new RosterFileError('The file is empty. Choose the file with your patients.');
  onEncoding?.(text.encoding());
}

const NONE: ReadonlyMap<number, string> = new Map();

function rowOf(raw: readonly string[], rowNumber: number, decode: (cell: string) => string): CleanRow {
  let notable: Map<number, string> | null = null;
  const cells = raw.map((cell, at) => {
    if (isClean(cell)) return cell;
    const decoded = decode(cell);
    if (isNotable(decoded)) (notable ??= new Map()).set(at, decoded);
    return clean(decoded);
  });
  return { rowNumber, cells, asWritten: notable ?? NONE };
}

const TOO_MANY_ROWS = `The file has more than ${ROSTER_MAX_ROWS.toLocaleString('en-US')} rows, which is the limit. Leave out people who are no longer in the program.`;

/** Finds the header among the first rows, and returns those after it. */
function afterHeader(
  rows: readonly CleanRow[],
  mapping: HeaderMapping | undefined,
  onHeader: (header: Header, cells: readonly string[]) => void,
): CleanRow[] {
  const headers = rows.map(({ cells }) => readHeader(cells, mapping));
  const fewest = Math.min(...headers.map(({ missing }) => missing.length));
  const at = headers.findIndex(({ missing }) => missing.length === fewest);
  onHeader(headers[at] as Header, rows[at]?.cells ?? []);
  return rows.slice(at + 1);
}

const tooManyCells = (rowNumber: number): string =>
  `Row ${rowNumber} has more than ${MOST_CELLS.toLocaleString('en-US')} columns. Check that the file is a CSV file with one patient per row.`;

/** In characters. A longer row contains an unclosed quotation mark, or is no row of a roster. */
const LONGEST_RECORD = 128 * 1024;
/** Cells of a row. The template has 39 columns. */
const MOST_CELLS = 1000;

/** Yields the rows of at least 64 KiB of text at a time. */
async function* records(
  pieces: AsyncIterable<string>,
  mapping: HeaderMapping | undefined,
  isCut: boolean,
): AsyncGenerator<string[][]> {
  let rest = '';
  let delimiter: string | undefined;
  let count = 0;
  const take = (isLast: boolean): string[][] => {
    delimiter ??= delimiterOf(rest.trimStart().split('\n', MOST_TITLES), mapping);
    const parser = new Papa.Parser({ delimiter, newline: '\n' });
    const result = parser.parse(rest, 0, !isLast) as Papa.ParseResult<string[]>;
    const fault = result.errors.find(
      ({ type, row }) => type === 'Quotes' && (isLast || (row ?? 0) < result.data.length),
    );
    if (fault) throw new RosterFileError(badQuote(count + (fault.row ?? 0) + 1));
    count += result.data.length;
    rest = isLast ? '' : rest.slice(result.meta.cursor);
    if (rest.length > LONGEST_RECORD) throw new RosterFileError(tooLong(rest, count + 1));
    return result.data;
  };
  for await (const piece of pieces) {
    rest += piece;
    if (rest.length >= 65_536 && rest.includes('\n')) yield take(false);
    else if (rest.length > LONGEST_RECORD) throw new RosterFileError(tooLong(rest, count + 1));
  }
  if (rest !== '') yield take(!isCut || !rest.includes('\n'));
}

const badQuote = (rowNumber: number): string =>
  `Row ${rowNumber} has an unmatched quotation mark. Close it, or double it inside a quoted cell.`;

const tooLong = (row: string, rowNumber: number): string =>
  row.includes('"')
    ? badQuote(rowNumber)
    : `Row ${rowNumber} is too long. Check that the file is a CSV file with one patient per row.`;
