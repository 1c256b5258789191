import { describe, expect, it } from 'vitest';
import { type FactDetails, fact, moment } from '#server/testing/facts.ts';
import { arrivalMinutes, eventTime } from './event-time.ts';

const ALL = { occurred: '08:00', admitted: '07:00', discharged: '09:00', recorded: '10:00', sent: '11:00' };
const SHARED = { ...ALL, occurred: '07:00' };

describe('eventTime', () => {
  it.each<[string, FactDetails, string]>([
    ['A01', ALL, '08:00'],
    ['A01', { ...ALL, occurred: undefined }, '07:00'],
    ['A04', { recorded: '10:00', sent: '11:00' }, '10:00'],
    ['A04', { recorded: null, sent: '11:00' }, '11:00'],
    ['A03', ALL, '09:00'],
    ['A03', { ...ALL, discharged: undefined }, '08:00'],
    ['A03', { ...SHARED, discharged: undefined }, '10:00'],
    ['A03', { ...ALL, discharged: '06:00' }, '08:00'],
    ['A03', { ...ALL, discharged: '1' }, '08:00'],
    ['A03', { ...ALL, discharged: '2' }, '2'],
    ['A03', { ...ALL, admitted: '2 07:00', discharged: '1' }, '08:00'],
    ['A02', ALL, '08:00'],
    ['A02', SHARED, '10:00'],
    ['A06', { ...ALL, admitted: '08:00' }, '08:00'],
    ['A05', ALL, '10:00'],
    ['A08', ALL, '10:00'],
    ['A13', ALL, '10:00'],
    ['CLOSE', ALL, '08:00'],
    ['MANUAL', { ...ALL, occurred: '1', manual: 'ADMIT' }, '1'],
  ])('dates an %s of %j by %s', (trigger, details, expected) => {
    expect(eventTime(fact(trigger, '10:00', details))).toEqual(moment(expected));
  });

  it('does not date an A06 by the arrival of the visit', () => {
    const arrivals = arrivalMinutes([fact('A04', '07:00', { admitted: '07:00' })]);
    expect(eventTime(fact('A06', '10:00', SHARED), arrivals)).toEqual(moment('10:00'));
  });

  it('does not date an admission by a PV1-44 that is still the arrival in the ED', () => {
    const arrivals = arrivalMinutes([fact('A04', '07:00', { class: 'EMERGENCY', admitted: '07:00' })]);
    const admission = (details: FactDetails) =>
      eventTime(fact('A01', '10:00', { class: 'INPATIENT', ...details }), arrivals);
    expect(admission({ admitted: '07:00' })).toEqual(moment('10:00'));
    expect(admission({ admitted: '09:30' })).toEqual(moment('09:30'));
    expect(admission({ admitted: '07:00', class: 'EMERGENCY' })).toEqual(moment('07:00'));
  });

  it('returns null if no field is readable', () => {
    expect(eventTime(fact('A08', '10:00', { recorded: null, sent: null }))).toBeNull();
  });
});
