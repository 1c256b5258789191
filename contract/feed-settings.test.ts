import { describe, expect, test } from 'vitest';
import { DEFAULT_FEED_SETTINGS } from './feed-defaults.ts';
import { feedSettings } from './feed-settings.ts';

describe('feedSettings', () => {
  test('accepts the defaults, also after a round trip through JSON', () => {
    expect(feedSettings.parse(JSON.parse(JSON.stringify(DEFAULT_FEED_SETTINGS)))).toEqual(DEFAULT_FEED_SETTINGS);
  });

  test('capitalizes codes', () => {
    const parsed = feedSettings.parse({
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
    [{ dateOrder: 'YMD' }],
    [{ classMap: [{ patientClass: 'I', setting: 'WARD' }] }],
    [{ classMap: [{ class: 'I', setting: 'INPATIENT' }] }],
    [{ dispositionMap: { HOME: '1' } }],
    [{ recordNumber: { authority: '', types: [] } }],
    [{ unknown: true }],
  ])('rejects %j', (change) => {
    expect(feedSettings.safeParse({ ...DEFAULT_FEED_SETTINGS, ...change }).success).toBe(false);
  });
});
