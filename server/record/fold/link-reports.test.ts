import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fact, foldDossier, HOSPITAL, moment, NURSING } from '#server/testing/facts.ts';
import type { Fact } from './fold-input.ts';
import type { FoldedVisit } from './folded-visit.ts';

interface Answer {
  /** Null: still there. */
  discharged: string | null;
  disposition?: string;
  /** When it was written. */
  at?: string;
  control?: string;
  takesBack?: Fact;
}

/** Someone's answer to a link about the visit of a fact. */
function answer(about: Fact, { discharged, disposition, at = '9 12:00', control = 'L1', takesBack }: Answer): Fact {
  const made = fact('LINK', at, {
    noVisit: true,
    recorded: null,
    occurred: at,
    control,
    // What the hash is of: two answers that say something else, or about something else, are not repeats.
    account: `${about.id} ${discharged} ${disposition} ${takesBack?.id}`,
  });
  const dischargedAt = discharged === null ? null : moment(discharged);
  const visit = dischargedAt && { dischargedAt, disposition: disposition ?? null, dischargedTo: null };
  const link = { id: '7', name: 'Ana Ruiz', about: about.adt.contentHash };
  const retracts = takesBack && { retracts: [takesBack.adt.controlId] };
  return { ...made, adt: { ...made.adt, visit, link, ...retracts } };
}

const told = (facts: Fact[], facility = HOSPITAL) =>
  foldDossier(facts, facility).map(({ state, events }) => [
    state.status,
    ...events.map(({ code, at, reportedByLink }) => `${code} ${at.localDate}${reportedByLink ? ' by link' : ''}`),
  ]);

const admission = fact('A01', '1 09:00', { class: 'INPATIENT', admitted: '1 09:00' });
const byLink = answer(admission, { discharged: '4', disposition: '01' });

describe('what a facility reports by a link', () => {
  it('ends a stay without a discharge, with the name of who reported it', () => {
    const [visit] = foldDossier([admission, byLink], HOSPITAL);
    expect(visit?.state).toMatchObject({ status: 'FINISHED', disposition: '01' });
    expect(visit?.events.at(-1)).toMatchObject({
      code: 'DISCHARGE',
      disposition: '01',
      isManual: false,
      reportedByLink: { name: 'Ana Ruiz', date: '2026-03-09T12:00:00Z' },
    });
    expect([...(visit?.outcomes.values() ?? [])]).toContain('Created: discharge');
  });

  it.each([
    ['that the patient is still there', [admission, answer(admission, { discharged: null })]],
    [
      'that the patient is still there, after a discharge',
      [admission, byLink, answer(admission, { discharged: null, at: '9 13:00' })],
    ],
    [
      'a discharge that is taken back',
      [admission, byLink, answer(admission, { discharged: null, control: 'L2', takesBack: byLink })],
    ],
    ['a discharge before a later transfer', [admission, byLink, fact('A02', '6 10:00', { occurred: '6 10:00' })]],
    ['a discharge before a cancel of one', [admission, byLink, fact('A13', '6 10:00')]],
    [
      'a discharge before the admission',
      [fact('A01', '5 09:00', { class: 'INPATIENT', admitted: '5 09:00' })].flatMap((late) => [
        late,
        answer(late, { discharged: '4' }),
      ]),
    ],
  ])('leaves the stay open: %s', (_, facts) => {
    expect(told(facts)).toEqual([['IN_PROGRESS', expect.stringContaining('ADMIT')]]);
  });

  it('gives way to the discharge of a feed, and to that of staff', () => {
    const fed = fact('A03', '5 10:00', { discharged: '5 10:00', disposition: '03' });
    expect(told([admission, byLink, fed])).toEqual([['FINISHED', 'ADMIT 2026-03-01', 'DISCHARGE 2026-03-05']]);
    const entered = fact('MANUAL', '2', { manual: 'ADMIT', occurred: '2' });
    const left = fact('MANUAL', '6', { manual: 'DISCHARGE', occurred: '6', disposition: '01' });
    expect(told([entered, answer(entered, { discharged: '4' }), left], NURSING)).toEqual([
      ['FINISHED', 'ADMIT 2026-03-02', 'DISCHARGE 2026-03-06'],
    ]);
  });

  it('says where the patient went if the discharge of the feed does not', () => {
    const fed = fact('A03', '5 10:00', { discharged: '5 10:00' });
    const [visit] = foldDossier([admission, byLink, fed], HOSPITAL);
    expect(visit?.events.at(-1)).toMatchObject({
      at: moment('5 10:00'),
      disposition: '01',
      reportedByLink: { name: 'Ana Ruiz' },
    });
    const later = fact('A08', '6 10:00', { discharged: '5 10:00', disposition: '03' });
    const [corrected] = foldDossier([admission, byLink, fed, later], HOSPITAL);
    expect(corrected?.events.at(-1)).toMatchObject({ disposition: '03' });
    expect(corrected?.events.at(-1)?.reportedByLink).toBeUndefined();
  });

  it('replaces the close of an ED visit, which says nothing about the end', () => {
    const arrival = fact('A04', '1 09:00', { class: 'EMERGENCY', admitted: '1 09:00' });
    const close = fact('CLOSE', '3 09:00', { occurred: '3 09:00', admitted: '1 09:00' });
    const left = answer(arrival, { discharged: '1 15:00', disposition: '01' });
    expect(told([arrival, close])).toEqual([['FINISHED', 'PRESENTED 2026-03-01', 'CLOSED 2026-03-03']]);
    expect(told([arrival, close, left])).toEqual([
      ['FINISHED', 'PRESENTED 2026-03-01', 'DISCHARGE 2026-03-01 by link'],
    ]);
  });

  it('reports a death, unless one is known', () => {
    const died = answer(admission, { discharged: '4', disposition: '20' });
    expect(told([admission, died])).toEqual([['FINISHED', 'ADMIT 2026-03-01', 'DECEASED 2026-03-04 by link']]);
    const person = fact('A31', '5 09:00', {
      noVisit: true,
      patient: { deceased: true, deceasedAt: moment('5 08:00') },
    });
    for (const facts of [
      [admission, died, person],
      [person, died, admission],
    ])
      expect(told(facts)).toEqual([['IN_PROGRESS', 'ADMIT 2026-03-01', 'DECEASED 2026-03-05']]);
  });

  it('says nothing about another visit of the patient', () => {
    const other = fact('A01', '7 09:00', { class: 'INPATIENT', admitted: '7 09:00', visit: 'V200' });
    expect(told([admission, other, byLink])).toEqual([
      ['FINISHED', 'ADMIT 2026-03-01', 'DISCHARGE 2026-03-04 by link'],
      ['IN_PROGRESS', 'ADMIT 2026-03-07'],
    ]);
  });

  it('follows its visit through a merge', () => {
    const merge = fact('A40', '8 09:00', { record: 'M200', noVisit: true, merge: { priorRecordNumber: 'M100' } });
    expect(told([admission, byLink, merge])).toEqual([
      ['FINISHED', 'ADMIT 2026-03-01', 'DISCHARGE 2026-03-04 by link'],
    ]);
  });
});

const hour = fc.constantFrom('08:00', '10:00', '15:30');
const day = fc.integer({ min: 1, max: 8 });
const time = fc.tuple(day, hour).map(([on, at]) => `${on} ${at}`);
const fed = fc
  .record({
    trigger: fc.constantFrom(...'A01 A02 A03 A04 A06 A08 A11 A12 A13 A21 A22 A23 A29 A31 A40 CLOSE MANUAL'.split(' ')),
    at: time,
    record: fc.constantFrom('M1', 'M2'),
    visit: fc.constantFrom('V1', 'V2', null),
    class: fc.constantFrom('INPATIENT', 'EMERGENCY', 'OBSERVATION', 'OUTPATIENT'),
    disposition: fc.constantFrom('01', '20', '09', null, undefined),
    deceased: fc.constantFrom(undefined, undefined, undefined, true),
    manual: fc.constantFrom('ADMIT', 'DISCHARGE', 'DECEASED'),
    admitted: fc.option(time, { nil: undefined }),
  })
  .map(({ trigger, at, deceased, manual, disposition, ...rest }) =>
    fact(trigger, at, {
      ...rest,
      occurred: at,
      ...(disposition !== undefined && { disposition }),
      ...(trigger === 'A03' || disposition !== undefined ? { discharged: at } : {}),
      ...(trigger === 'A40' && { merge: { priorRecordNumber: 'M2' }, record: 'M1' }),
      ...(trigger === 'MANUAL' && { manual }),
      ...(deceased && { patient: { deceased } }),
    }),
  );
const answers = (facts: Fact[]) =>
  fc.array(
    fc
      .record({
        about: fc.nat(facts.length - 1),
        discharged: fc.option(fc.oneof(day.map(String), time)),
        disposition: fc.constantFrom('01', '03', '20', '07', undefined),
        at: time,
        control: fc.constantFrom('L1', 'L2', 'L3'),
      })
      .map(({ about, disposition, ...rest }) =>
        answer(facts[about] as Fact, { ...rest, ...(disposition ? { disposition } : {}) }),
      ),
    { minLength: 1, maxLength: 3 },
  );
const world = fc
  .array(fed, { minLength: 1, maxLength: 8 })
  .chain((facts) =>
    answers(facts).chain((links) =>
      fc.tuple(
        fc.constant(facts),
        fc.constant(links),
        fc.shuffledSubarray([...facts, ...links], { minLength: facts.length + links.length }),
      ),
    ),
  );
const RUNS = { numRuns: 600 };

const plain = (visits: FoldedVisit[]) =>
  visits.map(({ factIds: _, outcomes: __, deathsTakenBack: ___, ...visit }) => visit);

describe('answers by link, in any order of arrival', () => {
  it('give the same visits', () => {
    fc.assert(
      fc.property(world, ([facts, links, shuffled]) => {
        expect(plain(foldDossier(shuffled, HOSPITAL))).toEqual(plain(foldDossier([...facts, ...links], HOSPITAL)));
      }),
      RUNS,
    );
  });

  it('never change what a feed or staff reported: they only end open stays, and say where a patient went', () => {
    let filled = 0;
    fc.assert(
      fc.property(world, ([facts, , shuffled]) => {
        const before = plain(foldDossier(facts, HOSPITAL));
        const after = plain(foldDossier(shuffled, HOSPITAL));
        expect(after.map(({ key }) => key)).toEqual(before.map(({ key }) => key));
        for (const [index, visit] of after.entries()) {
          const known = before[index] as (typeof before)[number];
          const byLinks = visit.events.filter(({ reportedByLink }) => reportedByLink);
          filled += byLinks.length;
          if (byLinks.length === 0) expect(visit).toEqual(known);
          expect(byLinks.length).toBeLessThanOrEqual(1);
          for (const event of known.events) {
            const now = visit.events.find(({ key, code }) => key === event.key && code === event.code);
            if (event.code === 'CLOSED' && byLinks.length > 0) continue;
            expect(now).toMatchObject({ at: event.at, setting: event.setting, payer: event.payer });
            if (event.disposition !== null) expect(now?.disposition).toBe(event.disposition);
          }
          if (known.state.dischargedAt) {
            expect(visit.state.dischargedAt).toEqual(known.state.dischargedAt);
            expect(visit.events).toHaveLength(known.events.length);
          }
          if (known.state.status === 'CANCELLED') expect(visit).toEqual(known);
        }
        const deaths = (visits: typeof after, record: string) =>
          visits
            .filter(({ recordNumber }) => recordNumber === record)
            .flatMap(({ events }) => events.filter(({ code }) => code === 'DECEASED'));
        for (const record of ['M1', 'M2']) {
          const known = deaths(before, record);
          if (known.length > 0) expect(deaths(after, record)).toEqual(known);
        }
      }),
      RUNS,
    );
    expect(filled).toBeGreaterThan(50);
  });

  it('leave no trace once they are taken back', () => {
    fc.assert(
      fc.property(world, ([facts, links, shuffled]) => {
        const undone = links.map((link) =>
          answer(facts[0] as Fact, { discharged: null, at: '9 18:00', control: 'R', takesBack: link }),
        );
        expect(plain(foldDossier([...undone, ...shuffled], HOSPITAL))).toEqual(plain(foldDossier(facts, HOSPITAL)));
      }),
      RUNS,
    );
  });
});
