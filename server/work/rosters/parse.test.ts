import Papa from 'papaparse';
import { describe, expect, test } from 'vitest';
import { ROSTER_COLUMNS, type RosterColumn } from '#contract/roster-columns.ts';
import type { RosterEncoding } from '#contract/rosters.ts';
import { parseRoster } from './parse.ts';
import type { ParsedRow, RosterRow } from './row-reader.ts';

const today = '2026-03-01';
const HEADER = 'Member ID,First Name,Last Name,Date of Birth';

/** Returns the rows of a file and its unknown headers. The file is passed in pieces of `pieceSize` bytes. */
async function parse(file: string | Buffer, pieceSize = 1 << 20) {
  const bytes = Buffer.from(file);
  const pieces = Array.from({ length: Math.ceil(bytes.length / pieceSize) }, (_, i) =>
    bytes.subarray(i * pieceSize, (i + 1) * pieceSize),
  );
  let ignored: string[] = [];
  const rows: ParsedRow[] = [];
  const onHeader = (header: { ignored: string[] }): void => {
    ignored = header.ignored;
  };
  let hasDayFirst = false;
  const onDayFirst = (): void => {
    hasDayFirst = true;
  };
  let encoding: RosterEncoding | null = null;
  const onEncoding = (read: RosterEncoding): void => {
    encoding = read;
  };
  for await (const row of parseRoster(pieces, { today, onHeader, onDayFirst, onEncoding })) rows.push(row);
  return { rows, ignored, hasDayFirst, encoding };
}

const rowOf = (parsed: ParsedRow | undefined): RosterRow => {
  if (parsed === undefined || parsed.errors) throw new Error(`not a valid row: ${JSON.stringify(parsed?.errors)}`);
  return parsed.row;
};

/** Returns one column's value, or its errors or warnings, from a file with one row. */
async function value(column: RosterColumn, text: string): Promise<unknown> {
  const { header } = ROSTER_COLUMNS[column];
  const base: Record<string, string> = {
    'Member ID': 'A1',
    'First Name': 'Ama',
    'Last Name': 'Osei',
    'Date of Birth': '03/14/1941',
  };
  base[header] = text;
  const { rows } = await parse(Papa.unparse([base]));
  const [row] = rows;
  const listed = (problems: { column: string; reason: string }[]) =>
    problems.map(({ column: where, reason }) => `${where}: ${reason}`).join('; ');
  if (row?.errors) return listed(row.errors);
  const read = rowOf(row)[column];
  return row?.warnings.length ? `${JSON.stringify(read)} ${listed(row.warnings)}` : read;
}

describe('headers', () => {
  test('are recognized in any order and case, by common synonyms, and with "patient" in front', async () => {
    const { rows, ignored } = await parse(
      'patient_DOB,Zip Code,MRN,surname,Patient First Name,SEX,Favorite color,\n1941-03-14,14601,A1,Osei,Ama,f,green,\n',
    );
    expect(rowOf(rows[0])).toMatchObject({
      memberId: 'A1',
      firstName: 'Ama',
      lastName: 'Osei',
      dateOfBirth: '1941-03-14',
      zip: '14601',
      gender: 'Female',
    });
    expect(ignored).toEqual(['Favorite color']);
  });

  test('that are required and missing are named', async () => {
    await expect(parse('Member ID,First Name\nA1,Ama\n')).rejects.toThrow(
      'Missing required columns: Last Name, Date of Birth',
    );
  });

  test.each(['', '\n\n', '\ufeff'])('a file without headers is empty: %j', async (file) => {
    await expect(parse(file)).rejects.toThrow('The file is empty.');
  });

  test('without rows are not a roster', async () => {
    await expect(parse(`${HEADER}\n\n`)).rejects.toThrow('no patients');
  });

  test('for the same column: the column’s own name takes precedence', async () => {
    const { rows, ignored } = await parse('ID,Member ID,First,Last,DOB\n7,A1,Ama,Osei,3/4/1941\n');
    expect(rowOf(rows[0]).memberId).toBe('A1');
    expect(ignored).toEqual(['ID']);
  });
});

describe('the file', () => {
  const table = [
    ['Member ID', 'First Name', 'Last Name', 'Date of Birth', 'Practice'],
    ['A1', 'Ångström', 'Nuñez; "Sr"', '03/14/1941', 'North, South\nand East'],
    ['A2', '陽子', 'O’Shea', '3/4/1941', ''],
  ];
  const expected = [
    { memberId: 'A1', firstName: 'Ångström', lastName: 'Nuñez; "Sr"', practice: ['North, South and East'] },
    { memberId: 'A2', firstName: '陽子', lastName: 'O’Shea', practice: [] },
  ];

  test.each(
    [',', ';', '\t', '|'].flatMap((delimiter) =>
      ['\n', '\r\n', '\r'].flatMap((newline) =>
        (['utf8', 'utf8 with mark', 'utf-16le', 'utf-16be'] as const).map((encoding) => ({
          delimiter,
          newline,
          encoding,
        })),
      ),
    ),
  )('is read with $delimiter, $newline, $encoding, in pieces of any size', async ({ delimiter, newline, encoding }) => {
    const text = Papa.unparse(table, { delimiter, newline });
    const wide = Buffer.from(`\ufeff${text}`, 'utf16le');
    const bytes = {
      utf8: Buffer.from(text),
      'utf8 with mark': Buffer.from(`\ufeff${text}`),
      'utf-16le': wide,
      'utf-16be': Buffer.from(wide).swap16(),
    }[encoding];
    for (const size of [1, 3, 7, 1 << 20]) {
      const { rows } = await parse(bytes, size);
      expect(rows.map(rowOf)).toMatchObject(expected);
    }
  });

  test('in Windows-1252 keeps its letters, even if other rows are UTF-8', async () => {
    const bytes = Buffer.concat([
      Buffer.from(`${HEADER}\nA1,José,O\x92Shea,3/4/1941\n`, 'latin1'),
      Buffer.from('A2,Zoë,Dvořák,3/4/1941\n'),
    ]);
    const { rows } = await parse(bytes);
    expect(rows.map(rowOf)).toMatchObject([
      { firstName: 'José', lastName: 'O’Shea' },
      { firstName: 'Zoë', lastName: 'Dvořák' },
    ]);
  });

  test('with an unclosed quotation mark is refused with the row number instead of being cut short', async () => {
    const tail = 'A9,Ama,Osei,3/4/1941\n'.repeat(200_000);
    await expect(parse(`${HEADER}\nA1,"Ama,Osei,3/4/1941\nA2,Ama,Osei,3/4/1941\n`)).rejects.toThrow(
      'Row 2 has an unmatched quotation mark',
    );
    await expect(parse(`${HEADER}\nA1,"Ama,Osei,3/4/1941\n${tail}`, 65_536)).rejects.toThrow(
      'Row 2 has an unmatched quotation mark',
    );
    await expect(parse(`${HEADER}\nA1,"Ama "The" Great",Osei,3/4/1941\n`)).rejects.toThrow(
      'Row 2 has an unmatched quotation mark',
    );
  });

  test('with a row of any length, or any number of columns or blank rows, is refused early', async () => {
    let sent = 0;
    async function* endless(unit: string) {
      yield Buffer.from(`${HEADER}\n`);
      for (; sent < 1024; sent += 1) yield Buffer.alloc(64 * 1024, unit);
    }
    for (const [unit, reason, most] of [
      ['x', 'Row 2 is too long', 4],
      ['"', 'Row 2 has an unmatched quotation mark', 4],
      [',', 'Row 2 is too long', 4],
      [`${','.repeat(1000)}\n`, 'Row 2 has more than 1,000 columns', 4],
      ['\n', 'The file has more than 2,000,000 rows', 40],
    ] as const) {
      sent = 0;
      const rows = parseRoster(endless(unit), { today: '2026-11-20' });
      await expect(rows.next(), unit.slice(0, 1)).rejects.toThrow(reason);
      expect(sent).toBeLessThan(most);
    }
  });

  test('can be a zip archive or any other bytes without harm', async () => {
    const noise = Buffer.from(Array.from({ length: 5000 }, (_, i) => (i * 7919) % 256));
    await expect(parse(noise)).rejects.toThrow(/^The file|^Missing required|^Row 1/);
  });

  test('numbers its rows like a spreadsheet, counting blank ones but skipping them', async () => {
    const { rows } = await parse(`${HEADER}\n\nA1,Ama,Osei,3/4/1941\n,,,\nA2,Ama,Osei,3/4/1941`);
    expect(rows.map(({ rowNumber }) => rowNumber)).toEqual([3, 5]);
  });

  test('can omit cells at the end of a row, but not have more than the header', async () => {
    const { rows } = await parse(`${HEADER},City\nA1,Ama,Osei,3/4/1941\nA2,Ama,Osei,3/4/1941,Alder Bay,more\n`);
    expect(rows[0]?.errors).toBeUndefined();
    expect(rows[1]?.errors).toEqual([
      { column: 'Row', reason: expect.stringMatching(/^More cells than the header row\. Put/) },
    ]);
  });
});

const COMPLETED = 'Too short, so it was read with leading zeros. Format the column as text and export the file again';
const TWO_DIGITS = 'The year has two digits, so the century is not clear. Use MM/DD/YYYY';
const IN_THE_FUTURE = 'Date is in the future. Use the date of birth as MM/DD/YYYY';
const DAY_NUMBER =
  'A number of days from a spreadsheet, so it was read as a date. Check it, or format the column as a date and export the file again';
const ONE_REMOVED = 'An invisible character was removed:';
const GARBLED =
  'Contains an unreadable character, so letters may be wrong. Save the file as CSV UTF-8 from the system it comes from, and check this cell';
const NO_SSN = 'Not valid. Use the last four digits of the Social Security number';
const NO_STATE = 'Not recognized. Use the two-letter abbreviation of a US state';

test('a warning shows where an invisible character was, also in a whole name', async () => {
  const { rows } = await parse('Member ID,Name,DOB\nA1,"O\u200bsei, Ama",3/4/1941\n');
  expect(rows[0]).toMatchObject({
    row: { lastName: 'Osei', firstName: 'Ama' },
    warnings: [{ column: 'Last Name', value: 'O\ufffdsei, Ama', isRead: true }],
  });
});

test.each([
  ['Zzadmquux', 'Ama', 'Last Name: Zzadmquux'],
  ['XXtrauma', 'Juliet', 'Last Name: XXtrauma'],
  ['Doe', 'Jane', 'Last Name: Doe'],
  ['Unknown', 'Ama', 'Last Name: Unknown'],
  ['Osei', 'Unk', 'First Name: Unk'],
  ['Osei', 'Baby Girl', 'First Name: Baby Girl'],
  ['Doe', 'Ruth', undefined],
  ['Xu', 'Li', undefined],
  ['Izzard', 'Babette', undefined],
])('the name %s, %s, by which no record is linked, brings a warning', async (last, first, expected) => {
  const { rows } = await parse(`${HEADER}\nA1,${first},${last},3/4/1941\n`);
  expect(rows[0]).toMatchObject({ row: { lastName: last, firstName: first } });
  const [warning] = rows[0]?.warnings ?? [];
  expect(warning && `${warning.column}: ${warning.value}`).toBe(expected);
  if (warning)
    expect(warning).toMatchObject({ reason: expect.stringMatching(/^Taken for a placeholder/), isRead: true });
});

test.each([
  ['UTF_8', Buffer.from(`${HEADER}\nA1,Ama,Osei,3/4/1941\n`), 0],
  ['UTF_8', Buffer.from(`${HEADER}\nA1,Zoë,O’Shea,3/4/1941\n`), 0],
  ['UTF_8', Buffer.from(`${HEADER}\nA1,RenÃ©e,Osei,3/4/1941\n`), 1],
  ['UTF_16', Buffer.from(`\ufeff${HEADER}\nA1,Zoë,O’Shea,3/4/1941\n`, 'utf16le'), 0],
  ['WINDOWS_1252', Buffer.from(`${HEADER}\nA1,Zoë,Nuñez,3/4/1941\n`, 'latin1'), 0],
  ['WINDOWS_1252', Buffer.from(`${HEADER}\nA1,Ren\x82e,N\xa3\xa4ez,3/4/1941\n`, 'latin1'), 2],
  ['UTF_8_AND_WINDOWS_1252', Buffer.from(`${HEADER}\nA1,Zo\xeb,Zo\xc3\xab,3/4/1941\n`, 'latin1'), 0],
] as const)('a file is read as %s, of which the uploader learns', async (expected, bytes, garbledCells) => {
  const { rows, encoding } = await parse(bytes);
  expect(encoding).toBe(expected);
  expect(rows[0]?.garbledCells).toBe(garbledCells);
});

describe('cells', () => {
  test.each([
    ['03/14/1941', '1941-03-14'],
    ['3/4/1941', '1941-03-04'],
    ['3-4-1941', '1941-03-04'],
    ['1941-03-14', '1941-03-14'],
    ['19410314', '1941-03-14'],
    ['1941-03-14T00:00:00Z', '1941-03-14'],
    ['3/14/1941 0:00', '1941-03-14'],
    ['02/29/2024', '2024-02-29'],
    ['02/29/2023', 'Date of Birth: Not a valid date. Use MM/DD/YYYY'],
    ['31/02/2020', 'Date of Birth: Not a valid date. Use MM/DD/YYYY'],
    ['January 31, 2020', '2020-01-31'],
    ['14-Mar-1941', '1941-03-14'],
    ['14 mar 1941', '1941-03-14'],
    ['Sept. 3, 1950', '1950-09-03'],
    ['31-Feb-1941', 'Date of Birth: Not a valid date. Use MM/DD/YYYY'],
    ['14-Mary-1941', 'Date of Birth: Not a valid date. Use MM/DD/YYYY'],
    ['1941', 'Date of Birth: Not a valid date. Use MM/DD/YYYY'],
    ['3/4/41', `Date of Birth: ${TWO_DIGITS}`],
    ['11-7-2153', `Date of Birth: ${IN_THE_FUTURE}`],
    ['03/02/2026', `Date of Birth: ${IN_THE_FUTURE}`],
    ['01/01/1850', 'Date of Birth: Date is more than 130 years ago. Check the year'],
    ['15049', `"1941-03-14" Date of Birth: ${DAY_NUMBER}`],
    ['15049.0', `"1941-03-14" Date of Birth: ${DAY_NUMBER}`],
    ['9000', `"1924-08-21" Date of Birth: ${DAY_NUMBER}`],
    ['99999', `Date of Birth: ${IN_THE_FUTURE}`],
    ['', 'Date of Birth: Required value is missing. Fill in the cell'],
  ])('the birth date %j reads as %j', async (text, expected) => {
    expect(await value('dateOfBirth', text)).toBe(expected);
  });

  test.each([
    ['M', 'Male'],
    ['female', 'Female'],
    ['', 'Unknown'],
    ['X', 'Other'],
    ['U', 'Unknown'],
    ['7', '"Unknown" Gender: Not recognized. Use Male, Female, Other or Unknown'],
  ])('the gender %j reads as %j', async (text, expected) => {
    expect(await value('gender', text)).toBe(expected);
  });

  test.each([
    ['zip', '4998', `"04998" ZIP: ${COMPLETED}`],
    ['zip', '02155-1234', '02155-1234'],
    ['zip', '021551234', '02155-1234'],
    ['zip', '21551234', `"02155-1234" ZIP: ${COMPLETED}`],
    ['zip', '14601.0', '14601'],
    ['zip', 'K1A 0B1', 'null ZIP: Not a valid ZIP code. Use 5 or 9 digits'],
    ['zip', 'n/a', null],
    ['homePhone', '+1 (585) 774-2231 x12', '585-774-2231'],
    ['homePhone', '774-2231', 'null Home Phone: Not a valid phone number. Use 10 digits'],
    ['ssnLast4', '123-45-6789', '6789'],
    ['ssnLast4', '***-**-6789', '6789'],
    ['ssnLast4', '042', `"0042" SSN Last 4: ${COMPLETED}`],
    ['state', 'Mitchigan', `null State: ${NO_STATE}`],
    ['ssnLast4', '12345', `null SSN Last 4: ${NO_SSN}`],
    ['medicareId', '2ab3-cd4-ef56', '2AB3CD4EF56'],
    [
      'medicareId',
      '123456789A',
      'null Medicare ID: Not a valid Medicare ID. Use the 11-character Medicare Beneficiary Identifier',
    ],
    [
      'memberId',
      '1.00237E+11',
      'Member ID: Shortened by a spreadsheet (a number with E+). Format the column as text and export the file again',
    ],
    ['memberId', "'00237", '00237'],
    ['memberId', "'LK-00237", 'LK-00237'],
    ['dateOfBirth', "'03/14/1941", '1941-03-14'],
    ['zip', "'02155", '02155'],
    ['city', "'=Alder", '=Alder'],
    ['lastName', "'t Hooft", "'t Hooft"],
    ['firstName', 'Maynard46', 'Maynard46'],
    ['lastName', 'X Æ A-12', 'X Æ A-12'],
    ['lastName', 'x'.repeat(201), 'Last Name: Too long. Use at most 200 characters'],
    ['nameSuffix', 'x'.repeat(201), 'Suffix: Too long. Use at most 200 characters'],
    ['city', 'x'.repeat(201), 'null City: Too long. Use at most 200 characters'],
    ['tags', 'x'.repeat(201), '[] Tags: A value is too long. Use at most 200 characters each'],
    ['memberId', '="000123"', '000123'],
    ['memberId', '="LK ""7"""', 'LK "7"'],
    ['memberId', '=" 000123 "', '000123'],
    ['memberId', '="', '="'],
    ['memberId', '=1+1', '=1+1'],
    ['zip', '="01234"', '01234'],
    ['dateOfBirth', '="03/14/1941"', '1941-03-14'],
    ['city', 'Alder\u0000 Bay', `"Alder Bay" City: ${ONE_REMOVED} null character (U+0000). Check the cell`],
    ['firstName', 'An\u0000na', `"Anna" First Name: ${ONE_REMOVED} null character (U+0000). Check the cell`],
    ['firstName', 'A\u0007ma', `"Ama" First Name: ${ONE_REMOVED} bell (U+0007). Check the cell`],
    ['lastName', 'Os\u001fei', `"Osei" Last Name: ${ONE_REMOVED} control character (U+001F). Check the cell`],
    ['lastName', 'Os\ufeffei', `"Osei" Last Name: ${ONE_REMOVED} byte order mark (U+FEFF). Check the cell`],
    [
      'lastName',
      '\u202eOs\u200bei\u200b',
      '"Osei" Last Name: Invisible characters were removed: right-to-left override (U+202E), zero-width space (U+200B). Check the cell',
    ],
    [
      'homePhone',
      '\u202a585-774-2231',
      `"585-774-2231" Home Phone: ${ONE_REMOVED} left-to-right embedding (U+202A). Check the cell`,
    ],
    ['lastName', '\u200b', 'Last Name: Required value is missing. Fill in the cell'],
    ['address1', '12\u00a0Heron\tLane\nApt 4', '12 Heron Lane Apt 4'],
    ['lastName', 'Nu¤ez', `"Nu¤ez" Last Name: ${GARBLED}`],
    ['lastName', 'M\u0081ller', `"Mller" Last Name: ${GARBLED}`],
    ['address1', 'Calle PeÃ±a 4', `"Calle PeÃ±a 4" Address 1: ${GARBLED}`],
    ['careCoordinators', 'Ren‚e Voss;Imani Ferris', `["Ren‚e Voss","Imani Ferris"] Care Coordinators: ${GARBLED}`],
    ['program', 'BlueCare™', ['BlueCare™']],
    ['providerNpi', '12', 'null Provider NPI: Not a valid NPI. Use 10 digits'],
  ] as const)('%s %j reads as %j', async (column, text, expected) => {
    expect(await value(column, text)).toEqual(expected);
  });

  test('a list is split at semicolons, without duplicates', async () => {
    expect(await value('program', 'ACO REACH; MSSP ;;ACO REACH')).toEqual(['ACO REACH', 'MSSP']);
  });

  test('equal rows have equal hashes, different rows do not', async () => {
    const hashes = async (file: string) =>
      (await parse(file)).rows.map((row) => (row.errors ? '' : row.contentHash.toString('hex')));
    const [a] = await hashes(`${HEADER}\nA1,Ama,Osei,3/4/1941\n`);
    const [b] = await hashes('DOB;Last;First;MRN\n1941-03-04;Osei;Ama;A1\n');
    const [c] = await hashes(`${HEADER}\nA1,Ama,Osei,3/5/1941\n`);
    expect(a).toBe(b);
    expect(a).not.toBe(c);
  });
});
