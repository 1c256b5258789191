import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ROSTER_COLUMNS, ROSTER_TARGETS, type RosterColumn, type RosterTarget } from '#contract/roster-columns.ts';
import { ROSTER_SAMPLE_BYTES } from '#contract/roster-limits.ts';
import { templateCsv } from './downloads.ts';
import { namePartsOf } from './full-name.ts';
import { type HeaderMapping, headerKey, readHeader } from './headers.ts';
import { parseRoster } from './parse.ts';
import type { ParsedRow } from './row-reader.ts';
import { readSample } from './sample.ts';
import { showable } from './shown-value.ts';

const mappingOf = (headers: Record<string, RosterTarget | null>): HeaderMapping =>
  new Map(Object.entries(headers).map(([header, column]) => [headerKey(header), column]));

async function parse(file: string | Buffer, mapping?: HeaderMapping): Promise<ParsedRow[]> {
  const rows: ParsedRow[] = [];
  for await (const row of parseRoster([Buffer.from(file)], { today: '2026-03-01', mapping })) rows.push(row);
  return rows;
}

const ROWS = 'A1,Ama,Osei,3/14/1941\n';

describe("a group's own headers", () => {
  const own = mappingOf({ 'Kunden-Nr.': 'memberId', Rufname: 'firstName', Nachname: 'lastName', Geb: 'dateOfBirth' });

  test('are read as what the group says, whatever their case and punctuation, and whatever the separator', async () => {
    for (const separator of [',', ';', '\t', '|']) {
      const file = `KUNDEN NR,rufname,Nachname,GEB.\n${ROWS}`.replaceAll(',', separator);
      const [row] = await parse(file, own);
      expect(row?.errors ? row.errors : row?.row).toMatchObject({ memberId: 'A1', lastName: 'Osei' });
    }
  });

  test('count before names that are known, and can be ignored', () => {
    const header = readHeader(
      ['ID', 'Payer ID', 'First', 'Last', 'DOB', 'ZIP'],
      mappingOf({ 'Payer ID': 'memberId', ZIP: null }),
    );
    expect(header.columns).toEqual([null, 'memberId', 'firstName', 'lastName', 'dateOfBirth', null]);
    expect(header.readings).toEqual(['DUPLICATE', 'MAPPED', 'NAME', 'NAME', 'NAME', 'IGNORED']);
    expect(header.ignored).toEqual(['ID', 'ZIP']);
  });

  test('in the template are read back as the columns they stand for', async () => {
    const word = fc.stringMatching(/^[a-z][a-z ]{2,12}$/).map((text) => `q${text.trim()}`);
    const columns = Object.keys(ROSTER_COLUMNS) as RosterColumn[];
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.tuple(word, fc.constantFrom(...columns)), {
          selector: ([, column]) => column,
          comparator: (a, b) => a === b,
          maxLength: 6,
        }),
        async (pairs) => {
          fc.pre(new Set(pairs.map(([header]) => headerKey(header))).size === pairs.length);
          const template = templateCsv(new Map(pairs.map(([header, column]) => [column, header])));
          const [headerLine = ''] = template.split('\r\n');
          const header = readHeader(headerLine.split(','), mappingOf(Object.fromEntries(pairs)));
          expect(header.columns).toEqual(columns);
          expect(header.ignored).toEqual([]);
        },
      ),
    );
  });
});

test('no header is read as two columns, and no column from two headers', () => {
  const known = ROSTER_TARGETS.filter((target) => target !== 'fullName').map((target) => ROSTER_COLUMNS[target].header);
  const header = fc.oneof(
    fc.constantFrom(...known),
    fc.constantFrom('dob', 'Name', 'mrn', 'x', 'zip code'),
    fc.string(),
  );
  fc.assert(
    fc.property(fc.array(header, { maxLength: 30 }), (headers) => {
      const { columns, readings, ignored } = readHeader(headers);
      const read = columns.filter((column) => column !== null);
      expect(new Set(read).size).toBe(read.length);
      expect(readings).toHaveLength(headers.length);
      expect(ignored.length).toBe(headers.filter((h, at) => columns[at] === null && h.trim() !== '').length);
    }),
  );
});

describe('a whole name', () => {
  test.each([
    ['Osei, Ama', ['Osei', 'Ama', '', '']],
    ['Osei Jr., Ama Ngozi', ['Osei', 'Ama', 'Ngozi', 'Jr.']],
    ['de la Cruz, Maria Elena III', ['de la Cruz', 'Maria', 'Elena', 'III']],
    ['Jr, V', ['Jr', 'V', '', '']],
  ])('%j is %j', (text, [lastName, firstName, middleName, nameSuffix]) => {
    expect(namePartsOf(text)).toEqual({ lastName, firstName, middleName, nameSuffix });
  });

  test('without a comma is an error for both names, which says how to write it', async () => {
    const [good, bad] = await parse('MRN,Patient Name,DOB\nA1,"Osei, Ama",3/14/1941\nA2,Ama Osei,3/14/1941\n');
    expect(good?.errors ? null : good?.row).toMatchObject({ firstName: 'Ama', lastName: 'Osei' });
    expect(bad?.errors).toEqual([
      { column: 'Last Name', value: 'Ama Osei', reason: expect.stringContaining('Use Last, First Middle') },
    ]);
  });

  test('counts only where the file has no columns for its parts', async () => {
    const [row] = await parse('MRN,Name,First,Last,DOB\nA1,"X, Y",Ama,Osei,3/14/1941\n');
    expect(row?.errors ? null : row?.row).toMatchObject({ firstName: 'Ama', lastName: 'Osei' });
  });
});

describe('a file', () => {
  const HEADER = 'Member ID,First Name,Last Name,Date of Birth\n';

  test('may begin with titles and a hint for spreadsheets', async () => {
    const rows = await parse(`sep=;\nPanel of Dr. Osei;;;\n\nPrinted 3/1/2026\n${HEADER}${ROWS}`.replaceAll(',', ';'));
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({ rowNumber: 6, memberId: 'A1' });
  });

  test('keeps line ends inside quoted cells together', async () => {
    const rows = await parse(`${HEADER.trim()},City\nA1,Ama,Osei,3/14/1941,"Alder\r\nBay"\nA2,Bo,Mensah,3/14/1941,x\n`);
    expect(rows.map((row) => (row.errors ? null : row.row.city))).toEqual(['Alder Bay', 'x']);
  });

  test.each([
    ['an Excel workbook', Buffer.from('PK\x03\x04\x14\x00\x06\x00[Content_Types].xml'), /Excel workbook.*CSV UTF-8/],
    ['a ZIP archive', Buffer.from('PK\x03\x04\x14\x00roster.csv'), /ZIP archive\. Unpack it/],
    ['an old or locked workbook', Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1]), /or one with a password/],
    ['a PDF', Buffer.from('%PDF-1.7'), /PDF\. Export/],
    ['a compressed file', Buffer.from([0x1f, 0x8b, 8, 0]), /compressed\. Unpack/],
    ['JSON', Buffer.from('\ufeff [ {"id": 1}]'), /JSON file\. Export/],
    ['a web page', Buffer.from('<!DOCTYPE html>'), /web page or an XML file\. Export/],
    ['HL7', Buffer.from('MSH|^~\\&|X'), /HL7 messages.*template/],
    ['X12', Buffer.from('ISA*00*'), /X12 file.*template/],
  ])('that is %s is refused with what to do', async (_kind, bytes, reason) => {
    await expect(parse(bytes)).rejects.toThrow(reason);
  });
});

describe('a sample', () => {
  test('shows each header with its first values and how it is read, and hides Social Security numbers', async () => {
    const file =
      'MRN,Name,First,Last,DOB,SSN,Other,Other\nA1,x,Ama,Osei,3/14/1941,999-17-5017,123-45-6789,\nA2,x,Bo,Osei,4/1/1942,999-17-5018,b,c\n';
    const { headers, fileError } = await readSample(Buffer.from(file), new Map());
    expect(fileError).toBeNull();
    expect(headers.map(({ header, column, reading }) => [header, column, reading])).toEqual([
      ['MRN', 'memberId', 'NAME'],
      ['Name', null, 'DUPLICATE'],
      ['First', 'firstName', 'NAME'],
      ['Last', 'lastName', 'NAME'],
      ['DOB', 'dateOfBirth', 'NAME'],
      ['SSN', 'ssnLast4', 'NAME'],
      ['Other', null, 'UNKNOWN'],
      ['Other', null, 'UNKNOWN'],
    ]);
    expect(headers[3]?.samples).toEqual(['Osei']);
    expect(headers[2]?.samples).toEqual(['Ama', 'Bo']);
    expect(JSON.stringify(headers)).not.toMatch(/5017|6789/);
  });

  test('is read although its last row is cut inside a quoted cell', async () => {
    const line = 'A1,Ama,"Osei, the elder",3/14/1941\n';
    const file = `MRN,First,Last,DOB\n${line.repeat(3000)}`.slice(0, ROSTER_SAMPLE_BYTES - 1);
    const cut = Buffer.from(file.slice(0, file.lastIndexOf('"Osei') + 5));
    const start = Buffer.concat([cut, Buffer.alloc(ROSTER_SAMPLE_BYTES - cut.length, 'x')]);
    const { headers, fileError } = await readSample(start, new Map());
    expect(fileError).toBeNull();
    expect(headers).toHaveLength(4);
  });

  test('of a file that cannot be read says why', async () => {
    expect(await readSample(Buffer.from('PK\x03\x04'), new Map())).toMatchObject({
      fileError: expect.stringMatching(/ZIP/),
    });
    expect((await readSample(Buffer.from(''), new Map())).fileError).toMatch(/empty/);
  });
});

test('a report shows no digit of a number that should not be there', () => {
  expect(showable('ssnLast4', '999-17-501')).toBe('•••-••-•••');
  expect(showable('medicareId', '123456789A')).toBe('•••••••••A');
  expect(showable('memberId', '999-17-5017 x')).toBe('•••-••-•••• x');
  expect(showable('city', 'x'.repeat(90))).toBe(`${'x'.repeat(60)}…`);
});
