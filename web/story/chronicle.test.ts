import { expect, test } from 'vitest';
import type { StoryEncounter } from '#contract/story.ts';
import { visitWith } from '../testing/patients.ts';
import { chronicleOf } from './chronicle.ts';

const stay = (id: string, admittedDate: string | null, more: Partial<StoryEncounter> = {}): StoryEncounter =>
  visitWith({ id, admittedDate, dischargedDate: null, ...more });

test('visits are told by year of the facility, linked stays as one, with the months without visits before them', () => {
  const years = chronicleOf([
    stay('4', '2026-11-15T10:00:00Z', { episodeId: '3' }),
    stay('3', '2026-11-14T10:00:00Z', { gapBefore: { from: '2026-03', to: '2026-10' } }),
    stay('2', '2026-02-03T09:00:00Z'),
    // The evening before in New York.
    stay('1', '2026-01-01T03:00:00Z'),
    stay('0', null),
  ]);
  expect(
    years.map(({ title, episodes }) => [
      title,
      episodes.map(({ stays, gapBefore }) => [stays.map(({ id }) => id).join(), gapBefore]),
    ]),
  ).toEqual([
    [
      '2026',
      [
        ['4,3', 'No events 03/2026–10/2026'],
        ['2', null],
      ],
    ],
    ['2025', [['1', null]]],
    ['Date not recorded', [['0', null]]],
  ]);
});
