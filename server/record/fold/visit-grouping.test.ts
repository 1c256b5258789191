import { describe, expect, it } from 'vitest';
import { fact, foldDossier, HOSPITAL } from '#server/testing/facts.ts';
import type { Fact } from './fold-input.ts';
import { outcomesOfDossier } from './outcomes.ts';
import { groupIntoVisits } from './visit-grouping.ts';
import { recordNumbersOf, usableNumber } from './visit-identifiers.ts';

/** Per visit: record number, and the triggers with their minute. */
const visitsOf = (...facts: Fact[]) =>
  groupIntoVisits(facts).map(({ recordNumber, facts: own }) => [
    recordNumber,
    own
      .map(({ adt }) => `${adt.trigger} ${adt.sentAt?.instant.slice(8, 16).replace('T', ' ')}`)
      .sort()
      .join(', '),
  ]);

describe('groupIntoVisits', () => {
  it('separates visits by visit number, even on the same account and day', () => {
    const first = fact('A04', '08:00', { visit: 'V101', account: 'A500', admitted: '08:00' });
    const second = fact('A04', '15:00', { visit: 'V102', account: 'A500', admitted: '15:00' });
    expect(visitsOf(first, second)).toEqual([
      ['M100', 'A04 01 08:00'],
      ['M100', 'A04 01 15:00'],
    ]);
  });

  it('adds a message that has only an account number to the nearest visit on that account', () => {
    const first = fact('A01', '1 08:00', { visit: 'V101', account: 'A500' });
    const second = fact('A01', '9 08:00', { visit: 'V102', account: 'A500' });
    const end = fact('A03', '9 15:00', { visit: null, account: 'A500' });
    expect(visitsOf(first, second, end)).toEqual([
      ['M100', 'A01 01 08:00'],
      ['M100', 'A01 09 08:00, A03 09 15:00'],
    ]);
  });

  it('falls back to account, alternate visit id, day of admission, and the visit that was open', () => {
    const byAccount = [
      fact('A01', '08:00', { visit: null, account: 'A500' }),
      fact('A03', '2 08:00', { visit: null, account: 'A500' }),
    ];
    expect(visitsOf(...byAccount)).toHaveLength(1);
    const byAlternate = byAccount.map(({ adt }, i) =>
      fact(adt.trigger, `${i + 1} 08:00`, { visit: null, alternateVisitId: 'X900' }),
    );
    expect(visitsOf(...byAlternate)).toHaveLength(1);
    const byDay = [
      fact('A01', '1 08:00', { visit: null }),
      fact('A03', '3 09:00', { visit: null, admitted: '1 08:00' }),
    ];
    expect(visitsOf(...byDay)).toHaveLength(1);
    const open = [fact('A01', '1 08:00'), fact('A03', '3 09:00', { visit: null })];
    expect(visitsOf(...open)).toEqual([['M100', 'A01 01 08:00, A03 03 09:00']]);
    const readmitted = [...byDay, fact('A01', '5 08:00', { visit: null, admitted: '5 08:00' })];
    expect(visitsOf(...readmitted)).toHaveLength(2);
  });

  it('continues an ED visit after midnight, whatever day its later messages give as the admission', () => {
    const noNumber = { visit: null, class: 'EMERGENCY' } as const;
    const arrival = fact('A04', '1 23:50', noNumber);
    const later = [
      fact('A08', '2 00:20', { ...noNumber, admitted: '2 00:05' }),
      fact('A01', '2 06:00', { ...noNumber, class: 'INPATIENT', admitted: '2 06:00' }),
      fact('A03', '3 10:00', { ...noNumber, class: 'INPATIENT', admitted: '2' }),
    ];
    expect(visitsOf(arrival, ...later)).toHaveLength(1);
    expect(visitsOf(...later.toReversed(), arrival)).toHaveLength(1);
    expect(visitsOf(fact('A04', '1 23:50', { ...noNumber, admitted: '1 23:50' }), ...later)).toHaveLength(1);
    expect(visitsOf(fact('A04', '1 23:50', { class: 'EMERGENCY' }), ...later)).toHaveLength(1);
  });

  it('continues an observation stay that becomes an inpatient stay on another day', () => {
    const noNumber = { visit: null, class: 'OBSERVATION' } as const;
    const observed = fact('A01', '1 16:00', { ...noNumber, admitted: '1 16:00' });
    const admitted = fact('A06', '2 09:00', { visit: null, class: 'INPATIENT', admitted: '2 09:00' });
    const home = fact('A03', '4 10:00', { visit: null, class: 'INPATIENT', admitted: '2 09:00' });
    expect(visitsOf(observed, admitted, home)).toHaveLength(1);
    expect(visitsOf(home, admitted, observed)).toHaveLength(1);
    const ended = fact('A03', '1 20:00', { ...noNumber, admitted: '1 16:00' });
    expect(visitsOf(observed, ended, admitted, home)).toHaveLength(2);
    const arrived = fact('A04', '1 15:00', { visit: null, class: 'EMERGENCY', admitted: '1 15:00' });
    expect(
      visitsOf(
        arrived,
        fact('A06', '2 08:00', { ...noNumber, admitted: '2 08:00' }),
        fact('A06', '3 09:00', { visit: null, class: 'INPATIENT', admitted: '3 09:00' }),
      ),
    ).toHaveLength(1);
  });

  it('does not continue an ED visit that ended after it had been continued', () => {
    const stay = [
      fact('A04', '1 23:50', { visit: null, class: 'EMERGENCY', admitted: '1 23:50' }),
      fact('A01', '2 02:00', { visit: null, class: 'INPATIENT', admitted: '2 02:00' }),
      fact('A03', '2 14:00', { visit: null, class: 'INPATIENT', admitted: '2 02:00' }),
    ];
    const next = [
      fact('A01', '4 11:00', { visit: null, class: 'OBSERVATION', admitted: '4 11:00' }),
      fact('A06', '4 15:00', { visit: null, class: 'INPATIENT', admitted: '4 15:00' }),
    ];
    expect(visitsOf(...stay, ...next)).toHaveLength(2);
    expect(visitsOf(...next.toReversed(), ...stay.toReversed())).toHaveLength(2);
    expect(visitsOf(...stay, fact('A06', '3 09:00', { visit: null, admitted: '3 09:00' }))).toHaveLength(2);
  });

  it('begins another visit with an admission to observation that becomes an inpatient stay the same day', () => {
    const observed = fact('A01', '1 16:00', { visit: null, class: 'OBSERVATION', admitted: '1 16:00' });
    const again = fact('A01', '3 11:00', { visit: null, class: 'OBSERVATION', admitted: '3 11:00' });
    const changed = fact('A06', '3 15:00', { visit: null, class: 'INPATIENT', admitted: '3 15:00' });
    expect(visitsOf(observed, again, changed)).toHaveLength(2);
    expect(visitsOf(changed, again, observed)).toHaveLength(2);
  });

  it.each([
    ['after the ED visit had ended', [fact('A03', '1 23:58', { visit: null, admitted: '1 23:50' })], '2 00:05', 'A08'],
    ['a day later', [], '2 23:55', 'A01'],
    ['with a new arrival', [], '2 00:05', 'A04'],
    ['that is planned', [], '2 08:00', 'A05'],
  ])('begins another visit %s', (_, before, admitted, trigger) => {
    const arrival = fact('A04', '1 23:50', { visit: null, class: 'EMERGENCY', admitted: '1 23:50' });
    const next = fact(trigger, '2 23:59', { visit: null, class: 'EMERGENCY', admitted });
    expect(visitsOf(arrival, ...before, next)).toHaveLength(2);
  });

  it('does not continue a visit that did not begin in the ED', () => {
    const arrival = fact('A01', '1 23:50', { visit: null, class: 'INPATIENT' });
    expect(visitsOf(arrival, fact('A08', '2 00:20', { visit: null, admitted: '2 00:05' }))).toHaveLength(2);
  });

  it('makes a visit of a discharge without an admission, but not of messages about the person', () => {
    expect(visitsOf(fact('A03', '3 09:00', { visit: null }))).toEqual([['M100', 'A03 03 09:00']]);
    const about = [
      fact('A31', '09:00', { noVisit: true }),
      fact('A13', '10:00', { visit: null }),
      fact('A28', '07:00', { noVisit: true }),
    ];
    expect(visitsOf(...about)).toEqual([]);
    expect([...outcomesOfDossier(about, []).values()]).toEqual([
      'No new event: about the person, not about a visit',
      'Waiting for the visit it cancels',
      'No new event: about the person, not about a visit',
    ]);
  });

  it.each(['0', '1', '', ' ', '12', '0007', '9999999', 'XXX', 'unknown', '""'])(
    'links nothing by the placeholder number %j',
    (number) => {
      expect(usableNumber(number)).toBeNull();
      const numbers = { visit: number, account: number, alternateVisitId: number };
      const facts = [
        fact('A01', '1 08:00', { ...numbers, admitted: '1 08:00' }),
        fact('A01', '8 08:00', { ...numbers, admitted: '8 08:00' }),
      ];
      expect(visitsOf(...facts)).toHaveLength(2);
    },
  );

  it.each(['V1', '123', '0012345', 'A-7'])('accepts %j as a number', (number) => {
    expect(usableNumber(` ${number} `)).toBe(number);
  });

  it('never links two patients by a visit or account number', () => {
    const facts = ['M1', 'M2'].map((record) => fact('A01', '08:00', { record, visit: 'V7', account: 'A7' }));
    expect(visitsOf(...facts).map(([record]) => record)).toEqual(['M1', 'M2']);
  });

  it('never links visits by a placeholder record number', () => {
    const facts = ['08:00', '09:00'].map((time) => fact('A01', time, { record: '0000', visit: null, admitted: time }));
    expect(
      visitsOf(...facts, fact('A40', '10:00', { record: 'M1', merge: { priorRecordNumber: '0000' } })),
    ).toHaveLength(2);
  });

  const A = fact('A01', '08:00', { record: 'M1', visit: 'V1', account: 'A1' });
  const B = fact('A01', '2 08:00', { record: 'M2', visit: 'V2', account: 'A2' });
  const merge = (trigger: string, time: string, record: string, prior: string) =>
    fact(trigger, time, { record, visit: null, noVisit: true, merge: { priorRecordNumber: prior } });

  it.each(['A18', 'A30', 'A34', 'A36', 'A39', 'A40', 'A43', 'A47'])(
    'moves the visits to the record number that survives an %s',
    (trigger) => {
      expect(visitsOf(A, B, merge(trigger, '3 08:00', 'M2', 'M1'))).toEqual([
        ['M2', 'A01 01 08:00'],
        ['M2', 'A01 02 08:00'],
      ]);
    },
  );

  it.each(['A24', 'A37', 'A08', 'A17'])('does not merge on an %s', (trigger) => {
    expect(visitsOf(A, B, merge(trigger, '3 08:00', 'M2', 'M1')).map(([record]) => record)).toEqual(['M1', 'M2']);
  });

  it('follows chains of merges, and the last of two opposite merges wins', () => {
    const chain = [merge('A40', '3 08:00', 'M2', 'M1'), merge('A40', '4 08:00', 'M3', 'M2')];
    expect(visitsOf(A, ...chain)).toEqual([['M3', 'A01 01 08:00']]);
    const inverse = [merge('A40', '3 08:00', 'M2', 'M1'), merge('A40', '4 08:00', 'M1', 'M2')];
    expect(visitsOf(A, B, ...inverse).map(([record]) => record)).toEqual(['M1', 'M1']);
    const again = [...chain, merge('A40', '5 08:00', 'M2', 'M1')];
    expect(visitsOf(A, ...again)).toEqual([['M3', 'A01 01 08:00']]);
  });

  it('moves a visit and its later messages to another patient on an A45', () => {
    const move = fact('A45', '3 08:00', {
      record: 'M2',
      visit: 'V1',
      merge: { priorRecordNumber: 'M1', priorVisitNumber: 'V1' },
    });
    const other = fact('A01', '08:30', { record: 'M1', visit: 'V9' });
    const late = fact('A03', '4 08:00', { record: 'M2', visit: 'V1' });
    expect(visitsOf(A, other, move, late)).toEqual([
      ['M1', 'A01 01 08:30'],
      ['M2', 'A01 01 08:00, A03 04 08:00, A45 03 08:00'],
    ]);
  });

  it('moves all visits of an account to another patient on an A44', () => {
    const second = fact('A04', '5 08:00', { record: 'M1', visit: 'V5', account: 'A1' });
    const update = fact('A08', '09:00', { record: 'M1', visit: 'V1' });
    const stays = fact('A04', '6 08:00', { record: 'M1', visit: 'V6', account: 'A6' });
    const move = fact('A44', '7 08:00', {
      record: 'M2',
      visit: null,
      account: 'A1',
      merge: { priorRecordNumber: 'M1', priorAccountNumber: 'A1' },
    });
    const owners = visitsOf(A, update, second, stays, move).map(([record, own]) => `${record} ${own}`);
    expect(owners).toHaveLength(3);
    expect(owners.filter((text) => text.startsWith('M1'))).toEqual(['M1 A04 06 08:00']);
  });

  it('keeps one visit when its number changes (A50), is merged into another (A42) or changes with the class (A06)', () => {
    for (const trigger of ['A50', 'A42', 'A06']) {
      const rekey = fact(trigger, '3 08:00', { record: 'M1', visit: 'V8', merge: { priorVisitNumber: 'V1' } });
      const later = fact('A08', '4 08:00', { record: 'M1', visit: 'V8' });
      const [visit, ...more] = groupIntoVisits([A, rekey, later]);
      expect(more).toEqual([]);
      expect(visit?.visitNumbers).toEqual(['V8', 'V1']);
    }
  });

  it('keeps one visit when its account number changes (A49) or is merged (A41)', () => {
    const first = fact('A01', '08:00', { visit: null, account: 'A100' });
    for (const trigger of ['A49', 'A41', 'A35']) {
      const rekey = fact(trigger, '09:00', { visit: null, account: 'A200', merge: { priorAccountNumber: 'A100' } });
      expect(visitsOf(first, rekey, fact('A03', '3 08:00', { visit: null, account: 'A200' }))).toHaveLength(1);
    }
  });

  it('retracts every visit of the patient on an A29', () => {
    const later = fact('A29', '9 08:00', { noVisit: true, visit: null });
    const visits = foldDossier([fact('A01', '1 08:00'), fact('A01', '5 08:00', { visit: 'V200' }), later], HOSPITAL);
    expect(visits.map(({ state }) => state.status)).toEqual(['CANCELLED', 'CANCELLED']);
  });

  it('keeps both copies of a message in one visit', () => {
    const copy = { ...A, id: '999999999999999999' };
    const [visit, ...more] = foldDossier([copy, A], HOSPITAL);
    expect(more).toEqual([]);
    expect(visit?.events[0]?.factIds).toEqual([A.id]);
    expect(visit?.outcomes.get(copy.id)).toBe('No new event: repeats another message');
  });
});

describe('recordNumbersOf', () => {
  it('returns both sides of a merge or move, and only the patient for other messages', () => {
    const merge = { priorRecordNumber: 'M1' };
    expect(recordNumbersOf(fact('A40', '08:00', { record: 'M2', merge }))).toEqual(['M2', 'M1']);
    expect(recordNumbersOf(fact('A45', '08:00', { record: 'M2', merge }))).toEqual(['M2', 'M1']);
    expect(recordNumbersOf(fact('A40', '08:00', { record: 'M2', merge: { priorRecordNumber: '0' } }))).toEqual(['M2']);
    expect(recordNumbersOf(fact('A17', '08:00', { record: 'M2', merge }))).toEqual(['M2']);
  });
});
