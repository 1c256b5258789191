import { csvLine } from '#server/platform/text/csv-line.ts';

/** Rows of text cells, some at a time. */
export type Batches = AsyncIterable<readonly (readonly string[])[]>;

/** Without it, spreadsheets take UTF-8 for another encoding. */
const BYTE_ORDER_MARK = '\u{feff}';

/** Yields a CSV file (RFC 4180, UTF-8), one piece for each batch. Cells that look like formulas are neutralized. */
export async function* csvFile(header: readonly string[], batches: Batches): AsyncGenerator<Buffer> {
  yield Buffer.from(BYTE_ORDER_MARK + csvLine(header));
  for await (const rows of batches) {
    let text = '';
    for (const row of rows) text += csvLine(row);
    yield Buffer.from(text);
  }
}
