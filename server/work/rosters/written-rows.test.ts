import fc from 'fast-check';
import Papa from 'papaparse';
import { expect, test } from 'vitest';
import { ROSTER_COLUMNS, type RosterColumn } from '#contract/roster-columns.ts';
import { parseRoster } from './parse.ts';
import type { ParsedRow, RosterRow } from './row-reader.ts';

/** Returns the rows of a file, which is passed in pieces of `pieceSize` bytes. */
async function parse(file: string, pieceSize = 1 << 20): Promise<ParsedRow[]> {
  const bytes = Buffer.from(file);
  const pieces = Array.from({ length: Math.ceil(bytes.length / pieceSize) }, (_, i) =>
    bytes.subarray(i * pieceSize, (i + 1) * pieceSize),
  );
  const rows: ParsedRow[] = [];
  for await (const row of parseRoster(pieces, { today: '2026-03-01' })) rows.push(row);
  return rows;
}

const rowOf = (parsed: ParsedRow | undefined): RosterRow => {
  if (parsed === undefined || parsed.errors) throw new Error(`not a valid row: ${JSON.stringify(parsed?.errors)}`);
  return parsed.row;
};

const MORE = 'More values than care coordinators. Use one for each, in the same order';

const BESIDE = [
  'careCoordinatorTitles',
  'careCoordinatorPhones',
  'careCoordinatorFaxes',
  'careCoordinatorEmails',
  'careCoordinatorEventTypes',
] as const satisfies RosterColumn[];

test('written from rows is read as the same rows', async () => {
  const word = fc.stringMatching(/^[A-Za-zÀ-ž'" ,.0-9-]{0,12}$/).map((text) => text.replace(/\s+/g, ' ').trim());
  const name = word.map((text) => `N${text}`);
  const optional = fc.oneof(fc.constant(null), name);
  const list = fc.uniqueArray(name, { maxLength: 3 });
  const beside = fc.oneof(fc.constant<string[]>([]), fc.uniqueArray(name, { minLength: 3, maxLength: 3 }));
  const cells: fc.Arbitrary<RosterRow> = fc.record({
    memberId: fc.stringMatching(/^[A-Z]{2}-\d{1,9}$/),
    firstName: name,
    middleName: optional,
    lastName: name,
    nameSuffix: optional,
    dateOfBirth: fc
      .date({ min: new Date('1900-01-01'), max: new Date('2026-02-28'), noInvalidDate: true })
      .map((d) => d.toISOString().slice(0, 10)),
    gender: fc.constantFrom('Male', 'Female', 'Other', 'Unknown'),
    address1: optional,
    address2: optional,
    address3: optional,
    city: optional,
    state: fc.constantFrom('NY', null),
    zip: fc.constantFrom('02155', '14601-0042', null),
    homePhone: fc.constantFrom('585-774-2231', null),
    mobilePhone: fc.constant(null),
    ssnLast4: fc.constantFrom('0042', '5017', null),
    medicareId: fc.constantFrom('2AB3CD4EF56', null),
    program: list,
    practice: list,
    providerFirstName: optional,
    providerLastName: optional,
    providerNpi: fc.constantFrom('1234567893', null),
    providerTitle: optional,
    providerType: optional,
    providerPhone: fc.constantFrom('585-774-2231', null),
    providerFax: fc.constant(null),
    providerEmail: optional,
    providerDirectMessage: optional,
    careCoordinators: list,
    careCoordinatorTitles: beside,
    careCoordinatorPhones: beside,
    careCoordinatorFaxes: beside,
    careCoordinatorEmails: beside,
    careCoordinatorEventTypes: beside,
    insurance: list,
    tags: list,
    careGaps: list,
    advanceCareDocuments: list,
    currentlyBillingAgencies: list,
  });
  const row = cells.map((each) => ({
    ...each,
    ...Object.fromEntries(BESIDE.map((column) => [column, each[column].slice(0, each.careCoordinators.length)])),
  }));
  const columns = Object.keys(ROSTER_COLUMNS) as RosterColumn[];
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, { minLength: 1, maxLength: 8 }),
      fc.constantFrom(',', ';', '\t', '|'),
      fc.integer({ min: 1, max: 300 }),
      async (rows, delimiter, size) => {
        const lines = rows.map((each) =>
          columns.map((column) =>
            Array.isArray(each[column]) ? (each[column] as string[]).join(';') : (each[column] ?? ''),
          ),
        );
        const file = Papa.unparse([columns.map((column) => ROSTER_COLUMNS[column].header), ...lines], {
          delimiter,
          newline: '\r\n',
        });
        expect((await parse(file, size)).map(rowOf)).toEqual(rows);
      },
    ),
    { numRuns: 60 },
  );
});

const WITH_PHONES = [
  'Member ID',
  'First Name',
  'Last Name',
  'Date of Birth',
  'Care Coordinators',
  'Care Coordinator Phones',
];

test.each([
  ['Ada;Ben', '1;2', ['1', '2'], []],
  ['Ada;Ben', ';2', ['', '2'], []],
  ['Ada;Ben', '1', ['1', ''], []],
  ['Ada;;Ada; Ben ', '1;2;3;4', ['1', '4'], []],
  ['Ada', ' ; ', [], []],
  ['Ada', '1;2', [], [MORE]],
  ['Ada', 'x'.repeat(201), [], ['A value is too long. Use at most 200 characters each']],
  ['x'.repeat(201), '1', [], ['A value is too long. Use at most 200 characters each']],
])("the phones of %j, written %j, are kept in the names' order", async (names, phones, kept, reasons) => {
  const file = Papa.unparse([WITH_PHONES, ['A1', 'Ama', 'Osei', '03/14/1941', names, phones]]);
  const [parsed] = await parse(file);
  expect(rowOf(parsed).careCoordinatorPhones).toEqual(kept);
  const warned = parsed?.warnings.filter(({ column }) => column === 'Care Coordinator Phones') ?? [];
  expect(warned.map(({ reason }) => reason)).toEqual(reasons);
});

test('a cell with tens of thousands of names is refused without comparing each with each', async () => {
  const names = Array.from({ length: 22_000 }, (_, at) => at.toString(36)).join(';');
  const timed = async (phones: string) => {
    const rows = Array.from({ length: 10 }, (_, at) => [`A${at}`, 'Ama', 'Osei', '03/14/1941', names, phones]);
    const file = Papa.unparse([WITH_PHONES, ...rows]);
    const started = performance.now();
    const reasons = (await parse(file)).flatMap(({ warnings }) => warnings.map(({ reason }) => reason));
    expect([...new Set(reasons)]).toEqual(['Too many values. Use at most 100']);
    return performance.now() - started;
  };
  const withoutPhones = await timed('');
  expect(await timed('1;2')).toBeLessThan(8 * withoutPhones);
});

test('a row without values in columns that were added later has the hash from before', async () => {
  const [row] = await parse('Member ID,First Name,Last Name,Date of Birth\nA1,Ama,Osei,3/4/1941\n');
  // Computed by the version before those columns. Another hash would rewrite every row of every roster.
  const before = 'a32c3aded7fe5e9ab462b5f447663716f21be65ea60e479dc8f606feba88b25d';
  expect(row?.errors ? '' : row?.contentHash.toString('hex')).toBe(before);
});
