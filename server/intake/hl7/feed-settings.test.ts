import { describe, expect, test } from 'vitest';
import { DEFAULT_FEED_SETTINGS, feedSettingsSchema } from './feed-settings.ts';

describe('feedSettingsSchema', () => {
  test('the defaults are valid and survive JSON', () => {
    expect(feedSettingsSchema.parse(JSON.parse(JSON.stringify(DEFAULT_FEED_SETTINGS)))).toEqual(DEFAULT_FEED_SETTINGS);
  });

  test('codes are kept in capitals', () => {
    const parsed = feedSettingsSchema.parse({
      ...DEFAULT_FEED_SETTINGS,
      classMap: [{ patientClass: 'obs ', setting: 'OBSERVATION' }],
      dispositionMap: { ' Home w/ aide': '06' },
    });
    expect(parsed.classMap).toEqual([{ patientClass: 'OBS', setting: 'OBSERVATION' }]);
    expect(parsed.dispositionMap).toEqual({ 'HOME W/ AIDE': '06' });
  });

  test.each([
    [{ timeZone: 'Mars/Olympus' }],
    [{ timeZone: '' }],
    [{ classMap: [{ patientClass: 'I', setting: 'WARD' }] }],
    [{ classMap: [{ class: 'I', setting: 'INPATIENT' }] }],
    [{ dispositionMap: { HOME: '1' } }],
    [{ recordNumber: { authority: '', types: [] } }],
    [{ unknown: true }],
  ])('%j is refused', (change) => {
    expect(feedSettingsSchema.safeParse({ ...DEFAULT_FEED_SETTINGS, ...change }).success).toBe(false);
  });
});
