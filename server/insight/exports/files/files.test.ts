import { inflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { SaxesParser } from 'saxes';
import { expect, test } from 'vitest';
import { csvFile } from './csv-file.ts';
import { xlsxFile } from './xlsx-file.ts';

type Rows = readonly (readonly string[])[];

async function* inBatches(rows: Rows, size = 2): AsyncGenerator<Rows> {
  for (let at = 0; at < rows.length; at += size) yield rows.slice(at, at + size);
}

async function whole(parts: AsyncIterable<Buffer>): Promise<Buffer> {
  const all: Buffer[] = [];
  for await (const part of parts) all.push(part);
  return Buffer.concat(all);
}

/** Returns the parts of an archive by name, found by its central directory. */
function unzipped(archive: Buffer): Map<string, string> {
  const end = archive.length - 22;
  expect(archive.readUInt32LE(end)).toBe(0x06054b50);
  let at = archive.readUInt32LE(end + 16);
  const parts = new Map<string, string>();
  for (let n = archive.readUInt16LE(end + 10); n > 0; n -= 1) {
    expect(archive.readUInt32LE(at)).toBe(0x02014b50);
    const [packed, size, length, offset] = [20, 24, 28, 42].map((by) =>
      by === 28 ? archive.readUInt16LE(at + by) : archive.readUInt32LE(at + by),
    ) as [number, number, number, number];
    const name = archive.toString('utf8', at + 46, at + 46 + length);
    expect(archive.readUInt32LE(offset)).toBe(0x04034b50);
    const from = offset + 30 + archive.readUInt16LE(offset + 26);
    const content = inflateRawSync(archive.subarray(from, from + packed));
    expect(content.length).toBe(size);
    parts.set(name, content.toString());
    at += 46 + length;
  }
  return parts;
}

/** Returns the cells of a sheet as a spreadsheet reads them. */
function cellsOf(xml: string): string[][] {
  const rows: string[][] = [];
  const parser = new SaxesParser();
  let text = '';
  parser.on('opentag', ({ name }) => {
    if (name === 'row') rows.push([]);
    if (name === 'c') text = '';
  });
  parser.on('text', (piece) => {
    text += piece;
  });
  parser.on('closetag', ({ name }) => {
    if (name === 'c')
      rows.at(-1)?.push(text.replace(/_x([0-9A-F]{4})_/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16))));
  });
  parser.write(xml).close();
  return rows;
}

const sheetsOf = (parts: Map<string, string>): string[][][] =>
  [...parts].filter(([name]) => name.includes('/worksheets/')).map(([, xml]) => cellsOf(xml));

const HEADER = ['Last name', 'Notes'];
const FORMULAS = ['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx', '\nx', '＝1+1', '＋1', '－1', '＠SUM(A1)'];

test('a CSV file quotes what needs it, neutralizes formulas and says that it is UTF-8', async () => {
  const file = await whole(
    csvFile(
      HEADER,
      inBatches([
        ['Núñez', 'a "b", c'],
        ['=cmd|x', ''],
      ]),
    ),
  );
  expect(file.toString()).toBe('\u{feff}Last name,Notes\r\nNúñez,"a ""b"", c"\r\n\'=cmd|x,\r\n');
});

test.each(FORMULAS)(
  '%j is neutralized in a CSV file, and in a workbook the text of a text cell as it is',
  async (formula) => {
    const rows = [[formula, 'x']];
    expect((await whole(csvFile(HEADER, inBatches(rows)))).toString()).toMatch(/\r\n"?'[=+\-@\t\r\n＝＋－＠]/);
    const parts = unzipped(await whole(xlsxFile(HEADER, inBatches(rows))));
    const [sheet] = sheetsOf(parts);
    expect(sheet?.[1]?.[0]).toBe(formula.replace('\r', ' '));
    const xml = parts.get('xl/worksheets/sheet1.xml') ?? '';
    // No cell of another type, and no formula element.
    expect(xml.match(/<c\b[^>]*>/g)?.every((cell) => cell === '<c t="inlineStr">')).toBe(true);
    expect(xml).not.toMatch(/<f\b/);
  },
);

test('a workbook names its sheets and their types', async () => {
  const parts = unzipped(await whole(xlsxFile(HEADER, inBatches([['a', 'b']]))));
  expect([...parts.keys()].sort()).toEqual([
    '[Content_Types].xml',
    '_rels/.rels',
    'xl/_rels/workbook.xml.rels',
    'xl/workbook.xml',
    'xl/worksheets/sheet1.xml',
  ]);
  for (const xml of parts.values()) new SaxesParser({ xmlns: true }).write(xml).close();
  expect(parts.get('xl/workbook.xml')).toContain('<sheet name="Export" sheetId="1" r:id="rId1"/>');
});

test.each([
  [0, [1]],
  [3, [4]],
  [4, [4, 2]],
  [6, [4, 4]],
  [7, [4, 4, 2]],
])('%i rows fill sheets of four lines as %j, each with the header', async (count, lengths) => {
  const rows = Array.from({ length: count }, (_, n) => [`r${n}`, '']);
  const sheets = sheetsOf(unzipped(await whole(xlsxFile(HEADER, inBatches(rows), { sheetRows: 4 }))));
  expect(sheets.map(({ length }) => length)).toEqual(lengths);
  for (const [head] of sheets) expect(head).toEqual(HEADER);
  expect(sheets.flatMap(([, ...lines]) => lines)).toEqual(rows);
});

test('a cell is cut at what Excel can hold, and characters that XML lacks become spaces', async () => {
  const rows = [['x'.repeat(40_000), 'a\u{0}b\u{b}c\ud800 _x0041_ <&>']];
  const [sheet] = sheetsOf(unzipped(await whole(xlsxFile(HEADER, inBatches(rows)))));
  expect(sheet?.[1]?.[0]).toHaveLength(32_767);
  expect(sheet?.[1]?.[1]).toBe('a b c\u{fffd} _x0041_ <&>');
});

test('any text comes back from a workbook', async () => {
  // Without control characters, which change.
  const text = fc.string({ unit: 'grapheme' }).filter((value) => !/\p{Cc}|\p{Cn}/u.test(value));
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(text, text), { maxLength: 9 }), async (rows) => {
      const [sheet] = sheetsOf(unzipped(await whole(xlsxFile(HEADER, inBatches(rows)))));
      expect(sheet?.slice(1)).toEqual(rows.map((row) => row.map((cell) => cell.toWellFormed())));
    }),
    { numRuns: 50 },
  );
});

test('an error of the rows ends the file with it', async () => {
  async function* failing(): AsyncGenerator<Rows> {
    yield [['a', 'b']];
    throw new Error('The rows ended');
  }
  await expect(whole(xlsxFile(HEADER, failing()))).rejects.toThrow('The rows ended');
  await expect(whole(csvFile(HEADER, failing()))).rejects.toThrow('The rows ended');
});
