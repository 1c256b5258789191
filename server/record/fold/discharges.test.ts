import { describe, expect, it } from 'vitest';
import { fact, HOME_HEALTH, HOSPITAL, moment } from '#server/testing/facts.ts';
import { admit, discharge, eventsOf, present, testStories } from '#server/testing/visit-stories.ts';
import type { Fact } from './fold-input.ts';
import { foldVisit } from './fold-visit.ts';

describe('discharges, deaths and automatic closes', () => {
  testStories([
    [
      'an admission and a discharge',
      [admit, discharge],
      'FINISHED',
      ['ADMIT INPATIENT 01 08:00', 'DISCHARGE INPATIENT 01 10:00'],
    ],
    [
      'a corrected discharge',
      [admit, discharge, fact('A03', '11:00', { discharged: '11:00', disposition: '03' })],
      'FINISHED',
      ['ADMIT INPATIENT 01 08:00', 'DISCHARGE INPATIENT 01 11:00'],
    ],
    [
      'a death by disposition',
      [admit, fact('A03', '10:00', { disposition: '20' })],
      'FINISHED',
      ['ADMIT INPATIENT 01 08:00', 'DECEASED INPATIENT 01 10:00'],
    ],
    [
      'a death by PID-30',
      [admit, fact('A03', '10:00', { disposition: '01', patient: { deceased: true } })],
      'FINISHED',
      ['ADMIT INPATIENT 01 08:00', 'DECEASED INPATIENT 01 10:00'],
    ],
    [
      'a death by A08, then the discharge',
      [admit, fact('A08', '09:00', { patient: { deceased: true } }), fact('A03', '10:00', { disposition: '20' })],
      'FINISHED',
      ['ADMIT INPATIENT 01 08:00', 'DECEASED INPATIENT 01 09:00'],
    ],
    [
      'a death by A08, then a live discharge',
      [admit, fact('A08', '09:00', { patient: { deceased: true } }), fact('A03', '10:00', { disposition: '01' })],
      'FINISHED',
      ['ADMIT INPATIENT 01 08:00', 'DECEASED INPATIENT 01 09:00', 'DISCHARGE INPATIENT 01 10:00'],
    ],
    [
      'a death by A08, then a discharge that repeats it, whatever its disposition',
      [
        admit,
        fact('A08', '09:00', { patient: { deceased: true } }),
        fact('A03', '10:00', { disposition: '01', patient: { deceased: true } }),
      ],
      'FINISHED',
      ['ADMIT INPATIENT 01 08:00', 'DECEASED INPATIENT 01 09:00'],
    ],
    [
      'a death by A08, then a discharge without a disposition',
      [admit, fact('A08', '09:00', { patient: { deceased: true } }), fact('A03', '10:00')],
      'FINISHED',
      ['ADMIT INPATIENT 01 08:00', 'DECEASED INPATIENT 01 09:00'],
    ],
    [
      'a disposition corrected to a death',
      [admit, discharge, fact('A08', '11:00', { disposition: '20' })],
      'FINISHED',
      ['ADMIT INPATIENT 01 08:00', 'DECEASED INPATIENT 01 10:00'],
    ],
    [
      'a discharge with the disposition "still a patient"',
      [admit, fact('A03', '10:00', { disposition: '30' })],
      'IN_PROGRESS',
      ['ADMIT INPATIENT 01 08:00'],
    ],
    [
      'a discharge at midnight, of a sender that knows only days, after that day’s transfer',
      [
        fact('A01', '1 08:00', { class: 'INPATIENT', unit: '4W' }),
        fact('A02', '3 10:00', { unit: 'ICU' }),
        fact('A03', '4 07:00', { discharged: '3 00:00', disposition: '01' }),
      ],
      'FINISHED',
      ['ADMIT INPATIENT 01 08:00', 'TRANSFER INPATIENT 03 10:00', 'DISCHARGE INPATIENT 03 00:00'],
    ],
    [
      'a discharge at midnight, reported at midnight, before the day’s other messages',
      [
        fact('A01', '1 08:00', { class: 'INPATIENT', unit: '4W' }),
        fact('A03', '3 00:00', { discharged: '3 00:00', disposition: '01' }),
        fact('A02', '3 10:00', { unit: 'ICU' }),
      ],
      'FINISHED',
      ['ADMIT INPATIENT 01 08:00', 'DISCHARGE INPATIENT 03 00:00'],
    ],
    [
      'a discharge whose PV1-45 lies before the admission, dated by the message',
      [admit, fact('A03', '2 10:00', { discharged: '1 07:00', disposition: '01' })],
      'FINISHED',
      ['ADMIT INPATIENT 01 08:00', 'DISCHARGE INPATIENT 02 10:00'],
    ],
    [
      'a discharge of an earlier stay under the same number, whose admission was never sent',
      [
        fact('A03', '1 07:00', { class: 'INPATIENT', discharged: '1 07:00', disposition: '01' }),
        fact('A01', '3 08:00', { class: 'INPATIENT' }),
      ],
      'IN_PROGRESS',
      ['DISCHARGE INPATIENT 01 07:00', 'ADMIT INPATIENT 03 08:00'],
    ],
    ['a discharge without an admission', [discharge], 'FINISHED', ['DISCHARGE INPATIENT 01 10:00']],
    [
      'a late discharge of the ED account of someone who was admitted',
      [
        present,
        fact('A06', '2 09:00', { class: 'INPATIENT' }),
        fact('A03', '4 10:00', { class: 'EMERGENCY', disposition: '01' }),
      ],
      'FINISHED',
      ['PRESENTED EMERGENCY 01 08:00', 'ADMIT INPATIENT 02 09:00', 'DISCHARGE INPATIENT 04 10:00'],
    ],
    [
      'a late discharge, by an update, of the ED account of someone who is under observation',
      [
        present,
        fact('A06', '2 09:00', { class: 'OBSERVATION' }),
        fact('A08', '4 10:00', { class: 'EMERGENCY', discharged: '4 10:00', disposition: '01' }),
      ],
      'FINISHED',
      ['PRESENTED EMERGENCY 01 08:00', 'ADMIT OBSERVATION 02 09:00', 'DISCHARGE OBSERVATION 04 10:00'],
    ],
    [
      'a discharge that says that the inpatient stay was observation (condition code 44)',
      [admit, fact('A03', '10:00', { class: 'OBSERVATION', disposition: '01' })],
      'FINISHED',
      ['ADMIT INPATIENT 01 08:00', 'DISCHARGE OBSERVATION 01 10:00'],
    ],
    [
      'a movement dated after the discharge',
      [admit, discharge, fact('A02', '11:00', { unit: 'ICU' })],
      'FINISHED',
      ['ADMIT INPATIENT 01 08:00', 'DISCHARGE INPATIENT 01 10:00'],
    ],
    [
      'an admission sent again after the discharge',
      [admit, discharge, fact('A01', '12:00', { class: 'INPATIENT', admitted: '08:00', occurred: '12:00' })],
      'FINISHED',
      ['ADMIT INPATIENT 01 08:00', 'DISCHARGE INPATIENT 01 10:00'],
    ],
    [
      'home health',
      [admit, discharge],
      'FINISHED',
      ['STARTED_HHA_SERVICES HHA 01 08:00', 'ENDED_HHA_SERVICES HHA 01 10:00'],
      HOME_HEALTH,
    ],
    [
      'an ED visit that was left open',
      [present, fact('CLOSE', '3 08:00')],
      'FINISHED',
      ['PRESENTED EMERGENCY 01 08:00', 'CLOSED EMERGENCY 03 08:00'],
    ],
    [
      'an ED visit that was left open after a death',
      [present, fact('A08', '09:00', { patient: { deceased: true } }), fact('CLOSE', '3 08:00')],
      'FINISHED',
      ['PRESENTED EMERGENCY 01 08:00', 'DECEASED EMERGENCY 01 09:00'],
    ],
    [
      'a discharge after the automatic close',
      [present, fact('CLOSE', '3 08:00'), fact('A03', '3 09:00')],
      'FINISHED',
      ['PRESENTED EMERGENCY 01 08:00', 'DISCHARGE EMERGENCY 03 09:00'],
    ],
    [
      'a late discharge dated before the automatic close',
      [present, fact('CLOSE', '3 08:00'), fact('A03', '4 09:00', { discharged: '1 12:00' })],
      'FINISHED',
      ['PRESENTED EMERGENCY 01 08:00', 'DISCHARGE EMERGENCY 01 12:00'],
    ],
    [
      'an admission after the automatic close',
      [present, fact('CLOSE', '3 08:00'), fact('A06', '3 09:00')],
      'IN_PROGRESS',
      ['PRESENTED EMERGENCY 01 08:00', 'ADMIT INPATIENT 03 09:00'],
    ],
    [
      'an automatic close of a visit that is not in the ED',
      [admit, fact('CLOSE', '3 08:00')],
      'IN_PROGRESS',
      ['ADMIT INPATIENT 01 08:00'],
    ],
  ]);

  it('takes a death back if the discharge that reported it is canceled or corrected, with the messages that repeated it', () => {
    const alive = { deceased: false };
    const dead = { deceased: true, deceasedAt: moment('09:55') };
    const died = fact('A03', '10:00', { disposition: '20', patient: { deceased: true } });
    const repeated = fact('A08', '10:10', { disposition: '20', patient: dead });
    const canceled = [admit, died, repeated, fact('A13', '10:20', { patient: alive })];
    const home = fact('A03', '3 10:00', { discharged: '3 10:00', disposition: '01', patient: alive });
    const corrected = fact('A03', '10:20', { discharged: '10:20', disposition: '01', patient: alive });
    for (const [facts, events] of [
      [canceled, ['ADMIT INPATIENT 01 08:00']],
      [
        [...canceled, home],
        ['ADMIT INPATIENT 01 08:00', 'DISCHARGE INPATIENT 03 10:00'],
      ],
      [
        [admit, died, repeated, corrected],
        ['ADMIT INPATIENT 01 08:00', 'DISCHARGE INPATIENT 01 10:20'],
      ],
    ] as const) {
      const visit = foldVisit(facts, HOSPITAL);
      expect(eventsOf(visit)).toEqual(events);
      expect(visit.state).toMatchObject({ deceased: false, deceasedAt: null });
      expect(visit.deathsTakenBack).toContain(repeated.adt.contentHash);
    }
  });

  it('keeps a death if the discharge is corrected without a word about PID-30 that a message had said', () => {
    const died = fact('A03', '10:00', { disposition: '20', patient: { deceased: true } });
    const visit = foldVisit([admit, died, fact('A03', '10:20', { disposition: '01' })], HOSPITAL);
    expect(visit.state.deceased).toBe(true);
    const byCode = foldVisit(
      [admit, fact('A03', '10:00', { disposition: '20' }), fact('A08', '11:00', { disposition: '01' })],
      HOSPITAL,
    );
    expect(eventsOf(byCode)).toEqual(['ADMIT INPATIENT 01 08:00', 'DISCHARGE INPATIENT 01 10:00']);
  });

  it('takes a death back whose disposition its sender deletes, and keeps the discharge', () => {
    const deleted = (deceased?: boolean | null) =>
      fact('A08', '11:00', { dischargedAt: null, disposition: null, patient: { deceased } });
    const died = fact('A03', '10:00', { disposition: '20' });
    for (const deceased of [undefined, null, false]) {
      const visit = foldVisit([admit, died, deleted(deceased)], HOSPITAL);
      expect(eventsOf(visit)).toEqual(['ADMIT INPATIENT 01 08:00', 'DISCHARGE INPATIENT 01 10:00']);
      expect(visit.state).toMatchObject({ deceased: false, disposition: null });
    }
    const reported = fact('A03', '10:00', { disposition: '20', patient: { deceased: true } });
    expect(foldVisit([admit, reported, deleted()], HOSPITAL).state.deceased).toBe(true);
    expect(foldVisit([admit, reported, deleted(null)], HOSPITAL).state.deceased).toBe(false);
  });

  it('keeps a death that a later message contradicts, and sets a flag', () => {
    const alive = fact('A08', '11:00', { patient: { deceased: false } });
    const visit = foldVisit([admit, fact('A03', '10:00', { disposition: '20' }), alive], HOSPITAL);
    expect(visit.state.deceased).toBe(true);
    expect(visit.flags).toEqual(['DEATH_CONTRADICTED']);
  });

  it('flags a live discharge after a death that only an update reported', () => {
    const dead = fact('A08', '09:00', { patient: { deceased: true, deceasedAt: moment('08:50') } });
    for (const end of [
      fact('A03', '10:00', { disposition: '01' }),
      fact('A08', '10:00', { discharged: '10:00', disposition: '03' }),
    ]) {
      const visit = foldVisit([admit, dead, end], HOSPITAL);
      expect(visit.state).toMatchObject({ status: 'FINISHED', deceased: true, dischargedAt: moment('10:00') });
      expect(visit.flags).toEqual(['DEATH_CONTRADICTED']);
      expect(visit.outcomes.get(end.id)).toBe('Created: discharge');
    }
    expect(foldVisit([admit, dead, fact('A03', '10:00', { disposition: '20' })], HOSPITAL).flags).toEqual([]);
  });

  it('updates the discharge when a later message corrects its disposition, but not by an earlier update', () => {
    const before = fact('A08', '09:59', { disposition: '06', discharged: '09:00' });
    const after = fact('A08', '10:30', { disposition: '03', dischargedTo: 'Elm House' });
    const visit = foldVisit([admit, before, discharge, after], HOSPITAL);
    expect(visit.events[1]).toMatchObject({ code: 'DISCHARGE', disposition: '03', dischargedTo: 'Elm House' });
    expect(visit.outcomes.get(after.id)).toBe('Updated: discharge');
  });

  it('makes a death reported after the discharge the end of the stay if it happened during the stay', () => {
    const dead = (at: string) => fact('A08', '4 08:00', { patient: { deceased: true, deceasedAt: moment(at) } });
    expect(eventsOf(foldVisit([admit, discharge, dead('1 09:50')], HOSPITAL))).toEqual([
      'ADMIT INPATIENT 01 08:00',
      'DECEASED INPATIENT 01 09:50',
    ]);
    expect(eventsOf(foldVisit([admit, discharge, dead('3 09:50')], HOSPITAL))).toEqual([
      'ADMIT INPATIENT 01 08:00',
      'DISCHARGE INPATIENT 01 10:00',
      'DECEASED INPATIENT 03 09:50',
    ]);
  });

  it('keeps a death, and a known disposition, if a correction has a word that is not known', () => {
    const died = fact('A03', '10:00', { disposition: '20' });
    for (const [trigger, word] of [
      ['A08', 'ZQX'],
      ['A03', 'MORGUE'],
    ] as const) {
      const corrected = foldVisit([admit, died, fact(trigger, '11:00', { disposition: word })], HOSPITAL);
      expect(corrected.events.map(({ code }) => code)).toEqual(['ADMIT', 'DECEASED']);
      expect(corrected.state).toMatchObject({ deceased: true, disposition: '20' });
    }
    const home = fact('A03', '10:00', { disposition: '01' });
    const unclear = foldVisit([admit, home, fact('A08', '11:00', { disposition: 'ZQX' })], HOSPITAL);
    expect(unclear.state.disposition).toBe('01');
  });

  it('does not date a death by a PID-29 years before the stay', () => {
    const deceasedAt = { ...moment('1'), instant: '1900-01-01T05:00:00Z', localDate: '1900-01-01' };
    const visit = foldVisit([admit, fact('A08', '1 12:00', { patient: { deceased: true, deceasedAt } })], HOSPITAL);
    expect(visit.events.map(({ code, at }) => [code, at.localDate])).toEqual([
      ['ADMIT', '2026-03-01'],
      ['DECEASED', '2026-03-01'],
    ]);
    expect(visit.state.deceasedAt).toBeNull();
  });

  it('does not date a death by a PID-29 in the future of its message', () => {
    const at = moment('2 10:00');
    const dead = fact('A08', '1 12:00', { patient: { deceased: true, deceasedAt: at }, received: '1 12:00' });
    const visit = foldVisit([admit, dead], HOSPITAL);
    expect(visit.events.at(-1)).toMatchObject({ code: 'DECEASED', at: moment('1 12:00') });
    expect(visit.flags).toContain('TIME_NOT_BELIEVED');
  });

  it('dates a death by PID-29, also the one that a discharge reports, and leaves the discharge its time', () => {
    const died = (at: string, time = '2 10:00') =>
      fact('A03', time, {
        discharged: '2 10:00',
        disposition: '20',
        patient: { deceased: true, deceasedAt: moment(at) },
      });
    const folded = (...facts: Fact[]) => {
      const { events, state } = foldVisit([admit, ...facts], HOSPITAL);
      const death = events.find(({ code }) => code === 'DECEASED');
      return [
        death?.at.instant.slice(8, 16).replace('T', ' '),
        state.dischargedAt?.instant.slice(8, 16).replace('T', ' '),
      ];
    };
    expect(folded(died('1 23:50'))).toEqual(['01 23:50', '02 10:00']);
    // A day says less than the time of the discharge on that day, and can't come before the admission.
    expect(folded(died('2'))).toEqual(['02 10:00', '02 10:00']);
    expect(folded(died('1'))).toEqual(['02 10:00', '02 10:00']);
    const later = fact('A03', '4 10:00', { disposition: '20', patient: { deceased: true, deceasedAt: moment('3') } });
    expect(folded(later)).toEqual(['03 00:00', '04 10:00']);
    expect(folded(died('1 23:50'), died('1 23:40', '2 11:00'))).toEqual(['01 23:40', '02 10:00']);
    const late = fact('A01', '9 08:00', { class: 'INPATIENT', admitted: '9 08:00', visit: 'V9' });
    const wrong = { disposition: '20', patient: { deceased: true, deceasedAt: moment('1 09:00') }, visit: 'V9' };
    expect(foldVisit([late, fact('A03', '9 10:00', wrong)], HOSPITAL).events[1]?.at).toEqual(moment('9 10:00'));
  });

  it('creates one death, even if a later discharge repeats it', () => {
    const dead = fact('A08', '3 08:00', { patient: { deceased: true, deceasedAt: moment('3 07:50') } });
    const again = fact('A03', '4 08:00', { discharged: '4 08:00', disposition: '20' });
    const { events } = foldVisit([admit, discharge, dead, again], HOSPITAL);
    expect(events.filter(({ code }) => code === 'DECEASED')).toHaveLength(1);
  });

  it('lets a stay after an erroneous death end with a discharge', () => {
    const died = fact('A03', '10:00', { disposition: '20' });
    const back = fact('A01', '2 08:00', { class: 'INPATIENT', admitted: '2 08:00' });
    const visit = foldVisit([admit, died, back, fact('A03', '3 08:00', { disposition: '01' })], HOSPITAL);
    expect(visit.events.map(({ code }) => code)).toEqual(['ADMIT', 'DECEASED', 'ADMIT', 'DISCHARGE']);
    expect(visit.flags).toEqual(['DEATH_CONTRADICTED']);
  });
});
