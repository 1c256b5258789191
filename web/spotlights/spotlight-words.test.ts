import { expect, test } from 'vitest';
import { SPOTLIGHTS, type Spotlight } from '#contract/spotlights.ts';
import { csvOf } from './save-csv.ts';
import { daysOfPeriod, spotlightSearch } from './spotlight-periods.ts';
import { comparisonOf, findingOf, numbersOf, SPOTLIGHT_WORDS } from './spotlight-words.ts';

const figure = { value: 0.1419, numerator: 128, denominator: 902 };
const HIDDEN = { value: null, numerator: null, denominator: null };
const period = { from: '2026-07-01', to: '2026-09-30', isIncomplete: false };
const spotlight: Spotlight = {
  name: 'readmissions',
  unit: 'SHARE',
  asOf: '2026-11-20T15:00:00.000Z',
  period,
  figure,
  previous: { from: '2026-03-31', to: '2026-06-30', isIncomplete: false, figure: { ...figure, value: 0.153 } },
  comparison: 'NOT_SIGNIFICANT',
  months: [{ ...period, figure: HIDDEN }],
  facilities: [{ id: '1', name: '=cmd|"x"', figure }],
  people: 1204,
  share: null,
};

test('the finding is said in one sentence, with the numbers behind it', () => {
  expect(findingOf(spotlight)).toBe('14.2 % of discharges were followed by a readmission within 30 days');
  expect(numbersOf(spotlight)).toBe('128 of 902 discharges');
  expect(comparisonOf(spotlight)).toBe('No significant difference from 03/31/2026–06/30/2026 (15.3 %)');
  expect(comparisonOf({ ...spotlight, comparison: 'LOWER' })).toBe('Lower than 03/31/2026–06/30/2026 (15.3 %)');
});

test('too few cases are said as such', () => {
  const few = { ...spotlight, figure: HIDDEN, comparison: 'TOO_FEW' as const };
  expect(findingOf(few)).toBe('Too few discharges to tell');
  expect(numbersOf(few)).toBe('Fewer than 11 discharges');
  expect(comparisonOf(few)).toBe('Too few to compare with 03/31/2026–06/30/2026');
});

test('every spotlight says what is counted', () => {
  for (const name of SPOTLIGHTS) expect(SPOTLIGHT_WORDS[name].definition.join(' ')).toContain('Counted: ');
});

test('the file has each number, and no cell that a spreadsheet would run', () => {
  expect(csvOf(spotlight).split('\r\n').slice(1)).toEqual([
    'of,from,to,value,numerator,denominator',
    'period,2026-07-01,2026-09-30,0.1419,128,902',
    'previous period,2026-03-31,2026-06-30,0.153,128,902',
    'month,2026-07-01,2026-09-30,too few to show,too few to show,too few to show',
    '"\'=cmd|""x""",2026-07-01,2026-09-30,0.1419,128,902',
    '',
  ]);
});

test('periods are whole months and quarters, or end today', () => {
  expect(daysOfPeriod('last-quarter', '2026-02-10')).toEqual({ from: '2025-10-01', to: '2025-12-31' });
  expect(daysOfPeriod('this-quarter', '2026-02-10')).toEqual({ from: '2026-01-01', to: '2026-02-10' });
  expect(daysOfPeriod('last-month', '2026-03-31')).toEqual({ from: '2026-02-01', to: '2026-02-28' });
  expect(daysOfPeriod('this-month', '2026-03-31')).toEqual({ from: '2026-03-01', to: '2026-03-31' });
  expect(daysOfPeriod('last-12-months', '2026-03-31')).toEqual({ from: '2025-04-01', to: '2026-03-31' });
});

test('what a URL says wrongly is dropped', () => {
  expect(spotlightSearch({ period: 'last-month', groupId: '12' })).toEqual({ period: 'last-month', groupId: '12' });
  expect(spotlightSearch({ period: 'forever', groupId: 'x' })).toEqual({});
});
