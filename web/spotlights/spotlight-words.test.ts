import { expect, test } from 'vitest';
import { SPOTLIGHTS, type Spotlight } from '#contract/spotlights.ts';
import { csvOf } from './save-csv.ts';
import { daysOfPeriod, spotlightSearch } from './spotlight-periods.ts';
import {
  axisOf,
  comparisonOf,
  detailsOf,
  figureInWords,
  findingOf,
  numbersOf,
  SPOTLIGHT_WORDS,
  valueInWords,
} from './spotlight-words.ts';

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
  open: 0,
  endings: null,
};
const countedIn = { team: 'Lakeshore', group: 'All groups', people: 'Filter: Diabetes' };

test('the finding is said in one sentence, with the numbers behind it', () => {
  expect(findingOf(spotlight)).toBe('14.2% of discharges were followed by a readmission within 30 days');
  expect(numbersOf(spotlight)).toBe('128 of 902 discharges');
  expect(comparisonOf(spotlight)).toBe('No significant difference from 03/31/2026–06/30/2026 (15.3%)');
  expect(comparisonOf({ ...spotlight, comparison: 'LOWER' })).toBe('Lower than 03/31/2026–06/30/2026 (15.3%)');
});

test('a difference that rounding hides is not called one', () => {
  const minutes = (value: number) => ({ value, numerator: 900, denominator: 900 });
  const timeliness = {
    ...spotlight,
    name: 'feed-timeliness' as const,
    unit: 'MEDIAN_MINUTES' as const,
    figure: minutes(1.3),
    previous: { ...spotlight.previous, figure: minutes(1.1) },
    comparison: 'HIGHER' as const,
  };
  expect(comparisonOf(timeliness)).toBe('The same as 03/31/2026–06/30/2026 (1 minute)');
  expect(comparisonOf({ ...timeliness, figure: minutes(2) })).toBe('Higher than 03/31/2026–06/30/2026 (1 minute)');
});

test('nothing to count is said as none, not as few', () => {
  const none = { ...spotlight, figure: { value: null, numerator: 0, denominator: 0 }, comparison: 'TOO_FEW' as const };
  expect([findingOf(none), numbersOf(none), detailsOf(none), figureInWords('SHARE', none.figure)]).toEqual([
    'No discharges in this period',
    'No discharges',
    [],
    'None',
  ]);
  expect(csvOf({ ...none, months: [], facilities: [] }, countedIn)).toContain('period,2026-07-01,2026-09-30,none,0,0');
});

test('too few cases are said as such', () => {
  const few = { ...spotlight, figure: HIDDEN, comparison: 'TOO_FEW' as const };
  expect(findingOf(few)).toBe('Too few discharges to tell');
  expect(numbersOf(few)).toBe('Not shown');
  expect(detailsOf(few)).toEqual(['Not shown, because one of the numbers is from 1 to 10.']);
  expect(comparisonOf(few)).toBe('Too few to compare with 03/31/2026–06/30/2026');
});

test('what is not counted yet, and how pings ended, is said', () => {
  expect(detailsOf({ ...spotlight, open: 12 })).toEqual(['Not counted yet, because their time has not passed: 12.']);
  expect(detailsOf({ ...spotlight, open: null })).toEqual([
    'Not counted yet, because their time has not passed: fewer than 11.',
  ]);
  const pings = { ...spotlight, name: 'alert-load' as const, figure: { value: 3, numerator: 920, denominator: 333 } };
  expect(detailsOf({ ...pings, endings: { byPeople: 600, bySystem: 200, open: 120 } })).toEqual([
    '10 pings a day for the team.',
    'Needed action: 720 (resolved by someone 600, open 120). Resolved by the system: 200.',
  ]);
  expect(detailsOf(pings)[1]).toBe('How they ended is not shown, because one of the numbers is from 1 to 10.');
});

test('durations are rounded, in words as on the axis', () => {
  const words = (minutes: number) => valueInWords('MEDIAN_MINUTES', minutes);
  expect([0, 0.4, 1, 43, 59.6, 551, 630, 2879, 3600].map(words)).toEqual([
    'less than a minute',
    'less than a minute',
    '1 minute',
    '43 minutes',
    '1 hour',
    '9.2 hours',
    '10.5 hours',
    '48 hours',
    '2.5 days',
  ]);
  const labels = (minutes: number[]) => {
    const { label, text } = axisOf('MEDIAN_MINUTES', minutes);
    return [label, ...minutes.map(text)];
  };
  expect(labels([0, 0.7, 8.4, 43])).toEqual(['Minutes', '<1', '<1', '8', '43']);
  expect(labels([0, 504, 582])).toEqual(['Hours', '<0.1', '8.4', '9.7']);
  expect(labels([3600])).toEqual(['Days', '2.5']);
});

test('every spotlight says what is counted', () => {
  for (const name of SPOTLIGHTS) expect(SPOTLIGHT_WORDS[name].definition.join(' ')).toContain('Counted: ');
});

test('the file has each number, and no cell that a spreadsheet would run', () => {
  expect(
    csvOf({ ...spotlight, figure: { ...figure, value: 128 / 902 } }, countedIn)
      .split('\r\n')
      .slice(2),
  ).toEqual([
    'team,Lakeshore',
    'group,All groups',
    'people,Filter: Diabetes',
    'not counted yet,0',
    'of,from,to,value,numerator,denominator',
    'period,2026-07-01,2026-09-30,0.1419,128,902',
    'previous period,2026-03-31,2026-06-30,0.153,128,902',
    'month,2026-07-01,2026-09-30,not shown,not shown,not shown',
    '"\'=cmd|""x""",2026-07-01,2026-09-30,0.1419,128,902',
    '',
  ]);
});

test('periods are whole months and quarters, or end today', () => {
  expect(daysOfPeriod('last-quarter', '2026-02-10')).toEqual({
    from: '2025-10-01',
    to: '2025-12-31',
    calendar: 'QUARTER',
  });
  expect(daysOfPeriod('this-quarter', '2026-02-10')).toEqual({
    from: '2026-01-01',
    to: '2026-02-10',
    calendar: 'QUARTER',
  });
  expect(daysOfPeriod('last-month', '2026-03-31')).toEqual({ from: '2026-02-01', to: '2026-02-28', calendar: 'MONTH' });
  expect(daysOfPeriod('this-month', '2026-03-31')).toEqual({ from: '2026-03-01', to: '2026-03-31', calendar: 'MONTH' });
  expect(daysOfPeriod('last-12-months', '2026-03-31')).toEqual({ from: '2025-04-01', to: '2026-03-31' });
});

test('what a URL says wrongly is dropped', () => {
  expect(spotlightSearch({ period: 'last-month', groupId: '12' })).toEqual({ period: 'last-month', groupId: '12' });
  expect(spotlightSearch({ period: 'forever', groupId: 'x' })).toEqual({});
});
