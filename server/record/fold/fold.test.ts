import { describe, expect, it } from 'vitest';
import { fact, HOME_HEALTH, HOSPITAL, moment, NURSING, URGENT_CARE } from '#server/testing/facts.ts';
import { foldVisit, type VisitFold } from './fold.ts';
import type { Fact, FoldFacility } from './fold-input.ts';

const told = ({ events }: VisitFold) =>
  events.map(({ code, at, setting }) => `${code} ${setting} ${at.instant.slice(8, 16).replace('T', ' ')}`);

const admit = fact('A01', '08:00', { class: 'INPATIENT', admitted: '08:00', unit: '4W', room: '1' });
const present = fact('A04', '08:00', { class: 'EMERGENCY', admitted: '08:00', unit: 'ED' });
const discharge = fact('A03', '10:00', { class: 'INPATIENT', discharged: '10:00', disposition: '01' });
const OUTPATIENTS: FoldFacility = { ...HOSPITAL, registrationIsVisit: true };
const byHand = (manual: Fact['manualCode'], day: string) =>
  fact('MANUAL', day, { manual, occurred: day, sent: '9 12:00', recorded: '9 12:00' });

const STORIES: [title: string, facts: Fact[], status: string, events: string[], facility?: FoldFacility][] = [
  ['an admission', [admit], 'IN_PROGRESS', ['ADMIT INPATIENT 01 08:00']],
  [
    'an observation stay',
    [fact('A01', '08:00', { class: 'OBSERVATION' })],
    'IN_PROGRESS',
    ['ADMIT OBSERVATION 01 08:00'],
  ],
  ['an arrival in the ED', [present], 'IN_PROGRESS', ['PRESENTED EMERGENCY 01 08:00']],
  ['an A01 in the ED', [fact('A01', '08:00', { class: 'EMERGENCY' })], 'IN_PROGRESS', ['PRESENTED EMERGENCY 01 08:00']],
  ['an A01 without a class', [fact('A01', '08:00')], 'IN_PROGRESS', ['ADMIT UNKNOWN 01 08:00']],
  ['a silent registration', [fact('A04', '08:00', { class: 'OUTPATIENT' })], 'FINISHED', []],
  [
    'a registration that is a visit',
    [fact('A04', '08:00', { class: 'OUTPATIENT' }), fact('A03', '09:00', { class: 'OUTPATIENT' })],
    'FINISHED',
    ['VISIT OUTPATIENT 01 08:00'],
    OUTPATIENTS,
  ],
  [
    'urgent care',
    [fact('A04', '08:00', { class: 'EMERGENCY' }), fact('A03', '09:00')],
    'FINISHED',
    ['VISIT URGENT_CARE 01 08:00'],
    URGENT_CARE,
  ],
  [
    'an admission and a discharge',
    [admit, discharge],
    'FINISHED',
    ['ADMIT INPATIENT 01 08:00', 'DISCHARGE INPATIENT 01 10:00'],
  ],
  [
    'ED, then inpatient by A06',
    [present, fact('A06', '09:00', { class: 'INPATIENT', admitted: '08:00', occurred: '08:00' })],
    'IN_PROGRESS',
    ['PRESENTED EMERGENCY 01 08:00', 'ADMIT INPATIENT 01 09:00'],
  ],
  [
    'an A06 whose PV1-44 is its own admission',
    [present, fact('A06', '13:00', { admitted: '09:00', occurred: '09:00' })],
    'IN_PROGRESS',
    ['PRESENTED EMERGENCY 01 08:00', 'ADMIT INPATIENT 01 09:00'],
  ],
  [
    'ED, then inpatient by A01',
    [present, fact('A01', '09:00', { class: 'INPATIENT', occurred: '09:00' })],
    'IN_PROGRESS',
    ['PRESENTED EMERGENCY 01 08:00', 'ADMIT INPATIENT 01 09:00'],
  ],
  [
    'observation, then inpatient',
    [fact('A01', '08:00', { class: 'OBSERVATION' }), fact('A06', '09:00')],
    'IN_PROGRESS',
    ['ADMIT OBSERVATION 01 08:00', 'ADMIT INPATIENT 01 09:00'],
  ],
  [
    'inpatient back to observation by A07',
    [admit, fact('A07', '09:00', { class: 'OBSERVATION' })],
    'IN_PROGRESS',
    ['ADMIT INPATIENT 01 08:00', 'TRANSFER OBSERVATION 01 09:00'],
  ],
  [
    'a class change by A08',
    [present, fact('A08', '09:00', { class: 'OBSERVATION' })],
    'IN_PROGRESS',
    ['PRESENTED EMERGENCY 01 08:00', 'TRANSFER OBSERVATION 01 09:00'],
  ],
  [
    'another unit',
    [admit, fact('A02', '09:00', { unit: 'ICU' })],
    'IN_PROGRESS',
    ['ADMIT INPATIENT 01 08:00', 'TRANSFER INPATIENT 01 09:00'],
  ],
  [
    'another bed',
    [admit, fact('A02', '09:00', { unit: '4W', room: '2' })],
    'IN_PROGRESS',
    ['ADMIT INPATIENT 01 08:00'],
  ],
  [
    'a transfer that was cancelled',
    [admit, fact('A02', '09:00', { unit: 'ICU' }), fact('A12', '09:30')],
    'IN_PROGRESS',
    ['ADMIT INPATIENT 01 08:00'],
  ],
  [
    'a discharge that was cancelled',
    [admit, discharge, fact('A13', '10:30')],
    'IN_PROGRESS',
    ['ADMIT INPATIENT 01 08:00'],
  ],
  [
    'a discharge put right without a cancel, then cancelled',
    [admit, discharge, fact('A03', '11:00', { discharged: '11:00' }), fact('A13', '11:30')],
    'IN_PROGRESS',
    ['ADMIT INPATIENT 01 08:00'],
  ],
  [
    'a discharge put right',
    [admit, discharge, fact('A03', '11:00', { discharged: '11:00', disposition: '03' })],
    'FINISHED',
    ['ADMIT INPATIENT 01 08:00', 'DISCHARGE INPATIENT 01 11:00'],
  ],
  [
    'an A13 that comes days late, after a new discharge',
    [admit, discharge, fact('A13', '11:00', { sent: '3 09:00' }), fact('A03', '12:00', { discharged: '12:00' })],
    'FINISHED',
    ['ADMIT INPATIENT 01 08:00', 'DISCHARGE INPATIENT 01 12:00'],
  ],
  [
    'an A13 sent again after a new discharge',
    [
      admit,
      discharge,
      fact('A13', '10:30:01'),
      fact('A03', '11:00', { discharged: '11:00' }),
      fact('A13', '12:00', { recorded: '10:30:01' }),
    ],
    'FINISHED',
    ['ADMIT INPATIENT 01 08:00', 'DISCHARGE INPATIENT 01 11:00'],
  ],
  ['an admission that was cancelled', [admit, fact('A08', '08:10'), fact('A11', '08:30')], 'CANCELLED', []],
  [
    'an update after the cancel',
    [admit, fact('A11', '08:30'), fact('A08', '08:40', { class: 'INPATIENT', admitted: '08:00' })],
    'CANCELLED',
    [],
  ],
  [
    'a new admission after the cancel',
    [admit, fact('A11', '08:30'), fact('A01', '09:00', { class: 'INPATIENT' })],
    'IN_PROGRESS',
    ['ADMIT INPATIENT 01 09:00'],
  ],
  [
    'an admission sent twice, then cancelled',
    [admit, fact('A01', '08:05', { class: 'INPATIENT', admitted: '08:00' }), fact('A11', '08:30')],
    'CANCELLED',
    [],
  ],
  [
    'an inpatient admission cancelled, back to the ED',
    [present, fact('A01', '09:00', { class: 'INPATIENT' }), fact('A11', '09:30')],
    'IN_PROGRESS',
    ['PRESENTED EMERGENCY 01 08:00'],
  ],
  [
    'the same, where the cancel is sent again under another control id',
    [
      present,
      fact('A01', '09:00', { class: 'INPATIENT' }),
      fact('A11', '09:30', { class: 'INPATIENT', sent: '09:30:10' }),
      fact('A11', '09:30', { class: 'INPATIENT', sent: '09:31:10', control: '9' }),
    ],
    'IN_PROGRESS',
    ['PRESENTED EMERGENCY 01 08:00'],
  ],
  [
    'an inpatient admission and the arrival before it, both cancelled in one minute',
    [
      present,
      fact('A01', '09:00', { class: 'INPATIENT' }),
      fact('A11', '09:30', { class: 'INPATIENT', sent: '09:30:10' }),
      fact('A11', '09:30', { class: 'EMERGENCY', sent: '09:30:40', control: '9' }),
    ],
    'CANCELLED',
    [],
  ],
  [
    'an arrival and a discharge in the ED, then an admission with the PV1-44 of the arrival',
    [
      present,
      fact('A03', '10:00', { class: 'EMERGENCY', discharged: '10:00' }),
      fact('A01', '10:05', { class: 'INPATIENT', admitted: '08:00' }),
    ],
    'IN_PROGRESS',
    ['PRESENTED EMERGENCY 01 08:00', 'DISCHARGE EMERGENCY 01 10:00', 'ADMIT INPATIENT 01 10:05'],
  ],
  ['a cancel whose admission has not come', [fact('A11', '08:30')], 'CANCELLED', []],
  [
    'a plan',
    [fact('A05', '07:00', { class: 'INPATIENT', admitted: '5 08:00' }), fact('A08', '07:30', { class: 'INPATIENT' })],
    'PLANNED',
    [],
  ],
  [
    'a registration of class P',
    [fact('A04', '07:00', { classCode: 'P' }), fact('A08', '07:30', { classCode: 'P' })],
    'PLANNED',
    [],
  ],
  [
    'an update of class P first, then the admission',
    [fact('A08', '07:30', { classCode: 'P' }), admit],
    'IN_PROGRESS',
    ['ADMIT INPATIENT 01 08:00'],
  ],
  ['a plan that was cancelled', [fact('A05', '07:00'), fact('A38', '07:30')], 'CANCELLED', []],
  ['a pending admission that was cancelled', [fact('A14', '07:00'), fact('A27', '07:30')], 'CANCELLED', []],
  [
    'a plan, an admission, its cancel',
    [fact('A05', '07:00'), admit, fact('A02', '08:10', { unit: 'ICU' }), fact('A11', '08:30')],
    'PLANNED',
    [],
  ],
  ['a deleted visit', [admit, discharge, fact('A23', '11:00')], 'CANCELLED', []],
  ['a deleted person', [admit, fact('A29', '11:00', { noVisit: true })], 'CANCELLED', []],
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
    'a disposition that becomes a death',
    [admit, discharge, fact('A08', '11:00', { disposition: '20' })],
    'FINISHED',
    ['ADMIT INPATIENT 01 08:00', 'DECEASED INPATIENT 01 10:00'],
  ],
  [
    'still a patient',
    [admit, fact('A03', '10:00', { disposition: '30' })],
    'IN_PROGRESS',
    ['ADMIT INPATIENT 01 08:00'],
  ],
  ['a discharge without admission', [discharge], 'FINISHED', ['DISCHARGE INPATIENT 01 10:00']],
  [
    'an update first',
    [fact('A08', '09:00', { class: 'INPATIENT', admitted: '08:00' })],
    'IN_PROGRESS',
    ['ADMIT INPATIENT 01 08:00'],
  ],
  ['an update first, without a time of admission', [fact('A08', '09:00', { class: 'INPATIENT' })], 'IN_PROGRESS', []],
  ['a transfer first, without a class', [fact('A02', '09:00', { unit: 'ICU', admitted: '08:00' })], 'IN_PROGRESS', []],
  [
    'an update dated before the admission',
    [fact('A08', '07:50', { class: 'INPATIENT', admitted: '08:00' }), admit],
    'IN_PROGRESS',
    ['ADMIT INPATIENT 01 08:00'],
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
    'a second stay under the same number',
    [admit, discharge, fact('A01', '5 08:00', { class: 'INPATIENT', admitted: '5 08:00' })],
    'IN_PROGRESS',
    ['ADMIT INPATIENT 01 08:00', 'DISCHARGE INPATIENT 01 10:00', 'ADMIT INPATIENT 05 08:00'],
  ],
  [
    'another payer',
    [
      fact('A01', '08:00', {
        class: 'INPATIENT',
        payers: [{ code: null, company: 'Medicare', plan: null, memberId: null }],
      }),
      fact('A08', '09:00', { payers: [{ code: null, company: 'Medicaid', plan: null, memberId: null }] }),
    ],
    'IN_PROGRESS',
    ['ADMIT INPATIENT 01 08:00', 'PAYOR_CHANGE INPATIENT 01 09:00'],
  ],
  [
    'the same payer in other letters',
    [
      fact('A01', '08:00', {
        class: 'INPATIENT',
        payers: [{ code: null, company: 'Medicare', plan: null, memberId: null }],
      }),
      fact('A08', '09:00', { payers: [{ code: 'M1', company: 'MEDICARE', plan: 'A', memberId: '7' }] }),
    ],
    'IN_PROGRESS',
    ['ADMIT INPATIENT 01 08:00'],
  ],
  ['a leave from a hospital', [admit, fact('A21', '09:00')], 'ON_LEAVE', ['ADMIT INPATIENT 01 08:00']],
  [
    'a leave from a nursing facility',
    [admit, fact('A21', '09:00'), fact('A22', '11:00')],
    'IN_PROGRESS',
    ['ADMIT SNF 01 08:00', 'MEDICAL_LEAVE_OF_ABSENCE SNF 01 09:00', 'RESUMED_SERVICES SNF 01 11:00'],
    NURSING,
  ],
  [
    'a leave that was cancelled',
    [admit, fact('A21', '09:00'), fact('A52', '09:30')],
    'IN_PROGRESS',
    ['ADMIT SNF 01 08:00'],
    NURSING,
  ],
  [
    'a return that was cancelled',
    [admit, fact('A21', '09:00'), fact('A22', '11:00'), fact('A53', '11:30')],
    'ON_LEAVE',
    ['ADMIT SNF 01 08:00', 'MEDICAL_LEAVE_OF_ABSENCE SNF 01 09:00'],
    NURSING,
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
    'a discharge after the close',
    [present, fact('CLOSE', '3 08:00'), fact('A03', '3 09:00')],
    'FINISHED',
    ['PRESENTED EMERGENCY 01 08:00', 'DISCHARGE EMERGENCY 03 09:00'],
  ],
  [
    'a late discharge from before the close',
    [present, fact('CLOSE', '3 08:00'), fact('A03', '4 09:00', { discharged: '1 12:00' })],
    'FINISHED',
    ['PRESENTED EMERGENCY 01 08:00', 'DISCHARGE EMERGENCY 01 12:00'],
  ],
  [
    'an admission after the close',
    [present, fact('CLOSE', '3 08:00'), fact('A06', '3 09:00')],
    'IN_PROGRESS',
    ['PRESENTED EMERGENCY 01 08:00', 'ADMIT INPATIENT 03 09:00'],
  ],
  ['a close of what is no ED visit', [admit, fact('CLOSE', '3 08:00')], 'IN_PROGRESS', ['ADMIT INPATIENT 01 08:00']],
  [
    'a stay entered by hand',
    [
      byHand('ADMIT', '2'),
      byHand('MEDICAL_LEAVE_OF_ABSENCE', '3'),
      byHand('RESUMED_SERVICES', '4'),
      byHand('ENDED_SERVICES', '5'),
    ],
    'FINISHED',
    [
      'ADMIT SNF 02 00:00',
      'MEDICAL_LEAVE_OF_ABSENCE SNF 03 00:00',
      'RESUMED_SERVICES SNF 04 00:00',
      'ENDED_SERVICES SNF 05 00:00',
    ],
    NURSING,
  ],
  [
    'admitted and discharged on one day, by hand',
    [byHand('DISCHARGE', '2'), byHand('ADMIT', '2')],
    'FINISHED',
    ['ADMIT SNF 02 00:00', 'DISCHARGE SNF 02 00:00'],
    NURSING,
  ],
  [
    'a change of payer by hand',
    [byHand('ADMIT', '2'), byHand('PAYOR_CHANGE', '3'), byHand('TRANSFER', '4')],
    'IN_PROGRESS',
    ['ADMIT SNF 02 00:00', 'PAYOR_CHANGE SNF 03 00:00', 'TRANSFER SNF 04 00:00'],
    NURSING,
  ],
];

describe('foldVisit', () => {
  it.each(STORIES)('%s', (_title, facts, status, events, facility = HOSPITAL) => {
    const visit = foldVisit(facts, facility);
    expect({ status: visit.state.status, events: told(visit) }).toEqual({ status, events });
    expect([...visit.outcomes.keys()].sort()).toEqual(facts.map(({ id }) => id).sort());
    expect([...visit.outcomes.values()]).not.toContain('');
  });

  it('ends as discharged after a discharge, its cancel and a new discharge in one minute', () => {
    const times = ['10:00:05', '10:00:20', '10:00:40'];
    for (const sent of [times, ['10:00', '10:00', '10:00'], ['10:00:05', '10:00:05', '10:00:05']]) {
      for (const control of [
        ['7', '8', '9'],
        ['9', '10', '11'],
        ['q', 'a', 'm'],
        ['a', 'z', 'm'],
      ]) {
        const at = (i: number) => ({ sent: sent[i], recorded: '10:00', control: control[i] });
        const visit = foldVisit(
          [
            admit,
            fact('A03', '10:00', { discharged: '10:00', disposition: '01', ...at(0) }),
            fact('A13', '10:00', { ...at(1) }),
            fact('A03', '10:00', { discharged: '10:00', disposition: '03', ...at(2) }),
          ],
          HOSPITAL,
        );
        expect(visit.state.status).toBe('FINISHED');
        expect(told(visit)).toEqual(['ADMIT INPATIENT 01 08:00', 'DISCHARGE INPATIENT 01 10:00']);
        if (sent === times) expect(visit.events[1]?.disposition).toBe('03');
      }
    }
  });

  it('keeps what a later message is silent about, and deletes what it deletes', () => {
    const { state } = foldVisit(
      [
        fact('A01', '08:00', { class: 'INPATIENT', unit: '4W', admitReason: 'Fall', admitSource: '7' }),
        fact('A08', '09:00', { admitReason: null }),
      ],
      HOSPITAL,
    );
    expect(state).toMatchObject({ location: { pointOfCare: '4W' }, admitSource: '7', admitReason: null });
  });

  it('dates messages that share a stale EVN-6 by other fields', () => {
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
    expect(told(visit)).toEqual([
      'ADMIT INPATIENT 01 08:00',
      'TRANSFER INPATIENT 01 09:00',
      'DISCHARGE INPATIENT 01 10:00',
    ]);
  });

  it('shows the final diagnosis in place of the working one and keeps the others', () => {
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
    expect(state.diagnoses.map(({ code, type }) => `${code} ${type}`)).toEqual(['R07.9 A', 'I50.9 F']);
  });

  it('never takes a death back by a message, but says that one contradicts it', () => {
    const alive = fact('A08', '11:00', { patient: { deceased: false } });
    const visit = foldVisit([admit, fact('A03', '10:00', { disposition: '20' }), alive], HOSPITAL);
    expect(visit.state.deceased).toBe(true);
    expect(visit.flags).toEqual(['DEATH_CONTRADICTED']);
  });

  it('amends the discharge when its disposition is corrected, but not by an update from before', () => {
    const before = fact('A08', '09:59', { disposition: '06', discharged: '09:00' });
    const after = fact('A08', '10:30', { disposition: '03', dischargedTo: 'Elm House' });
    const visit = foldVisit([admit, before, discharge, after], HOSPITAL);
    expect(visit.events[1]).toMatchObject({ code: 'DISCHARGE', disposition: '03', dischargedTo: 'Elm House' });
    expect(visit.outcomes.get(after.id)).toBe('amended Discharged');
  });

  it('flags what is not as it ought to be', () => {
    const flags = (...facts: Fact[]) => foldVisit(facts, HOSPITAL).flags;
    expect(flags(discharge)).toEqual(['ADMISSION_UNKNOWN']);
    expect(flags(admit, fact('A03', '10:00', { disposition: '30' }))).toEqual(['DISCHARGE_WITH_STILL_PATIENT']);
    expect(flags(admit, discharge, fact('A02', '11:00', { unit: 'ICU' }))).toEqual(['ACTIVITY_AFTER_DISCHARGE']);
    expect(flags(admit, fact('A13', '10:00'))).toEqual(['CANCEL_WITHOUT_TARGET']);
    expect(flags(fact('A01', '08:00'))).toEqual(['SETTING_UNKNOWN']);
  });

  it('says what became of each fact', () => {
    const cancel = fact('A13', '10:30');
    const orphan = fact('A12', '10:40');
    const again = fact('A03', '10:50', { discharged: '10:00', disposition: '01' });
    expect(foldVisit([admit, discharge, again], HOSPITAL).outcomes.get(again.id)).toBe(
      'repeats a discharge that is known',
    );
    const { outcomes } = foldVisit([admit, discharge, cancel, orphan], HOSPITAL);
    expect([admit, discharge, cancel, orphan].map(({ id }) => outcomes.get(id))).toEqual([
      'gave Admitted',
      'cancelled by A13',
      'cancels A03',
      'a cancel without a target yet',
    ]);
  });

  it('marks an event that it inferred, and takes the mark away when the admission comes', () => {
    const update = fact('A08', '09:00', { class: 'INPATIENT', admitted: '08:00' });
    expect(foldVisit([update], HOSPITAL).events[0]).toMatchObject({ inferred: true, at: moment('08:00') });
    expect(foldVisit([update, admit], HOSPITAL).events).toMatchObject([{ code: 'ADMIT', inferred: false }]);
  });

  it('keeps the precision of a day', () => {
    const visit = foldVisit([byHand('ADMIT', '2')], NURSING);
    expect(visit.events[0]).toMatchObject({ key: 'ADMIT@2026-03-02#1', at: { precision: 'day' }, isManual: true });
  });

  it('strikes the event that the EVN-6 of a cancel names, else the latest', () => {
    const transfers = [fact('A02', '09:00', { unit: 'ICU' }), fact('A02', '09:30', { unit: '5E' })];
    const named = foldVisit([admit, ...transfers, fact('A12', '10:00', { occurred: '09:00' })], HOSPITAL);
    expect(told(named)).toEqual(['ADMIT INPATIENT 01 08:00', 'TRANSFER INPATIENT 01 09:30']);
    const latest = foldVisit([admit, ...transfers, fact('A12', '10:00')], HOSPITAL);
    expect(told(latest)).toEqual(['ADMIT INPATIENT 01 08:00', 'TRANSFER INPATIENT 01 09:00']);
    expect(latest.state.location?.pointOfCare).toBe('ICU');
  });

  it('does not let an older message that comes late overwrite what is newer', () => {
    const late = fact('A08', '3 12:00', { recorded: '08:30', unit: '4W', attending: null });
    const doctor = { npi: '1234567893', localId: null, family: 'Ahlberg', given: 'Ida' };
    const moved = fact('A02', '09:00', { unit: 'ICU', attending: doctor });
    const { state } = foldVisit([admit, moved, late], HOSPITAL);
    expect(state).toMatchObject({ location: { pointOfCare: 'ICU' }, attending: doctor });
  });

  it('takes the attending back when the change is cancelled', () => {
    const doctor = (family: string) => ({ npi: null, localId: null, family, given: 'Ida' });
    const first = fact('A01', '08:00', { class: 'INPATIENT', attending: doctor('Ahlberg') });
    const change = fact('A54', '09:00', { attending: doctor('Bergman') });
    expect(foldVisit([first, change], HOSPITAL).state.attending?.family).toBe('Bergman');
    expect(foldVisit([first, change, fact('A55', '09:30')], HOSPITAL).state.attending?.family).toBe('Ahlberg');
  });

  it('forgets an expected discharge that was cancelled', () => {
    const pending = fact('A16', '09:00', { expectedDischargeAt: moment('3') });
    expect(foldVisit([admit, pending], HOSPITAL).state.expectedDischargeAt).toEqual(moment('3'));
    expect(foldVisit([admit, pending, fact('A25', '09:30')], HOSPITAL).state.expectedDischargeAt).toBeNull();
  });

  it.each([
    ['A16', 'A25'],
    ['A15', 'A26'],
  ])('goes back, when an %s is cancelled by %s, to what was expected before', (pending, cancel) => {
    const first = fact('A01', '08:00', { class: 'INPATIENT', expectedDischargeAt: moment('9'), estimatedDays: 8 });
    const sooner = fact(pending, '09:00', { expectedDischargeAt: moment('3'), estimatedDays: 2 });
    const other = pending === 'A16' ? 'A26' : 'A25';
    const expected = (...facts: Fact[]) => {
      const { expectedDischargeAt, estimatedDays } = foldVisit(facts, HOSPITAL).state;
      return [expectedDischargeAt?.localDate, estimatedDays];
    };
    expect(expected(first, sooner)).toEqual(['2026-03-03', 2]);
    expect(expected(fact(cancel, '09:30'), sooner, first)).toEqual(['2026-03-09', 8]);
    expect(expected(first, sooner, fact(other, '09:30'))).toEqual(['2026-03-03', 2]);
  });

  it('forgets it also where messages between repeated it, but not what they say anew', () => {
    const pending = fact('A16', '09:00', { expectedDischargeAt: moment('3') });
    const repeated = fact('A08', '09:10', { expectedDischargeAt: moment('3'), unit: '4W' });
    const cancel = fact('A25', '09:30');
    const state = (...facts: Fact[]) => foldVisit(facts, HOSPITAL).state;
    expect(state(admit, pending, repeated, cancel)).toMatchObject({
      expectedDischargeAt: null,
      location: { pointOfCare: '4W' },
    });
    // The time of a cancel may be that of what it cancels.
    const asOfThen = fact('A25', '09:00', { occurred: '09:00', recorded: '09:30', sent: '09:30' });
    expect(state(asOfThen, repeated, pending, admit).expectedDischargeAt).toBeNull();
    const anew = fact('A08', '09:20', { expectedDischargeAt: moment('7') });
    expect(state(admit, pending, repeated, anew, cancel).expectedDischargeAt).toEqual(moment('7'));
    const after = fact('A08', '09:40', { expectedDischargeAt: moment('3') });
    expect(state(admit, pending, repeated, cancel, after).expectedDischargeAt).toEqual(moment('3'));
    const before = fact('A08', '08:30', { expectedDischargeAt: moment('3') });
    expect(state(admit, before, pending, repeated, cancel).expectedDischargeAt).toEqual(moment('3'));
  });

  it('keeps estimated days until they are deleted', () => {
    const told = [fact('A01', '08:00', { class: 'INPATIENT', estimatedDays: 8 }), fact('A08', '09:00')];
    expect(foldVisit(told, HOSPITAL).state.estimatedDays).toBe(8);
    expect(
      foldVisit([...told, fact('A08', '10:00', { estimatedDays: null })], HOSPITAL).state.estimatedDays,
    ).toBeNull();
  });

  it('tells a death that becomes known after the discharge, in the stay where it happened in it', () => {
    const dead = (at: string) => fact('A08', '4 08:00', { patient: { deceased: true, deceasedAt: moment(at) } });
    expect(told(foldVisit([admit, discharge, dead('1 09:50')], HOSPITAL))).toEqual([
      'ADMIT INPATIENT 01 08:00',
      'DECEASED INPATIENT 01 10:00',
    ]);
    expect(told(foldVisit([admit, discharge, dead('3 09:50')], HOSPITAL))).toEqual([
      'ADMIT INPATIENT 01 08:00',
      'DISCHARGE INPATIENT 01 10:00',
      'DECEASED INPATIENT 03 09:50',
    ]);
  });

  it('gives each event what belongs to it', () => {
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

  it('tells one death once, also where a later discharge says it again', () => {
    const dead = fact('A08', '3 08:00', { patient: { deceased: true, deceasedAt: moment('3 07:50') } });
    const again = fact('A03', '4 08:00', { discharged: '4 08:00', disposition: '20' });
    const { events } = foldVisit([admit, discharge, dead, again], HOSPITAL);
    expect(events.filter(({ code }) => code === 'DECEASED')).toHaveLength(1);
  });

  it('lets a stay after a death that was an error end as usual', () => {
    const died = fact('A03', '10:00', { disposition: '20' });
    const back = fact('A01', '2 08:00', { class: 'INPATIENT', admitted: '2 08:00' });
    const visit = foldVisit([admit, died, back, fact('A03', '3 08:00', { disposition: '01' })], HOSPITAL);
    expect(visit.events.map(({ code }) => code)).toEqual(['ADMIT', 'DECEASED', 'ADMIT', 'DISCHARGE']);
    expect(visit.flags).toEqual(['DEATH_CONTRADICTED']);
  });
});
