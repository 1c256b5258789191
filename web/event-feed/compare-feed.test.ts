import { expect, test } from 'vitest';
import { patientWith } from '../testing/patients.ts';
import { differenceOf, updatedInPlace } from './compare-feed.ts';
import { type EventPage, eventIdOf, type LoadedEvents, rowsOf } from './feed-queries.ts';

const row = (event: string, gender: 'Male' | 'Female' = 'Female'): EventPage['patients'][number] => {
  const patient = patientWith({ id: `1_${event}`, gender });
  if (!patient.currentPing) throw new Error('The row has no event');
  return { ...patient, currentPing: { ...patient.currentPing, eventIdentifier: event } };
};
const feed = (...pages: string[][]): LoadedEvents => ({
  pages: pages.map((events) => ({ patients: events.map((event) => row(event)), total: 9, numPages: 3, facets: {} })),
  pageParams: pages.map((_, at) => at + 1),
});

test('events above and between the rows are news, older ones at the end are not', () => {
  expect(differenceOf(feed(['5', '4'], ['3', '2']), feed(['6', '5'], ['4', '3']))).toEqual({
    arrived: 1,
    isGone: false,
  });
  expect(differenceOf(feed(['5', '3']), feed(['5', '4']))).toMatchObject({ arrived: 0 });
  expect(differenceOf(feed(['5', '3', '2']), feed(['5', '4', '3']))).toEqual({ arrived: 1, isGone: false });
  expect(differenceOf(feed(['5', '4']), feed(['5', '4']))).toEqual({ arrived: 0, isGone: false });
});

test('a row that may no longer be shown is gone', () => {
  expect(differenceOf(feed(['5', '4', '3']), feed(['5', '3', '2']))).toEqual({ arrived: 0, isGone: true });
});

test('a feed that has moved on by more than its rows is all news', () => {
  expect(differenceOf(feed(['2', '1']), feed(['5', '4']))).toEqual({ arrived: 2, isGone: false });
});

test('corrections replace rows where they are, and an event on two pages is shown once', () => {
  const shown = feed(['5', '4'], ['4', '3']);
  const next = {
    ...feed(['6', '5']),
    pages: [{ ...feed([]).pages[0], patients: [row('6'), row('4', 'Male')] } as EventPage],
  };
  const updated = updatedInPlace(shown, next);
  expect(rowsOf(updated).map((one) => [eventIdOf(one), one.gender])).toEqual([
    ['5', 'Female'],
    ['4', 'Male'],
    ['3', 'Female'],
  ]);
});
