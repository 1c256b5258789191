import { describe, expect, test } from 'vitest';
import { DEFAULT_FEED_SETTINGS } from '#contract/feed-defaults.ts';
import type { FeedSettings } from '#contract/feed-settings.ts';
import { type CodeCounts, suggestedBy } from './suggest-observation.ts';

const reasonFor = (over: Partial<CodeCounts>, settings: Partial<FeedSettings> = {}) =>
  suggestedBy(
    { field: 'PV1-18', code: 'CLI', arrivals: 20, discharges: 20, longStays: 0, ...over },
    { ...DEFAULT_FEED_SETTINGS, ...settings },
  );

describe('a code is suggested', () => {
  test.each(['OBV', 'OBSV', 'OBSERV', 'OBSERVATION', 'OBSRV', 'MEDOBS', 'OBS-IP', 'CDU', '23HR', '23 HOUR', '24HOBS'])(
    'by its name: %s',
    (code) => {
      expect(reasonFor({ code })).toBe('NAME');
    },
  );

  test.each(['OB', 'OBG', 'OBSTET', 'OBSTETRICS', 'OBSETRICS', 'SUR', 'CLI', '23', 'CDUX'])(
    'not by the name %s',
    (code) => {
      expect(reasonFor({ code })).toBeNull();
    },
  );

  test.each([
    [10, 6, 'USE'],
    [10, 5, null],
    [5, 3, 'USE'],
    [4, 4, null],
    [0, 0, null],
  ])('of %i discharges, %i after long stays: %j', (discharges, longStays, reason) => {
    expect(reasonFor({ discharges, longStays })).toBe(reason);
  });

  test('only after five visits', () => {
    expect(reasonFor({ code: 'OBV', arrivals: 4, discharges: 4 })).toBeNull();
    expect(reasonFor({ code: 'OBV', arrivals: 5, discharges: 0 })).toBe('NAME');
    expect(reasonFor({ code: 'OBV', arrivals: 0, discharges: 5 })).toBe('NAME');
  });

  test('not if the settings name it, in that field', () => {
    const observationCodes = { patientTypes: ['OBV'], hospitalServices: ['23HR'] };
    expect(reasonFor({ code: 'OBV' }, { observationCodes })).toBeNull();
    expect(reasonFor({ code: '23HR' }, { observationCodes })).toBe('NAME');
    expect(reasonFor({ field: 'PV1-10', code: '23HR' }, { observationCodes })).toBeNull();
    expect(reasonFor({ field: 'PV1-10', code: 'OBV' }, { observationCodes })).toBe('NAME');
    const classMap: FeedSettings['classMap'] = [{ patientClass: 'O', patientType: 'OBV', setting: 'OUTPATIENT' }];
    expect(reasonFor({ code: 'OBV' }, { classMap })).toBeNull();
    expect(reasonFor({ field: 'PV1-10', code: 'OBV' }, { classMap })).toBe('NAME');
  });
});
