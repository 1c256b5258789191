/** Files as payers, Medicare and spreadsheets export them: their headers, codes and dates. The people are invented. */
import { describe, expect, test } from 'vitest';
import type { RosterTarget } from '#contract/roster-columns.ts';
import { headerKey } from './headers.ts';
import { parseRoster } from './parse.ts';
import type { ParsedRow, RosterRow } from './row-reader.ts';

async function parse(file: string, mapping: Record<string, RosterTarget> = {}): Promise<ParsedRow[]> {
  const mapped = new Map(Object.entries(mapping).map(([header, column]) => [headerKey(header), column]));
  const parsed: ParsedRow[] = [];
  for await (const row of parseRoster([Buffer.from(file)], { today: '2026-11-29', mapping: mapped })) parsed.push(row);
  return parsed;
}
const rowsOf = async (...args: Parameters<typeof parse>): Promise<RosterRow[]> =>
  (await parse(...args)).flatMap((parsed) => (parsed.errors ? [] : [parsed.row]));

const VANCE = { firstName: 'JANE', lastName: 'VANCE', dateOfBirth: '1941-03-14', gender: 'Female' };

describe("Medicare's lists of an ACO's beneficiaries", () => {
  const ASSIGNED = `BENE_MBI_ID,BENE_HIC_NUM,BENE_1ST_NAME,BENE_LAST_NAME,BENE_SEX_CD,BENE_BRTH_DT,BENE_DEATH_DT
2AB3-CD4-EF56,,JANE,VANCE,2,03/14/1941,\n`;
  const CLAIMS = `BENE_MBI_ID|BENE_ZIP_CD|BENE_DOB|BENE_SEX_CD|BENE_1ST_NAME|BENE_MIDL_NAME|BENE_LAST_NAME|BENE_LINE_1_ADR
2AB3CD4EF56|14601|1941-03-14|2|JANE          |Q    |VANCE               |12 HERON LN\n`;
  const REACH = `Beneficiary MBI ID,Beneficiary First Name,Beneficiary Last Name,Beneficiary Line 1 Address,Beneficiary USPS State Code,Beneficiary Gender,Beneficiary Date of Birth
2AB3CD4EF56,JANE,VANCE,12 HERON LN,NY,2,03/14/1941\n`;

  test('lack only a member ID, and say so', async () => {
    for (const file of [ASSIGNED, CLAIMS, REACH])
      await expect(parse(file)).rejects.toThrow('Missing required column: Member ID.');
  });

  test('keep the Medicare ID for matching when it is the member ID', async () => {
    expect(await rowsOf(ASSIGNED, { BENE_MBI_ID: 'memberId' })).toMatchObject([
      { ...VANCE, memberId: '2AB3-CD4-EF56', medicareId: '2AB3CD4EF56' },
    ]);
    expect(await rowsOf(CLAIMS, { BENE_MBI_ID: 'memberId' })).toMatchObject([
      { ...VANCE, middleName: 'Q', zip: '14601', address1: '12 HERON LN', medicareId: '2AB3CD4EF56' },
    ]);
    expect(await rowsOf(REACH, { 'Beneficiary MBI ID': 'memberId' })).toMatchObject([
      { ...VANCE, state: 'NY', medicareId: '2AB3CD4EF56' },
    ]);
  });

  test('a Medicare ID of its own comes first, and other member IDs are none', async () => {
    const file = `Member ID,MBI,First Name,Last Name,DOB
2AB3CD4EF56,2AB3CD4EF57,JANE,VANCE,3/14/1941\nLK-100237,,JIM,VANCE,3/14/1941\n`;
    const ids = (await rowsOf(file)).map(({ medicareId }) => medicareId);
    expect(ids).toEqual(['2AB3CD4EF57', null]);
  });
});

test.each([
  'External ID,firstname,lastname,dob,gender',
  'Member Identifier,Mbr First Nm,Mbr Last Nm,DateBirth,Sex Code',
  'Patient ID,First Name,Last Name,Patient Date of Birth (DOB),Patient Sex at Birth',
])('the headers %s are known', async (headers) => {
  expect(await rowsOf(`${headers}\n1,JANE,VANCE,3/14/1941,F\n`)).toMatchObject([VANCE]);
});

test('sexes are read as Medicare and ISO 5218 number them', async () => {
  const rows = ['1', '2', '0', '9'].map((code) => `${code},Jo,Vance,3/14/1941,${code}`).join('\n');
  const parsed = await parse(`Member ID,First,Last,DOB,Sex\n${rows}\n`);
  expect(parsed.map((each) => (each.errors ? null : each.row.gender))).toEqual([
    'Male',
    'Female',
    'Unknown',
    'Unknown',
  ]);
  expect(parsed.flatMap(({ warnings }) => warnings)).toEqual([]);
});

const datesOf = async (...dates: string[]): Promise<(string | undefined)[]> =>
  (await parse(`Member ID,First,Last,DOB\n${dates.map((date, at) => `${at},Jo,Vance,${date}`).join('\n')}\n`)).map(
    (each) => (each.errors ? each.errors[0]?.reason : each.row.dateOfBirth),
  );

test('dates of birth are read without separators or zeros, and those that lack a part are errors with the reason', async () => {
  expect(await datesOf('03141941', '19410314', '1941-3-4', '1941/3/14', '1941.03.14')).toEqual([
    '1941-03-14',
    '1941-03-14',
    '1941-03-04',
    '1941-03-14',
    '1941-03-14',
  ]);
  const twoDigits = 'The year has two digits, so the century is not clear. Use MM/DD/YYYY';
  const notADate = 'Not a valid date. Use MM/DD/YYYY';
  expect(await datesOf('14-MAR-41', '3/14/41', '1941-03', '3141941', '13321941')).toEqual([
    twoDigits,
    twoDigits,
    notADate,
    notADate,
    notADate,
  ]);
});

test('a date without separators can show that a file has the day first', async () => {
  expect(await datesOf('03041941', '25121950')).toEqual(['1941-04-03', '1950-12-25']);
  await expect(datesOf('04131941', '25121950')).rejects.toThrow('row 3 has the day first, row 2 the month');
});
