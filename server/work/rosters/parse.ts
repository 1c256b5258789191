/** Parses a roster file row by row from a stream of bytes, holding only some of its rows in memory. */
import type { RosterEncoding } from '#contract/rosters.ts';
import { inDateOrder } from './birth-dates.ts';
import { cleanRows } from './clean-rows.ts';
import { RosterFileError } from './file-error.ts';
import type { Header, HeaderMapping } from './headers.ts';
import { makeRowReader, type ParsedRow } from './row-reader.ts';

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

/** Yields the rows of a roster file and skips blank lines. Throws RosterFileError, possibly after some rows. */
export async function* parseRoster(
  source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  { today, mapping, onHeader, onDayFirst, onEncoding }: ParseOptions,
): AsyncGenerator<ParsedRow> {
  let readRow = makeRowReader([]);
  let birthDateAt = -1;
  const readHeader = ({ missing, ignored, columns }: Header): void => {
    if (missing.length > 0) throw new RosterFileError(missingColumns(missing));
    onHeader?.({ ignored });
    readRow = makeRowReader(columns);
    birthDateAt = columns.indexOf('dateOfBirth');
  };
  const clean = cleanRows(source, mapping, readHeader, { onEncoding });
  let count = 0;
  let wasDayFirst = false;
  for await (const { rows, hasDayFirst } of inDateOrder(clean, ({ cells }) => cells[birthDateAt] ?? '')) {
    if (hasDayFirst && !wasDayFirst) onDayFirst?.();
    wasDayFirst = hasDayFirst;
    count += rows.length;
    for (const row of rows) yield readRow(row, { today, hasDayFirst });
  }
  if (count === 0)
    throw new RosterFileError(
      'The file has a header row but no patients. Add a row for each patient, then upload it again.',
    );
}

const missingColumns = (headers: string[]): string =>
  `Missing required column${headers.length > 1 ? 's' : ''}: ${headers.join(', ')}. Match columns of the file to ${headers.length > 1 ? 'them' : 'it'}, or add ${headers.length > 1 ? 'them' : 'it'} to the file, then upload it again.`;
