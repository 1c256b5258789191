import { expect, it } from 'vitest';
import { fact, HOSPITAL, moment } from '#server/testing/facts.ts';
import { admit, discharge, eventsOf, testStories } from '#server/testing/visit-stories.ts';
import { foldVisit } from './fold-visit.ts';

const a03 = (at: string, written: string, details: Parameters<typeof fact>[2] = {}) =>
  fact('A03', written, { discharged: at, disposition: '01', class: 'INPATIENT', ...details });

testStories([
  [
    'a discharge that a later message says was earlier',
    [admit, discharge, a03('09:30', '11:00', { disposition: '03' })],
    'FINISHED',
    ['ADMIT INPATIENT 01 08:00', 'DISCHARGE INPATIENT 01 09:30'],
  ],
  [
    'a death that corrects a discharge home to an earlier time',
    [admit, discharge, a03('09:30', '11:00', { disposition: '20', patient: { deceased: true } })],
    'FINISHED',
    ['ADMIT INPATIENT 01 08:00', 'DECEASED INPATIENT 01 09:30'],
  ],
  [
    'a discharge that is corrected twice, earlier and later again',
    [admit, discharge, a03('09:00', '11:00'), a03('09:30', '12:00')],
    'FINISHED',
    ['ADMIT INPATIENT 01 08:00', 'DISCHARGE INPATIENT 01 09:30'],
  ],
  [
    'an update from before the correction, which still has the time before it',
    [admit, discharge, a03('09:30', '12:00'), fact('A08', '11:00', { discharged: '10:00', disposition: '01' })],
    'FINISHED',
    ['ADMIT INPATIENT 01 08:00', 'DISCHARGE INPATIENT 01 09:30'],
  ],
  [
    'a resent earlier discharge, which was written first',
    [admit, discharge, a03('09:30', '09:35', { sent: '11:00' })],
    'FINISHED',
    ['ADMIT INPATIENT 01 08:00', 'DISCHARGE INPATIENT 01 10:00'],
  ],
  [
    'a correction of the first discharge after the patient came back on the same day',
    [admit, discharge, fact('A01', '11:00', { class: 'INPATIENT', occurred: '11:00' }), a03('09:30', '12:00')],
    'IN_PROGRESS',
    ['ADMIT INPATIENT 01 08:00', 'DISCHARGE INPATIENT 01 09:30', 'ADMIT INPATIENT 01 11:00'],
  ],
  [
    'the account of the ED, discharged after the inpatient',
    [
      fact('A04', '07:00', { class: 'EMERGENCY', admitted: '07:00' }),
      fact('A06', '08:00', { class: 'INPATIENT', occurred: '08:00' }),
      discharge,
      a03('08:10', '11:00', { class: 'EMERGENCY' }),
    ],
    'FINISHED',
    ['PRESENTED EMERGENCY 01 07:00', 'ADMIT INPATIENT 01 08:00', 'DISCHARGE INPATIENT 01 10:00'],
  ],
]);

it('says that the correction updated the discharge, whichever comes first', () => {
  const dead = a03('09:30', '11:00', { disposition: '20' });
  for (const facts of [
    [admit, discharge, dead],
    [dead, discharge, admit],
  ]) {
    const visit = foldVisit(facts, HOSPITAL);
    expect(visit.outcomes.get(dead.id)).toBe('Updated: death');
    expect(visit.outcomes.get(discharge.id)).toBe('Created: discharge');
    expect(visit.state).toMatchObject({ deceased: true, disposition: '20', dischargedAt: moment('09:30') });
    expect(eventsOf(visit)).toEqual(['ADMIT INPATIENT 01 08:00', 'DECEASED INPATIENT 01 09:30']);
  }
});

it('says of a death that was corrected that it was, whichever comes first', () => {
  const dead = a03('09:30', '10:30', { disposition: '20' });
  const home = a03('09:30', '11:00', { disposition: '01' });
  for (const facts of [
    [admit, dead, home],
    [home, dead, admit],
  ]) {
    const visit = foldVisit(facts, HOSPITAL);
    expect(eventsOf(visit)).toEqual(['ADMIT INPATIENT 01 08:00', 'DISCHARGE INPATIENT 01 09:30']);
    expect(visit.outcomes.get(dead.id)).toBe('Created: death, corrected by another message');
    expect(visit.outcomes.get(home.id)).toBe('Updated: discharge');
  }
});
