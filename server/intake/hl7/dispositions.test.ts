import { describe, expect, test } from 'vitest';
import { DEFAULT_FEED_SETTINGS } from '#contract/feed-defaults.ts';
import type { FeedSettings } from '#contract/feed-settings.ts';
import { factsOf, msh, PATIENT, read } from '#server/testing/adt-reading.ts';
import type { FieldValue } from '#server/testing/hl7-writing.ts';

const dispositionOf = (sent: FieldValue, settings: Partial<FeedSettings> = {}) =>
  factsOf('A03', {}, { 2: 'I', 19: 'V-1', 36: sent }, [], settings).visit?.disposition;

describe('PV1-36', () => {
  test.each([
    ['20', '20'],
    ['1', '01'],
    ['01 - Home or self care', '01'],
    ['20: EXPIRED', '20'],
    ['EXPIRED', '20'],
    ['Expired in Medical Facility', '20'],
    ['EXP', '20'],
    ['Expire', '20'],
    ['DECEASED', '20'],
    ['Died in ED', '20'],
    ['Patient died', '20'],
    ['Dead on arrival', '20'],
    ['DOA', '20'],
    ['HOME', '01'],
    ['HOME W/ SELF CARE', '01'],
    ['Home w/self-care', '01'],
    ['HOME/SELF CARE', '01'],
    ['Home or Self Care (Routine Discharge)', '01'],
    ['Discharged to home', '01'],
    ['D/C home', '01'],
    ['ROUTINE DISCHARGE', '01'],
    ['Home with home health care', '06'],
    ['HOME HEALTH SERVICES', '06'],
    ['HOME HEALTH CARE SVC', '06'],
    ['ASSISTED LIVING', '04'],
    ['Discharged to an assisted living facility', '04'],
    ['AMA', '07'],
    ['Left against medical advice', '07'],
    ['ELOPED', 'ELOPED'],
    ['Eloped from ED', 'ELOPED'],
    ['LWBS', 'LWBS'],
    ['Left without being seen', 'LWBS'],
    ['LEFT BEFORE TREATMENT COMPLETE', 'LBTC'],
    ['LEFT AMA', '07'],
    ['Discharged to SNF', '03'],
    ['Acute care hospital', '02'],
    ['ACUTE HOSPITAL', '02'],
    ['Transferred to another hospital', '02'],
    ['Short-Term General Hospital', '02'],
    ['Private home/apt. with no home health services', '01'],
    ['Private home/apt. with home health services', '06'],
    ['PRIVATE HOME', '01'],
    ['Psychiatric hospital', '65'],
    ['Rehabilitation hospital', '62'],
    ['Inpatient rehabilitation facility', '62'],
    ['Long term care hospital', '63'],
    ['Critical access hospital', '66'],
  ])('%s is %s', (sent, status) => {
    expect(dispositionOf(sent)).toBe(status);
  });

  test.each([
    'INSURANCE EXPIRED',
    'NOT EXPIRED',
    'FUNERAL HOME',
    'NURSING HOME',
    'GROUP HOME',
    'HOME HOSPICE',
    'Board and care/assisted living/group home',
    'Psychiatric hospital, MR/DD facility',
    'Acute hospital at home',
    'REHABILITATION',
    'HOSPITAL BED',
    'LONG TERM CARE',
    'PRIVATE NURSING HOME',
    'PRIVATE HOME WITH HOSPICE',
    'HOME TEAM ELM',
    'DIED DOWN',
    'EXPLORER',
    '99',
    '3 DAYS',
  ])('%s is not interpreted', (sent) => {
    expect(dispositionOf(sent)).toBe(sent);
  });

  test('the feed’s own table decides first, and a table of its own still recognizes a death in words', () => {
    expect(dispositionOf('Home', { dispositionMap: { HOME: '06' } })).toBe('06');
    expect(dispositionOf('20', { dispositionMap: { '20': '01' } })).toBe('01');
    expect(dispositionOf('EXPIRED', { dispositionMap: {} })).toBe('20');
  });

  test('words can be in the second component, after a local code', () => {
    expect(dispositionOf([['7X', 'Expired']])).toBe('20');
    expect(dispositionOf([['7X', 'Unclear']])).toBe('7X');
  });

  test.each([
    [['', 'EXPIRED'], '20'],
    [['', 'SNF'], '03'],
    [['', 'HOME HEALTH'], '06'],
    [['', 'Hospice'], 'Hospice'],
    [['', '', '', '20', 'Expired'], '20'],
    [['7X', 'Unclear', 'L', '', 'Expired'], '20'],
    [['', ''], undefined],
    [['""', 'EXPIRED'], null],
    [['', '""'], undefined],
  ])('of the components %j is %s', (components, status) => {
    expect(dispositionOf([components])).toBe(status);
  });

  test('a disposition that is not in the map warns, as a class does', () => {
    const warningsOf = (sent: string) => {
      const pv1 = { name: 'PV1', fields: { 2: 'I', 19: 'V-1', 36: sent } };
      const reading = read([msh('A03'), { name: 'PID', fields: PATIENT }, pv1]);
      return reading.kind === 'facts' ? reading.warnings : reading;
    };
    expect(warningsOf('LOUNGE')).toEqual(["PV1-36 isn't in the feed's disposition map (shown as sent)"]);
    expect(warningsOf('77')).toHaveLength(1);
    expect(warningsOf('""')).toEqual([]);
    expect(warningsOf('HOME')).toEqual([]);
  });

  test('the standard table agrees with the codes', () => {
    for (const [words, status] of Object.entries(DEFAULT_FEED_SETTINGS.dispositionMap))
      expect(dispositionOf(words)).toBe(status);
  });
});
