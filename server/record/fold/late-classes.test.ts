import { describe, expect, it } from 'vitest';
import { fact, HOSPITAL, moment } from '#server/testing/facts.ts';
import { eventsOf, testStories } from '#server/testing/visit-stories.ts';
import { foldFacilities } from './fold.ts';
import { foldVisit } from './fold-visit.ts';

const observe = fact('A01', '1 15:00', { class: 'OBSERVATION', admitted: '1 15:00' });
const present = fact('A04', '1 15:00', { class: 'EMERGENCY', admitted: '1 15:00' });
const admit = fact('A01', '1 15:00', { class: 'INPATIENT', admitted: '1 15:00' });
const leave = (setting: 'OBSERVATION' | 'INPATIENT' | 'OUTPATIENT' | 'EMERGENCY', written = '5 10:00') =>
  fact('A03', written, { class: setting, discharged: '5 10:00', disposition: '01' });
const convert = (details: Parameters<typeof fact>[2]) => fact('A06', '6 09:00', { class: 'INPATIENT', ...details });

describe('a stay whose class is reported late', () => {
  testStories([
    [
      'an A06 after the discharge whose PV1-44 is that of the stay',
      [observe, leave('OBSERVATION'), convert({ admitted: '1 15:00' })],
      'FINISHED',
      ['ADMIT INPATIENT 01 15:00', 'DISCHARGE INPATIENT 05 10:00'],
    ],
    [
      'an A06 after the discharge whose PV1-44 is within the stay',
      [observe, leave('OBSERVATION'), convert({ admitted: '2 09:00' })],
      'FINISHED',
      ['ADMIT OBSERVATION 01 15:00', 'ADMIT INPATIENT 02 09:00', 'DISCHARGE INPATIENT 05 10:00'],
    ],
    [
      'an A06 after the discharge that repeats its time',
      [observe, leave('OBSERVATION'), convert({ discharged: '5 10:00', disposition: '01' })],
      'FINISHED',
      ['ADMIT INPATIENT 01 15:00', 'DISCHARGE INPATIENT 05 10:00'],
    ],
    [
      'an A06 after a discharge that had its class already',
      [present, leave('INPATIENT'), convert({ admitted: '1 15:00' })],
      'FINISHED',
      ['PRESENTED EMERGENCY 01 15:00', 'DISCHARGE INPATIENT 05 10:00'],
    ],
    [
      'an A06 that says when it was, sent after the discharge',
      [observe, leave('OBSERVATION'), convert({ occurred: '2 09:00', admitted: '1 15:00' })],
      'FINISHED',
      ['ADMIT OBSERVATION 01 15:00', 'ADMIT INPATIENT 02 09:00', 'DISCHARGE INPATIENT 05 10:00'],
    ],
    [
      'the admission again after the discharge, in another class',
      [observe, leave('OBSERVATION'), fact('A01', '6 09:00', { class: 'INPATIENT', admitted: '1 15:00' })],
      'FINISHED',
      ['ADMIT INPATIENT 01 15:00', 'DISCHARGE INPATIENT 05 10:00'],
    ],
    [
      'a discharge in another class',
      [observe, leave('INPATIENT')],
      'FINISHED',
      ['ADMIT OBSERVATION 01 15:00', 'DISCHARGE INPATIENT 05 10:00'],
    ],
    [
      'a second discharge in another class',
      [observe, leave('OBSERVATION'), leave('INPATIENT', '6 09:00')],
      'FINISHED',
      ['ADMIT OBSERVATION 01 15:00', 'DISCHARGE INPATIENT 05 10:00'],
    ],
    [
      'a discharge as an outpatient',
      [admit, leave('OUTPATIENT')],
      'FINISHED',
      ['ADMIT INPATIENT 01 15:00', 'DISCHARGE INPATIENT 05 10:00'],
    ],
    [
      'an A06 of a return on a later day',
      [observe, leave('OBSERVATION'), convert({ admitted: '6 08:30' })],
      'IN_PROGRESS',
      ['ADMIT OBSERVATION 01 15:00', 'DISCHARGE OBSERVATION 05 10:00', 'ADMIT INPATIENT 06 09:00'],
    ],
    [
      'an A06 the day after a discharge from the ED: the patient was admitted around midnight',
      [present, leave('EMERGENCY'), convert({ admitted: '1 15:00' })],
      'IN_PROGRESS',
      ['PRESENTED EMERGENCY 01 15:00', 'DISCHARGE EMERGENCY 05 10:00', 'ADMIT INPATIENT 06 09:00'],
    ],
  ]);

  it('is one encounter', () => {
    for (const late of [convert({ admitted: '1 15:00' }), convert({ admitted: '2 09:00' })]) {
      const facts = [observe, leave('OBSERVATION'), late];
      expect(foldFacilities([{ groupId: '1', facility: HOSPITAL, facts }])).toHaveLength(1);
    }
  });

  it('keeps its times, and says what became of the message', () => {
    const late = convert({ admitted: '1 15:00' });
    const visit = foldVisit([observe, leave('OBSERVATION'), late], HOSPITAL);
    expect(visit.state).toMatchObject({
      admittedAt: moment('1 15:00'),
      dischargedAt: moment('5 10:00'),
      disposition: '01',
    });
    expect(visit.outcomes.get(late.id)).toBe('Updated: admission; Updated: discharge');
    expect(eventsOf(visit)).toHaveLength(2);
  });

  it('says that no message tells since when the patient was an inpatient, if only the discharge says so', () => {
    const isUndated = (...facts: Parameters<typeof foldVisit>[0]) =>
      foldVisit(facts, HOSPITAL).state.isInpatientUndated;
    for (const arrival of [observe, present]) expect(isUndated(arrival, leave('INPATIENT'))).toBe(true);
    expect(isUndated(observe, leave('OBSERVATION'), leave('INPATIENT', '6 09:00'))).toBe(true);
    expect(isUndated(admit, leave('INPATIENT'))).toBeUndefined();
    expect(isUndated(leave('INPATIENT'))).toBeUndefined();
    expect(isUndated(observe, convert({ occurred: '2 09:00' }), leave('INPATIENT'))).toBeUndefined();
    expect(isUndated(observe, leave('INPATIENT'), convert({ admitted: '2 09:00' }))).toBeUndefined();
  });
});
