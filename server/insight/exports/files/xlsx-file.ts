/** Writes a workbook (ECMA-376, SpreadsheetML) as a stream: text cells only, as many sheets as the rows need. */
import type { Batches } from './csv-file.ts';
import { type ZipEntry, zipFile } from './zip-file.ts';

/** Rows of a sheet with its header, and characters of a cell: more, and Excel repairs the file. */
const SHEET_ROWS = 1_048_576;
const CELL_CHARACTERS = 32_767;
/** Characters of a sheet, far below what a part of an archive may have. */
const SHEET_CHARACTERS = 2_000_000_000;

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONSHIPS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const FORMAT = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** Characters that XML 1.0 does not have, and CR, which a parser would change. */
// oxlint-disable-next-line no-control-regex
const UNWRITABLE = /[\u0000-\u0008\u000b-\u001f\ufffe\uffff]/g;
// oxlint-disable-next-line no-control-regex
const TO_ESCAPE = /[&<>\u0000-\u001f\ufffe\uffff]|_x[0-9A-Fa-f]{4}_/;

/**
 * Yields a workbook with a header on each sheet. All cells have the type of texts, so what looks like a formula stays as it is and never runs. Too
 * long texts end with an ellipsis.
 */
export const xlsxFile = (
  header: readonly string[],
  batches: Batches,
  { sheetRows = SHEET_ROWS } = {},
): AsyncGenerator<Buffer> => zipFile(workbook(header, batches, sheetRows));

async function* workbook(header: readonly string[], batches: Batches, sheetRows: number): AsyncGenerator<ZipEntry> {
  const rows = new RowReader(batches);
  let sheets = 0;
  do {
    sheets += 1;
    yield { name: `xl/worksheets/sheet${sheets}.xml`, content: sheet(header, rows, sheetRows) };
  } while (await rows.hasMore());
  yield* partsOf(sheets);
}

/** Gives out rows from batches, so that a sheet can end within one. */
class RowReader {
  readonly #batches: AsyncIterator<readonly (readonly string[])[]>;
  #batch: readonly (readonly string[])[] = [];
  #at = 0;

  constructor(batches: Batches) {
    this.#batches = batches[Symbol.asyncIterator]();
  }

  async hasMore(): Promise<boolean> {
    while (this.#at >= this.#batch.length) {
      const { done, value } = await this.#batches.next();
      if (done) return false;
      [this.#batch, this.#at] = [value, 0];
    }
    return true;
  }

  /** Returns at most so many of the rows that are there. */
  take(most: number): readonly (readonly string[])[] {
    const taken = this.#batch.slice(this.#at, this.#at + most);
    this.#at += taken.length;
    return taken;
  }
}

/** Rows between two pieces of text. */
const PIECE = 500;

async function* sheet(header: readonly string[], rows: RowReader, most: number): AsyncGenerator<string> {
  yield `${XML}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData>${rowXml(header)}`;
  let left = most - 1;
  let characters = 0;
  while (left > 0 && characters < SHEET_CHARACTERS && (await rows.hasMore())) {
    let text = '';
    for (const row of rows.take(Math.min(left, PIECE))) {
      text += rowXml(row);
      left -= 1;
    }
    characters += text.length;
    yield text;
  }
  yield '</sheetData></worksheet>';
}

function rowXml(cells: readonly string[]): string {
  let text = '<row>';
  for (const cell of cells)
    text += cell === '' ? '<c/>' : `<c t="inlineStr"><is><t xml:space="preserve">${cellText(cell)}</t></is></c>`;
  return `${text}</row>`;
}

function cellText(value: string): string {
  const safe = shortened(value);
  if (!TO_ESCAPE.test(safe)) return safe.isWellFormed() ? safe : safe.toWellFormed();
  return (
    safe
      .toWellFormed()
      // Excel reads _x0041_ as A (ECMA-376-1, 22.9.2.19, ST_Xstring).
      .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
      .replace(UNWRITABLE, ' ')
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
  );
}

const shortened = (value: string): string =>
  value.length > CELL_CHARACTERS ? `${value.slice(0, CELL_CHARACTERS - 1)}…` : value;

/** Yields the parts that name the sheets. They come last, because only then is it known how many there are. */
function* partsOf(sheets: number): Generator<ZipEntry> {
  const numbers = Array.from({ length: sheets }, (_, index) => index + 1);
  const each = (xml: (n: number) => string) => numbers.map(xml).join('');
  yield part(
    'xl/workbook.xml',
    `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONSHIPS}"><sheets>${each((n) => `<sheet name="Export${n === 1 ? '' : ` ${n}`}" sheetId="${n}" r:id="rId${n}"/>`)}</sheets></workbook>`,
  );
  yield part(
    'xl/_rels/workbook.xml.rels',
    `<Relationships xmlns="${PACKAGE}/relationships">${each((n) => `<Relationship Id="rId${n}" Type="${RELATIONSHIPS}/worksheet" Target="worksheets/sheet${n}.xml"/>`)}</Relationships>`,
  );
  yield part(
    '_rels/.rels',
    `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONSHIPS}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  );
  yield part(
    '[Content_Types].xml',
    `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${FORMAT}.sheet.main+xml"/>${each((n) => `<Override PartName="/xl/worksheets/sheet${n}.xml" ContentType="${FORMAT}.worksheet+xml"/>`)}</Types>`,
  );
}

const part = (name: string, xml: string): ZipEntry => ({ name, content: [XML + xml] });
