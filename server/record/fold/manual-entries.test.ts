import { describe, expect, it } from 'vitest';
import { NURSING } from '#server/testing/facts.ts';
import { manualEntry, testStories } from '#server/testing/visit-stories.ts';
import { foldVisit } from './fold-visit.ts';

describe('manual entries', () => {
  testStories([
    [
      'a stay',
      [
        manualEntry('ADMIT', '2'),
        manualEntry('MEDICAL_LEAVE_OF_ABSENCE', '3'),
        manualEntry('RESUMED_SERVICES', '4'),
        manualEntry('ENDED_SERVICES', '5'),
      ],
      'FINISHED',
      [
        'ADMIT SNF 02 00:00',
        'MEDICAL_LEAVE_OF_ABSENCE SNF 03 00:00',
        'RESUMED_SERVICES SNF 04 00:00',
        'ENDED_SERVICES SNF 05 00:00',
      ],
      NURSING,
    ],
    [
      'an admission and a discharge on one day',
      [manualEntry('DISCHARGE', '2'), manualEntry('ADMIT', '2')],
      'FINISHED',
      ['ADMIT SNF 02 00:00', 'DISCHARGE SNF 02 00:00'],
      NURSING,
    ],
    [
      'a payer change and a transfer',
      [manualEntry('ADMIT', '2'), manualEntry('PAYOR_CHANGE', '3'), manualEntry('TRANSFER', '4')],
      'IN_PROGRESS',
      ['ADMIT SNF 02 00:00', 'PAYOR_CHANGE SNF 03 00:00', 'TRANSFER SNF 04 00:00'],
      NURSING,
    ],
  ]);

  it('keeps a day without a time as a day', () => {
    const visit = foldVisit([manualEntry('ADMIT', '2')], NURSING);
    expect(visit.events[0]).toMatchObject({ key: 'ADMIT@2026-03-02#1', at: { precision: 'day' }, isManual: true });
  });
});
