import { expect, test } from 'vitest';
import { addBusinessDays, federalHolidays, isBusinessDay } from './business-days.ts';

test('two business days after a Friday are the end of Tuesday', () => {
  expect(addBusinessDays('2026-11-20', 2)).toBe('2026-11-24');
});

test('a holiday on Monday moves it to Wednesday', () => {
  expect(addBusinessDays('2026-09-04', 2)).toBe('2026-09-09');
});

test('Thanksgiving is not a business day, and the day after is', () => {
  expect(isBusinessDay('2026-11-26')).toBe(false);
  expect(isBusinessDay('2026-11-27')).toBe(true);
});

test('a holiday on a Saturday is observed on the Friday before, even in the previous year', () => {
  expect(isBusinessDay('2026-07-03')).toBe(false);
  expect(isBusinessDay('2027-12-31')).toBe(false);
});

test('a year has eleven federal holidays, or ten or twelve if New Year’s Day is observed in December', () => {
  expect(federalHolidays(2026).size).toBe(11);
  expect(federalHolidays(2027).size).toBe(12);
  expect(federalHolidays(2028).size).toBe(10);
});
