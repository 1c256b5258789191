import { expect, test } from 'vitest';
import { DEFAULT_FEED_SETTINGS } from '#contract/feed-defaults.ts';
import { answerOf, checkSettings, errorAt, type FeedSettingsAnswer, newValues, valuesOf } from './settings-form.ts';

const kept: FeedSettingsAnswer = {
  name: 'Mercy ADT',
  sendingApplication: null,
  sendingFacility: 'MGH',
  settings: {
    timeZone: 'America/Chicago',
    locationMap: { '4W': { unit: 'Observation unit', setting: 'OBSERVATION' } },
    recordNumber: { authority: 'MGH', types: ['MR'] },
  },
  facilities: [{ identifier: 'MGH', groupId: '7', registrationIsVisit: true }],
  isBackfill: false,
  version: '1',
};

test('what is read and not changed is written as it was, settings that the form does not show included', () => {
  expect(answerOf(valuesOf(kept))).toEqual(kept);
});

test('what equals the defaults is not kept', () => {
  const values = { ...valuesOf(kept), timeZone: DEFAULT_FEED_SETTINGS.timeZone, locations: [] };
  expect(answerOf(values).settings).toEqual({ recordNumber: { authority: 'MGH', types: ['MR'] } });
});

test('codes are written in capitals, and what is not named in a rule is left out', () => {
  const values = {
    ...valuesOf(kept),
    classMap: [{ patientClass: ' obs ', hospitalService: '', setting: 'OBSERVATION' as const }],
    dispositions: [{ code: 'home', status: '01' }],
  };
  expect(JSON.parse(JSON.stringify(answerOf(values).settings))).toMatchObject({
    classMap: [{ patientClass: 'OBS', setting: 'OBSERVATION' }],
    dispositionMap: { HOME: '01' },
  });
});

test('a new feed is in the zone of the only facility there is, and named as its sender', () => {
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

test('each row that cannot be kept says why', () => {
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

test('an error of the server is found at its path, with or without the settings before it', () => {
  expect(errorAt({ 'settings.classMap.2.setting': 'wrong' }, 'classMap.2', 'classMap.2.setting')).toBe('wrong');
  expect(errorAt({ timeZone: 'is not an IANA time zone' }, 'timeZone')).toBe('is not an IANA time zone');
  expect(errorAt({}, 'timeZone')).toBeUndefined();
});
