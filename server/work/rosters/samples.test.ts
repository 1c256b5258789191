/** Every sample file is read, or refused with a reason that its owner can act on. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseRoster } from './parse.ts';
import type { ParsedRow } from './row-reader.ts';

const FOLDERS = ['../../../../shared/samples/roster', '../../../../../shared/samples/roster'];
const folder = FOLDERS.map((path) => join(import.meta.dirname, path)).find((path) => existsSync(path));

interface Outcome {
  rows: ParsedRow[];
  ignored: string[];
  refusal: string | null;
}

async function read(name: string): Promise<Outcome> {
  const outcome: Outcome = { rows: [], ignored: [], refusal: null };
  const onHeader = ({ ignored }: { ignored: string[] }): void => {
    outcome.ignored = ignored;
  };
  try {
    const source = [readFileSync(join(folder ?? '', name))];
    for await (const row of parseRoster(source, { today: '2026-03-01', onHeader })) outcome.rows.push(row);
  } catch (error) {
    outcome.refusal = (error as Error).message;
  }
  return outcome;
}

const good = ({ rows }: Outcome) => rows.flatMap((parsed) => (parsed.errors ? [] : [parsed.row]));
const reasons = ({ rows }: Outcome) => new Set(rows.flatMap(({ errors = [] }) => errors.map(({ reason }) => reason)));

/** How many rows are read, how many of them without errors, or why the file is refused. */
const EXPECTED: Record<string, readonly [rows: number, good: number] | RegExp> = {
  'febrl-dataset1.csv': [1000, 896],
  'phdi-linkage.csv': [12, 6],
  'reportstream-change-column-ordering.csv': /^Missing required columns: Member ID, Date of Birth\. Match columns/,
  'reportstream-column-headers-only.csv': /^Missing required columns: Member ID, Date of Birth\. Match columns/,
  'reportstream-missing-data.csv': /^Missing required columns: Member ID, Date of Birth\. Match columns/,
  'reportstream-quoted-strings-with-embedded-commas.csv': /^Missing required columns: Member ID, Date of Birth\. Match/,
  'reportstream-simplereport.csv': [50, 50],
  'reportstream-sr-upload.csv': [5, 5],
  'reportstream-weird-dates.csv': /^Missing required columns: Member ID, Date of Birth\. Match columns/,
  'smart-patients.txt': [67, 67],
  'synthea-encounters.csv': /^Missing required columns: First Name, Last Name, Date of Birth\. Match columns/,
  'synthea-patients.csv': [27, 27],
};

describe.skipIf(folder === undefined)(
  `sample files${folder ? '' : ' (skipped: ../shared/samples does not exist)'}`,
  () => {
    const names = folder ? readdirSync(folder) : [];

    test.each(names)('%s', async (name) => {
      const outcome = await read(name);
      const expected = EXPECTED[name] ?? [];
      if (expected instanceof RegExp) expect(outcome.refusal).toMatch(expected);
      else expect([outcome.rows.length, good(outcome).length, outcome.refusal]).toEqual([...expected, null]);
      // Each reason says what to do.
      for (const reason of reasons(outcome)) expect(reason).toMatch(/\b(Use|Check|Fill in|Format|Put|Keep)\b/);
    });

    test('Synthea: digits in names, a full SSN cut to four digits and in no report', async () => {
      const outcome = await read('synthea-patients.csv');
      expect(good(outcome)[0]).toMatchObject({ firstName: 'Maynard46', lastName: 'Mosciski958', ssnLast4: '5017' });
      expect(JSON.stringify(outcome)).not.toContain('999-17-5017');
    });

    test("SMART: of two columns for sex, the one with the column's own name counts", async () => {
      const outcome = await read('smart-patients.txt');
      expect(outcome.ignored).toEqual(expect.arrayContaining(['RACE', 'YOB']));
      expect(good(outcome)[0]).toMatchObject({ lastName: 'Lee', dateOfBirth: '2007-07-15', gender: 'Male' });
    });
  },
);
