import { describe, expect, it } from 'vitest';
import { fact, foldDossier, NURSING } from '#server/testing/facts.ts';
import { manualEntry, testStories } from '#server/testing/visit-stories.ts';
import type { Fact } from './fold-input.ts';
import { foldVisit } from './fold-visit.ts';
import { foldDemographics } from './folded-demographics.ts';
import { separatePatients } from './record-holders.ts';

const admission = manualEntry('ADMIT', '2');
const discharge = manualEntry('DISCHARGE', '4');

/** An entry of staff that retracts or replaces others. */
const retracting = (entry: Fact, ...entries: Fact[]): Fact => ({
  ...entry,
  adt: { ...entry.adt, retracts: entries.map(({ adt }) => adt.controlId) },
});
const retract = (...entries: Fact[]): Fact => retracting(fact('RETRACT', '9 13:00'), ...entries);

describe('corrections of manual entries', () => {
  const earlier = retracting(manualEntry('DISCHARGE', '3'), discharge);
  const latest = retracting(
    fact('MANUAL', '5', { manual: 'DISCHARGE', occurred: '5', sent: '9 14:00', recorded: null }),
    discharge,
  );
  testStories([
    [
      'a discharge that is entered again with another day',
      [admission, discharge, earlier],
      'FINISHED',
      ['ADMIT SNF 02 00:00', 'DISCHARGE SNF 03 00:00'],
      NURSING,
    ],
    [
      'a discharge that is deleted',
      [admission, discharge, retract(discharge)],
      'IN_PROGRESS',
      ['ADMIT SNF 02 00:00'],
      NURSING,
    ],
    [
      'a corrected discharge that is deleted: the first one stays away',
      [admission, discharge, earlier, retract(earlier)],
      'IN_PROGRESS',
      ['ADMIT SNF 02 00:00'],
      NURSING,
    ],
    [
      'a visit whose entries are all deleted',
      [admission, discharge, retract(admission, discharge)],
      'CANCELLED',
      [],
      NURSING,
    ],
    [
      'a discharge that two users change at the same time: the later change stays',
      [admission, discharge, earlier, latest],
      'FINISHED',
      ['ADMIT SNF 02 00:00', 'DISCHARGE SNF 05 00:00'],
      NURSING,
    ],
    [
      'what is entered after that',
      [admission, discharge, retract(admission, discharge), manualEntry('ADMIT', '5')],
      'IN_PROGRESS',
      ['ADMIT SNF 05 00:00'],
      NURSING,
    ],
  ]);

  it('retracts the death that staff entered by mistake', () => {
    const death = manualEntry('DECEASED', '4');
    const visit = foldVisit([admission, death, retract(death)], NURSING);
    expect(visit.state).toMatchObject({ status: 'IN_PROGRESS', deceased: false });
  });

  it("doesn't retract what a feed sent, whatever its control id", () => {
    const sent = fact('A03', '5 10:00', { discharged: '5 10:00' });
    expect(foldVisit([admission, sent, retract(sent)], NURSING).state.status).toBe('FINISHED');
  });
});

describe('corrections of a patient entered by hand', () => {
  const name = (family: string, given: string) => ({ family, given, middle: null, suffix: null });
  const entered = fact('MANUAL', '2', {
    manual: 'ADMIT',
    occurred: '2',
    patient: { name: name('Smith', 'Jon'), birthDate: '1941-03-14' },
  });
  const again = fact('MANUAL', '6', { manual: 'ADMIT', occurred: '6', visit: 'V101' });
  const correction = (time: string, family: string, given: string): Fact => {
    const made = fact('CORRECT', time, { noVisit: true });
    const patient = { ...made.adt.patient, name: name(family, given), birthDate: '1944-03-14' };
    return { ...made, adt: { ...made.adt, correction: { of: [entered.adt.controlId], patient } } };
  };

  it('describe the same patient, even with another name and another birth date', () => {
    const facts = [entered, again, correction('8 10:00', 'Schmidt', 'Johanna')];
    const { shared, facts: separated } = separatePatients(facts);
    expect(shared).toEqual([]);
    expect(foldDemographics(separated).demographics).toMatchObject({
      name: name('Schmidt', 'Johanna'),
      birthDate: '1944-03-14',
    });
    expect(foldDossier(facts, NURSING).map(({ events }) => events.map(({ code }) => code))).toEqual([
      ['ADMIT'],
      ['ADMIT'],
    ]);
  });

  it('count by when they were made', () => {
    const facts = [correction('9 10:00', 'Schmitz', 'Johanna'), entered, correction('8 10:00', 'Schmidt', 'Johanna')];
    for (const order of [facts, facts.toReversed()])
      expect(foldDemographics(separatePatients(order).facts).demographics.name?.family).toBe('Schmitz');
  });
});

describe('manual entries', () => {
  testStories([
    [
      'a stay',
      [
        manualEntry('ADMIT', '2'),
        manualEntry('MEDICAL_LEAVE_OF_ABSENCE', '3'),
        manualEntry('RESUMED_SERVICES', '4'),
        manualEntry('ENDED_SERVICES', '5'),
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
      'an admission and a discharge on one day',
      [manualEntry('DISCHARGE', '2'), manualEntry('ADMIT', '2')],
      'FINISHED',
      ['ADMIT SNF 02 00:00', 'DISCHARGE SNF 02 00:00'],
      NURSING,
    ],
    [
      'a payer change and a transfer',
      [manualEntry('ADMIT', '2'), manualEntry('PAYOR_CHANGE', '3'), manualEntry('TRANSFER', '4')],
      'IN_PROGRESS',
      ['ADMIT SNF 02 00:00', 'PAYOR_CHANGE SNF 03 00:00', 'TRANSFER SNF 04 00:00'],
      NURSING,
    ],
  ]);

  it('keeps a day without a time as a day', () => {
    const visit = foldVisit([manualEntry('ADMIT', '2')], NURSING);
    expect(visit.events[0]).toMatchObject({ key: 'ADMIT@2026-03-02#1', at: { precision: 'day' }, isManual: true });
  });
});
