import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fact, foldDossier, HOSPITAL, moment, URGENT_CARE } from '#server/testing/facts.ts';
import type { Fact } from './fold-input.ts';

const OUTPATIENTS = { ...HOSPITAL, registrationIsVisit: true };
const contact = (day: number, details: Parameters<typeof fact>[2] = {}): Fact =>
  fact('A04', `${day} 09:00`, { class: 'OUTPATIENT', classCode: 'R', admitted: `${day} 09:00`, ...details });
const weekly = [2, 9, 16, 23].map((day) => contact(day));

const shown = (facts: readonly Fact[], facility = HOSPITAL) =>
  foldDossier(
    facts.map((one, n) => ({ ...one, id: String(n + 1) })),
    facility,
  ).map(({ state, events }) => ({
    began: state.admittedAt?.localDate.slice(-2),
    visits: state.series?.contacts,
    last: state.series?.lastAt.localDate.slice(-2),
    events: events.map(({ code, at }) => `${code} ${at.localDate.slice(-2)}`),
  }));

it('began with its first contact and has one event at most, in any order of arrival', () => {
  const updated = fact('A08', '16 12:00', { class: 'OUTPATIENT', classCode: 'R', admitted: '16 09:00' });
  const closed = fact('A03', '2 10:00', { class: 'OUTPATIENT', discharged: '2 10:00', disposition: '01' });
  const all = [...weekly, updated, closed];
  fc.assert(
    fc.property(fc.shuffledSubarray(all, { minLength: all.length }), fc.boolean(), (facts, registrationIsVisit) => {
      const events = registrationIsVisit ? ['VISIT 02'] : [];
      expect(shown(facts, { ...HOSPITAL, registrationIsVisit })).toEqual([
        { began: '02', visits: 4, last: '23', events },
      ]);
    }),
  );
});

it.each<[string, Fact[], object]>([
  [
    'repeats its PV1-44',
    weekly.map((_, n) => contact(n * 7 + 2, { admitted: '2 09:00' })),
    { began: '02', visits: 4, last: '23' },
  ],
  [
    'is of class O on one account',
    weekly.map((_, n) => contact(n * 7 + 2, { classCode: 'O', visit: null, account: 'A7' })),
    { visits: 4 },
  ],
  ['has one contact so far', [contact(2)], { began: '02', visits: 1, last: '02' }],
  ['has a contact sent twice', [...weekly, contact(23, { control: 'again' })], { visits: 4 }],
  [
    'has a contact canceled',
    [...weekly, fact('A11', '23 11:00', { classCode: 'R', class: 'OUTPATIENT' })],
    { visits: 3, last: '16' },
  ],
])('is counted if it %s', (_, facts, expected) => {
  expect(shown(facts, OUTPATIENTS)).toMatchObject([{ events: ['VISIT 02'], ...expected }]);
});

it('a single registration of class O is none, and may be corrected', () => {
  const one = contact(2, { classCode: 'O' });
  const corrected = fact('A08', '3 09:00', { class: 'OUTPATIENT', classCode: 'O', admitted: '3 08:00' });
  expect(shown([one, corrected], OUTPATIENTS)).toEqual([
    { began: '03', visits: undefined, last: undefined, events: ['VISIT 03'] },
  ]);
});

it('begins a stay where its patient is admitted, which was registered with the first contact', () => {
  const admitted = fact('A06', '24 12:00', { class: 'INPATIENT', admitted: '24 12:00' });
  const [visit] = foldDossier([...weekly, admitted], HOSPITAL);
  expect(visit?.state).toMatchObject({
    status: 'IN_PROGRESS',
    admittedAt: moment('24 12:00'),
    registeredAt: moment('2 09:00'),
  });
  expect(visit?.state.series).toBeUndefined();
});

it('in urgent care is several visits', () => {
  expect(shown([contact(2), contact(9)], URGENT_CARE)).toMatchObject([
    { events: ['VISIT 02'] },
    { events: ['VISIT 09'] },
  ]);
});
