import { expect, test } from 'vitest';
import { DEFAULT_FEED_SETTINGS } from '#contract/feed-defaults.ts';
import { seenOrder } from './date-orders.ts';
import { bodyOf, checkSettings, errorAt, type FeedSettingsAnswer, newValues, valuesOf } from './settings-form.ts';

const kept: FeedSettingsAnswer = {
  name: 'Mercy ADT',
  sendingApplication: null,
  sendingFacility: 'MGH',
  settings: {
    timeZone: 'America/Chicago',
    locationMap: { '4W': { unit: 'Observation unit', setting: 'OBSERVATION' } },
    observationCodes: { patientTypes: ['OBV', '23HR'], hospitalServices: ['CDU'] },
    recordNumber: { authority: 'MGH', types: ['MR'] },
  },
  facilities: [{ identifier: 'MGH', groupId: '7', registrationIsVisit: true }],
  isBackfill: false,
  isWaiting: false,
  version: '1',
};

test('unchanged values are saved as they were, including settings that the form does not show', () => {
  const { isWaiting: _, ...stored } = kept;
  expect(bodyOf(valuesOf(kept))).toEqual(stored);
});

test('values that equal the defaults are not stored', () => {
  const values = { ...valuesOf(kept), timeZone: DEFAULT_FEED_SETTINGS.timeZone, locations: [], observation: [] };
  expect(bodyOf(values).settings).toEqual({ recordNumber: { authority: 'MGH', types: ['MR'] } });
});

test('the order of month and day is stored only if it is set', () => {
  expect(valuesOf(kept).dateOrder).toBe('');
  expect(bodyOf({ ...valuesOf(kept), dateOrder: 'DMY' }).settings).toMatchObject({ dateOrder: 'DMY' });
});

test('what the dates of a feed have shown is said in words', () => {
  expect(seenOrder({ MDY: 0, DMY: 0, EITHER: 0 })).toBe('None seen so far.');
  expect(seenOrder({ MDY: 1200, DMY: 0, EITHER: 1 })).toBe(
    'Seen: 1,200 messages with a date that can only be month first, 1 message with a date that can be either.',
  );
});

test('codes are stored in capitals, and empty parts of a rule are left out', () => {
  const values = {
    ...valuesOf(kept),
    classMap: [{ patientClass: ' obs ', hospitalService: '', setting: 'OBSERVATION' as const }],
    dispositions: [{ code: 'home', status: '01' }],
  };
  expect(JSON.parse(JSON.stringify(bodyOf(values).settings))).toMatchObject({
    classMap: [{ patientClass: 'OBS', setting: 'OBSERVATION' }],
    dispositionMap: { HOME: '01' },
  });
});

test('a new feed has the time zone of the only facility and the identifier of its sender', () => {
  const only = { id: '7', timeZone: 'America/Detroit' };
  expect(newValues({ sendingApplication: '', sendingFacility: 'MGH' }, [only])).toMatchObject({
    name: '',
    sendingApplication: '',
    sendingFacility: 'MGH',
    timeZone: 'America/Detroit',
    facilities: [{ identifier: 'MGH', groupId: '7', registrationIsVisit: false }],
  });
  expect(newValues(null, [only, { ...only, id: '8' }])).toMatchObject({
    timeZone: DEFAULT_FEED_SETTINGS.timeZone,
    facilities: [{ identifier: '', groupId: '' }],
  });
});

test('each invalid row has an error', () => {
  const errors = checkSettings({
    ...valuesOf(kept),
    name: ' ',
    classMap: [{ setting: 'INPATIENT' }],
    dispositions: [
      { code: 'HOME', status: '1' },
      { code: 'home ', status: '01' },
    ],
    facilities: [{ identifier: '', groupId: '', registrationIsVisit: false }],
  });
  expect(Object.keys(errors).sort()).toEqual([
    'classMap.0',
    'dispositions.0.status',
    'dispositions.1.code',
    'facilities.0.groupId',
    'facilities.0.identifier',
    'name',
  ]);
});

test('an error of the server is found at its path, with or without the settings prefix', () => {
  expect(errorAt({ 'settings.classMap.2.setting': 'wrong' }, 'classMap.2', 'classMap.2.setting')).toBe('wrong');
  expect(errorAt({ timeZone: 'is not an IANA time zone' }, 'timeZone')).toBe('is not an IANA time zone');
  expect(errorAt({}, 'timeZone')).toBeUndefined();
});
