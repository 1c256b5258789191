import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fact, foldDossier, HOSPITAL } from '#server/testing/facts.ts';
import type { Fact } from './fold-input.ts';

const arrived = fact('A04', '2 08:00', { visit: 'E1', account: 'AE', class: 'EMERGENCY', admitted: '2 08:00' });
const observed = fact('A04', '2 08:00', { visit: 'E1', account: 'AE', class: 'OBSERVATION', admitted: '2 08:00' });
const admission = (trigger: string, time: string, details: Parameters<typeof fact>[2] = {}): Fact =>
  fact(trigger, time, { visit: 'I1', account: 'AI', class: 'INPATIENT', admitted: time, ...details });
const closed = fact('CLOSE', '4 08:00', { visit: 'E1', admitted: '2 08:00', occurred: '4 08:00' });

const shown = (facts: readonly Fact[]) =>
  foldDossier(
    facts.map((one, n) => ({ ...one, id: String(n + 1) })),
    HOSPITAL,
  ).map(({ state, events, visitNumbers }) =>
    [visitNumbers[0], state.status, state.disposition ?? '', ...events.map(({ code }) => code)].join(' '),
  );

it.each([
  ['an A06', [arrived, admission('A06', '2 15:00')]],
  ['an A01', [arrived, admission('A01', '3 02:00')]],
  ['an A06 after the visit was closed', [arrived, closed, admission('A06', '2 15:00')]],
])('an ED visit ends without an event if the patient is admitted under another number by %s', (_, facts) => {
  fc.assert(
    fc.property(fc.shuffledSubarray(facts, { minLength: facts.length }), (inAnyOrder) => {
      expect(shown(inAnyOrder)).toEqual(['E1 FINISHED 09 PRESENTED', 'I1 IN_PROGRESS  ADMIT']);
    }),
  );
});

it('a stay under observation ends so too', () => {
  expect(shown([observed, admission('A06', '4 15:00')])).toEqual(['E1 FINISHED 09 ADMIT', 'I1 IN_PROGRESS  ADMIT']);
});

it.each([
  ['for five days', [fact('A08', '5 08:00', { visit: 'E1', class: 'OBSERVATION' })], '7 15:00'],
  [
    'for nine days',
    ['4 08:00', '6 09:00', '8 10:00'].map((time) => fact('A08', time, { visit: 'E1', class: 'OBSERVATION' })),
    '11 10:00',
  ],
  ['for three days', [], '5 08:00'],
])('a stay under observation %s ends so too, if its last message was not days before', (_, messages, admitted) => {
  expect(shown([observed, ...messages, admission('A01', admitted)])).toEqual([
    'E1 FINISHED 09 ADMIT',
    'I1 IN_PROGRESS  ADMIT',
  ]);
});

it.each([
  ['at home', { disposition: '01', dischargedTo: 'HOME' }],
  ['nowhere', {}],
])('a discharge from the ED of someone who is upstairs ends the visit so too, though it says %s', (_, where) => {
  const end = (time: string) =>
    fact('A03', time, { visit: 'E1', account: 'AE', class: 'EMERGENCY', discharged: time, ...where });
  for (const time of ['2 15:00', '2 17:00', '9 17:00']) {
    const facts = [arrived, admission('A01', '2 15:00'), end(time)];
    fc.assert(
      fc.property(fc.shuffledSubarray(facts, { minLength: facts.length }), (inAnyOrder) => {
        expect(shown(inAnyOrder)).toEqual(['E1 FINISHED 09 PRESENTED', 'I1 IN_PROGRESS  ADMIT']);
      }),
    );
  }
  const canceled = fact('A11', '2 18:00', { visit: 'I1', class: 'INPATIENT' });
  expect(shown([arrived, admission('A01', '2 15:00'), end('2 17:00'), canceled])).toContain(
    `E1 FINISHED ${'disposition' in where ? '01' : ''} PRESENTED DISCHARGE`,
  );
});

it('an ED visit ends so too if its patient goes to observation, which becomes the stay', () => {
  const observation = { visit: 'O1', account: 'AO', class: 'OBSERVATION', admitted: '2 12:00' } as const;
  const facts = [arrived, fact('A04', '2 12:00', observation)];
  expect(shown(facts)).toEqual(['E1 FINISHED 09 PRESENTED', 'O1 IN_PROGRESS  ADMIT']);
  const admitted = fact('A06', '2 20:00', { ...observation, class: 'INPATIENT' });
  expect(shown([...facts, admitted])).toEqual(['E1 FINISHED 09 PRESENTED', 'O1 IN_PROGRESS  ADMIT ADMIT']);
});

it('an ED visit that an update reports as an outpatient’s ends so too', () => {
  const billed = fact('A08', '2 12:00', { visit: 'E1', account: 'AE', class: 'OUTPATIENT', admitted: '2 08:00' });
  expect(shown([arrived, billed, admission('A01', '2 15:00')])).toEqual([
    'E1 FINISHED 09 PRESENTED TRANSFER',
    'I1 IN_PROGRESS  ADMIT',
  ]);
});

it('an ED visit ends so too if its account repeats that the inpatient has died', () => {
  const died = { patient: { deceased: true } };
  const left = { visit: 'I1', account: 'AI', class: 'INPATIENT', disposition: '20', ...died } as const;
  const repeated = fact('A08', '3 12:00', { visit: 'E1', account: 'AE', class: 'EMERGENCY', ...died });
  expect(shown([arrived, admission('A01', '2 15:00'), fact('A03', '3 10:00', left), repeated])).toEqual([
    'E1 FINISHED 09 PRESENTED',
    'I1 FINISHED 20 ADMIT DECEASED',
  ]);
});

it.each<[string, Fact[], string]>([
  [
    'the patient died in the ED',
    [
      fact('A08', '2 13:00', { visit: 'E1', class: 'EMERGENCY', patient: { deceased: true } }),
      admission('A01', '2 15:00'),
    ],
    'E1 IN_PROGRESS  PRESENTED DECEASED',
  ],
  [
    'the admission was canceled',
    [admission('A01', '2 15:00'), fact('A11', '2 16:00', { visit: 'I1', class: 'INPATIENT' })],
    'E1 IN_PROGRESS  PRESENTED',
  ],
  [
    'the patient came through the ED again',
    [fact('A04', '3 08:00', { visit: 'I1', class: 'EMERGENCY' }), admission('A06', '3 15:00')],
    'E1 IN_PROGRESS  PRESENTED',
  ],
  ['the admission was days later', [admission('A01', '6 15:00')], 'E1 IN_PROGRESS  PRESENTED'],
  [
    'the admission was days later, and only the bill was sent afterwards',
    [admission('A01', '6 15:00'), fact('A08', '8 08:00', { visit: 'E1', class: 'EMERGENCY' })],
    'E1 IN_PROGRESS  PRESENTED',
  ],
  [
    'the admission was days later, and after days of silence the bill was sent before it',
    [closed, fact('A08', '10 08:00', { visit: 'E1', class: 'EMERGENCY' }), admission('A01', '12 08:00')],
    'E1 FINISHED  PRESENTED CLOSED',
  ],
  ['the admission was before', [admission('A01', '1 15:00')], 'E1 IN_PROGRESS  PRESENTED'],
  ['it is only planned', [admission('A05', '2 15:00')], 'E1 IN_PROGRESS  PRESENTED'],
  ['another patient is admitted', [admission('A01', '2 15:00', { record: 'M200' })], 'E1 IN_PROGRESS  PRESENTED'],
  [
    'the visit has a discharge',
    [
      admission('A01', '2 15:00'),
      fact('A03', '2 14:00', { visit: 'E1', class: 'EMERGENCY', discharged: '2 14:00', disposition: '01' }),
    ],
    'E1 FINISHED 01 PRESENTED DISCHARGE',
  ],
])('an ED visit does not end so if %s', (_, facts, expected) => {
  expect(shown([arrived, ...facts])).toContain(expected);
});

/** What the ED or observation account shows: its events with their times, disposition and outcomes. */
const account = (facts: readonly Fact[]) => {
  const own = facts.map((one, n) => ({ ...one, id: String(n + 1) }));
  const visit = foldDossier(own, HOSPITAL).find(({ visitNumbers }) => visitNumbers[0] === 'E1');
  return {
    events: visit?.events.map(({ code, at }) => `${code} ${at.instant.slice(8, 16)}`),
    disposition: visit?.state.disposition,
    flags: visit?.flags,
    outcomes: own.flatMap(({ id }) => visit?.outcomes.get(id) ?? []),
  };
};
const unit = (pointOfCare: string) => ({ pointOfCare, room: null, bed: null, facility: null });
const left = (time: string, details: Parameters<typeof fact>[2] = {}): Fact =>
  fact('A03', time, { visit: 'E1', class: 'EMERGENCY', discharged: time, disposition: '01', ...details });

it('a discharge before the admission stays when a later one without a time of its own repeats it', () => {
  const again = fact('A03', '5 09:00', { visit: 'E1', class: 'OBSERVATION', disposition: '01' });
  const { events, disposition, outcomes } = account([
    observed,
    left('3 09:00', { class: 'OBSERVATION' }),
    admission('A01', '4 10:00'),
    again,
  ]);
  expect(events).toEqual(['ADMIT 02T08:00', 'DISCHARGE 03T09:00']);
  expect(disposition).toBe('01');
  expect(outcomes.at(-1)).toBe('No new event: repeats a known discharge');
});

it('a discharge before the admission takes no time at or after it from an update', () => {
  const billed = (discharged: string) =>
    fact('A08', '3 08:00', { visit: 'E1', class: 'EMERGENCY', discharged, disposition: '01' });
  const events = (discharged: string) =>
    account([arrived, left('2 14:30'), admission('A01', '2 15:00'), billed(discharged)]).events;
  expect(events('2 17:00')).toEqual(['PRESENTED 02T08:00', 'DISCHARGE 02T14:30']);
  expect(events('2 14:45')).toEqual(['PRESENTED 02T08:00', 'DISCHARGE 02T14:45']);
});

it('an ED account that is ended as at home, with the death of the inpatient, has no discharge', () => {
  const death = fact('A03', '2 17:00', { visit: 'I1', account: 'AI', class: 'INPATIENT', disposition: '20' });
  const late = left('2 18:00', { patient: { deceased: true } });
  const facts = [arrived, admission('A01', '2 15:00'), death, late];
  fc.assert(
    fc.property(fc.shuffledSubarray(facts, { minLength: facts.length }), (inAnyOrder) => {
      expect(shown(inAnyOrder)).toEqual(['E1 FINISHED 09 PRESENTED', 'I1 FINISHED 20 ADMIT DECEASED']);
    }),
  );
});

it('a death that only the ED account reports is one, though its patient is upstairs', () => {
  const died = left('2 18:00', { disposition: '20' });
  const facts = [arrived, admission('A01', '2 15:00'), died];
  expect(shown(facts)).toEqual(['E1 FINISHED 20 PRESENTED DECEASED', 'I1 IN_PROGRESS  ADMIT']);
  const details = { visit: 'E1', class: 'EMERGENCY', discharged: '2 18:30', disposition: '20' } as const;
  const [account] = foldDossier([...facts, fact('A08', '2 19:00', details)], HOSPITAL);
  expect(account?.state.dischargedAt?.instant).toContain('T18:30');
});

it('an ED account that ended with PV1-36 09 goes on if its patient is moved before the admission', () => {
  const ended = left('2 10:00', { disposition: '09' });
  const moved = fact('A02', '2 12:00', { visit: 'E1', class: 'EMERGENCY', unit: 'HOLD' });
  const inRoom = { ...arrived, adt: { ...arrived.adt, visit: { ...arrived.adt.visit, location: unit('ED') } } };
  expect(shown([inRoom, ended, moved, admission('A01', '2 15:00')])).toContain('E1 FINISHED 09 PRESENTED TRANSFER');
});

it.each(['A08', 'A02'])('an %s of an inpatient on the account that ended so begins no second stay', (trigger) => {
  const update = fact(trigger, '2 18:00', { visit: 'E1', class: 'INPATIENT', unit: '4W' });
  expect(shown([arrived, admission('A01', '2 15:00'), left('2 17:00'), update])).toEqual([
    'E1 FINISHED 09 PRESENTED',
    'I1 IN_PROGRESS  ADMIT',
  ]);
});

it.each([
  ['an admission', left('3 14:00'), admission('A08', '4 08:00', { admitted: '3' })],
  ['an admission at midnight', left('3 14:00'), admission('A08', '4 08:00', { admitted: '3 00:00' })],
  ['a discharge', left('4 08:00', { discharged: '3' }), admission('A01', '3 15:00')],
])('%s of the same day, without a time, leaves the discharge', (_, end, admitted) => {
  expect(account([arrived, end, admitted]).events?.at(-1)).toMatch(/^DISCHARGE 03T/);
});

it('a discharge of a later day, without a time, is one of someone upstairs', () => {
  expect(shown([arrived, left('5 08:00', { discharged: '4' }), admission('A01', '3 15:00')])).toContain(
    'E1 FINISHED 09 PRESENTED',
  );
});

it('an update that only repeats a death says why it has no event', () => {
  const died = { patient: { deceased: true } };
  const end = fact('A03', '2 17:00', { visit: 'I1', account: 'AI', class: 'INPATIENT', disposition: '20' });
  const repeated = fact('A08', '3 12:00', { visit: 'E1', class: 'EMERGENCY', ...died });
  expect(account([arrived, admission('A01', '2 15:00'), end, repeated]).outcomes.at(-1)).toBe(
    'No new event: death already recorded on another visit',
  );
});
