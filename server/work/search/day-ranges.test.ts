import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ages, dayOf, daysAgo, eventDays, weekdaysAgo } from './day-ranges.ts';

const day = (text: string): number => dayOf(text) as number;
const textOf = (number: number | null): string | null =>
  number === null ? null : new Date(number * 86_400_000).toISOString().slice(0, 10);

/** Computes the age by the calendar, as an independent check. */
function ageOn(today: string, born: string): number {
  const years = Number(today.slice(0, 4)) - Number(born.slice(0, 4));
  return today.slice(5) < born.slice(5) ? years - 1 : years;
}

test('a range of ages becomes the matching dates of birth, also around 29 February', () => {
  const days = fc.integer({ min: day('1900-01-01'), max: day('2030-12-31') });
  const leap = fc.constantFrom(
    ...['2024-02-28', '2024-02-29', '2024-03-01', '2025-02-28', '2025-03-01', '1960-02-29'].map(day),
  );
  const any = fc.oneof(days, leap);
  fc.assert(
    fc.property(any, any, fc.nat({ max: 100 }), fc.nat({ max: 20 }), (a, b, begin, size) => {
      const [born, today] = [Math.min(a, b), Math.max(a, b)];
      const range = ages({ begin: String(begin), end: String(begin + size) }, today);
      const age = ageOn(textOf(today) as string, textOf(born) as string);
      const isWithin = born >= (range.begin as number) && born <= (range.end as number);
      expect(isWithin).toBe(age >= begin && age <= begin + size);
    }),
    { numRuns: 2000 },
  );
});

test('days ago count back from today, and either end may be open', () => {
  const today = day('2026-11-20');
  const of = (begin: string | null, end: string | null) => {
    const range = daysAgo({ begin, end }, today);
    return [textOf(range.begin), textOf(range.end)];
  };
  expect(of('0', '7')).toEqual(['2026-11-13', '2026-11-20']);
  expect(of('3', null)).toEqual([null, '2026-11-17']);
  expect(of(null, '0')).toEqual(['2026-11-20', null]);
});

test('weekdays ago skip Saturdays and Sundays', () => {
  const of = (today: string, begin: string, end: string) => {
    const range = weekdaysAgo({ begin, end }, day(today));
    return [textOf(range.begin), textOf(range.end)];
  };
  // A Monday, a Friday, a Sunday.
  expect(of('2026-11-16', '0', '1')).toEqual(['2026-11-13', '2026-11-16']);
  expect(of('2026-11-20', '1', '5')).toEqual(['2026-11-13', '2026-11-19']);
  expect(of('2026-11-22', '0', '1')).toEqual(['2026-11-20', '2026-11-22']);
});

test('dates must be valid days', () => {
  expect(eventDays('eventDate', { begin: '2026-02-29', end: null }, 0)).toBeUndefined();
  expect(eventDays('eventDate', { begin: '2024-02-29', end: null }, 0)).toEqual({
    begin: day('2024-02-29'),
    end: null,
  });
});
