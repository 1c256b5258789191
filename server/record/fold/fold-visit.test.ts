import { describe, expect, it } from 'vitest';
import { fact, HOSPITAL, moment } from '#server/testing/facts.ts';
import { admit, discharge, eventsOf } from '#server/testing/visit-stories.ts';
import type { Fact } from './fold-input.ts';
import { foldVisit } from './fold-visit.ts';

describe('foldVisit', () => {
  it('keeps fields that a later message lacks, and clears those it deletes', () => {
    const { state } = foldVisit(
      [
        fact('A01', '08:00', { class: 'INPATIENT', unit: '4W', admitReason: 'Fall', admitSource: '7' }),
        fact('A08', '09:00', { admitReason: null }),
      ],
      HOSPITAL,
    );
    expect(state).toMatchObject({ location: { pointOfCare: '4W' }, admitSource: '7', admitReason: null });
  });

  it('dates messages with a copied EVN-6 by other fields', () => {
    const stale = { occurred: '08:00', admitted: '08:00' };
    const visit = foldVisit(
      [
        fact('A01', '08:00', { class: 'INPATIENT', unit: '4W', ...stale }),
        fact('A02', '09:00', { unit: 'ICU', ...stale }),
        fact('A08', '09:10', { unit: 'ICU', ...stale }),
        fact('A03', '10:05', { discharged: '10:00', ...stale }),
      ],
      HOSPITAL,
    );
    expect(eventsOf(visit)).toEqual([
      'ADMIT INPATIENT 01 08:00',
      'TRANSFER INPATIENT 01 09:00',
      'DISCHARGE INPATIENT 01 10:00',
    ]);
  });

  it('replaces a working diagnosis by the final one and keeps the others', () => {
    const diagnosis = (code: string, type: 'A' | 'W' | 'F') =>
      ({ code, type, description: null, priority: null, codeSystem: null }) as const;
    const { state } = foldVisit(
      [
        fact('A01', '08:00', { class: 'INPATIENT', diagnoses: [diagnosis('R07.9', 'A'), diagnosis('I50.9', 'W')] }),
        fact('A03', '10:00', { diagnoses: [diagnosis('I509', 'F')] }),
        fact('A08', '11:00', { diagnoses: [diagnosis('I50.9', 'W')] }),
      ],
      HOSPITAL,
    );
    expect(state.diagnoses.map(({ code, type }) => `${code} ${type}`)).toEqual(['I50.9 F', 'R07.9 A']);
  });

  it('sets flags for inconsistent messages', () => {
    const flags = (...facts: Fact[]) => foldVisit(facts, HOSPITAL).flags;
    expect(flags(discharge)).toEqual(['ADMISSION_UNKNOWN']);
    expect(flags(admit, fact('A03', '10:00', { disposition: '30' }))).toEqual(['DISCHARGE_WITH_STILL_PATIENT']);
    expect(flags(admit, discharge, fact('A02', '11:00', { unit: 'ICU' }))).toEqual(['ACTIVITY_AFTER_DISCHARGE']);
    expect(flags(admit, fact('A13', '10:00'))).toEqual(['CANCEL_WITHOUT_TARGET']);
    expect(flags(fact('A01', '08:00'))).toEqual(['SETTING_UNKNOWN']);
  });

  it('reports the outcome of each fact', () => {
    const cancel = fact('A13', '10:30');
    const orphan = fact('A12', '10:40');
    const again = fact('A03', '10:50', { discharged: '10:00', disposition: '01' });
    expect(foldVisit([admit, discharge, again], HOSPITAL).outcomes.get(again.id)).toBe(
      'No new event: repeats a known discharge',
    );
    const { outcomes } = foldVisit([admit, discharge, cancel, orphan], HOSPITAL);
    expect([admit, discharge, cancel, orphan].map(({ id }) => outcomes.get(id))).toEqual([
      'Created: admission',
      'Canceled by A13',
      'Cancels A03',
      'Waiting for the message it cancels',
    ]);
  });

  it('does not let an older message that arrives late overwrite newer values', () => {
    const late = fact('A08', '3 12:00', { recorded: '08:30', unit: '4W', attending: null });
    const doctor = { npi: '1234567893', localId: null, family: 'Ahlberg', given: 'Ida' };
    const moved = fact('A02', '09:00', { unit: 'ICU', attending: doctor });
    const { state } = foldVisit([admit, moved, late], HOSPITAL);
    expect(state).toMatchObject({ location: { pointOfCare: 'ICU' }, attending: doctor });
  });

  it('keeps estimated days until they are deleted', () => {
    const stay = [fact('A01', '08:00', { class: 'INPATIENT', estimatedDays: 8 }), fact('A08', '09:00')];
    expect(foldVisit(stay, HOSPITAL).state.estimatedDays).toBe(8);
    expect(
      foldVisit([...stay, fact('A08', '10:00', { estimatedDays: null })], HOSPITAL).state.estimatedDays,
    ).toBeNull();
  });

  it('gives each event its own details', () => {
    const { events } = foldVisit(
      [
        fact('A04', '08:00', { class: 'EMERGENCY', unit: 'ED', admitSource: '1' }),
        fact('A06', '09:00', { class: 'INPATIENT', unit: '4W', admitSource: '1' }),
        fact('A03', '2 10:00', { disposition: '03', dischargedTo: 'Elm House' }),
      ],
      HOSPITAL,
    );
    expect(events).toMatchObject([
      { code: 'PRESENTED', priorSetting: null, pointOfCare: 'ED', admitSource: '1', disposition: null },
      { code: 'ADMIT', priorSetting: 'EMERGENCY', pointOfCare: '4W', admitSource: '1', disposition: null },
      { code: 'DISCHARGE', priorSetting: null, pointOfCare: '4W', disposition: '03', dischargedTo: 'Elm House' },
    ]);
  });
});

describe('the beginning of a stay', () => {
  const begun = (...facts: Fact[]) => {
    const { admittedAt, arrivedAt } = foldVisit(facts, HOSPITAL).state;
    return [arrivedAt?.instant ?? null, admittedAt?.instant];
  };

  it('keeps the arrival in the ED, for the length of stay, if an A06 has a PV1-44 of its own', () => {
    const present = fact('A04', '1 20:00', { class: 'EMERGENCY', admitted: '1 20:00' });
    const admit = fact('A06', '3 02:05', { class: 'INPATIENT', admitted: '3 02:00' });
    expect(begun(present, admit)).toEqual([moment('1 20:00').instant, moment('3 02:00').instant]);
    expect(begun(present)).toEqual([null, moment('1 20:00').instant]);
  });

  it('is the admission of an outpatient by A06 or A01, and the registration is kept apart', () => {
    const registration = fact('A04', '1 08:00', { class: 'OUTPATIENT', admitted: '1 08:00' });
    const cases: [Fact, string][] = [
      [fact('A06', '2 08:00', { class: 'INPATIENT', admitted: '1 08:00' }), '2 08:00'],
      [fact('A06', '2 08:00', { class: 'INPATIENT' }), '2 08:00'],
      [fact('A06', '2 08:00', { class: 'INPATIENT', admitted: '2 07:45' }), '2 07:45'],
      [fact('A01', '2 08:00', { class: 'INPATIENT', admitted: '2 08:00' }), '2 08:00'],
    ];
    for (const facility of [HOSPITAL, { ...HOSPITAL, registrationIsVisit: true }])
      for (const [admission, at] of cases) {
        const repeated = fact('A08', '2 12:00', { class: 'INPATIENT', admitted: '1 08:00' });
        const { state } = foldVisit([registration, admission, repeated], facility);
        expect([state.arrivedAt, state.admittedAt?.instant]).toEqual([undefined, moment(at).instant]);
        expect(state.registeredAt).toEqual(moment('1 08:00'));
      }
  });

  it('is the admission of an outpatient, not the registration, whose PV1-44 messages go on repeating', () => {
    const registered = { admitted: '1 08:00' };
    const facts = [
      fact('A04', '1 08:00', { class: 'OUTPATIENT', ...registered }),
      fact('A08', '3 10:00', { class: 'INPATIENT', ...registered }),
      fact('A08', '4 10:00', { class: 'INPATIENT', ...registered }),
    ];
    expect(begun(...facts)).toEqual([null, moment('3 10:00').instant]);
    const ordered = fact('A08', '4 11:00', { class: 'INPATIENT', admitted: '2 15:00' });
    expect(begun(...facts, ordered)).toEqual([null, moment('2 15:00').instant]);
  });
});
