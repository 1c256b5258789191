import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Setting } from '#contract/event-codes.ts';
import {
  type FactDetails,
  fact,
  foldDossier,
  HOME_HEALTH,
  HOSPITAL,
  moment,
  NURSING,
  URGENT_CARE,
} from '#server/testing/facts.ts';
import { diffEvents } from './diff.ts';
import { eventTime } from './event-time.ts';
import { foldFacilities } from './fold.ts';
import type { Fact, FoldFacility } from './fold-input.ts';
import { foldVisit } from './fold-visit.ts';
import { foldDemographics } from './folded-demographics.ts';
import type { FoldedVisit } from './folded-visit.ts';
import { canceledContents, outcomesOfDossier } from './outcomes.ts';
import { separatePatients } from './record-holders.ts';
import { groupIntoVisits } from './visit-grouping.ts';

const TRIGGERS =
  'A01 A02 A03 A04 A05 A06 A07 A08 A11 A12 A13 A14 A16 A21 A22 A23 A25 A27 A28 A29 A31 A38 A52 A53 A54 A55 CLOSE MANUAL';
const MERGES = 'A40 A18 A34 A43 A35 A41 A42 A44 A45 A49 A50';
const SETTINGS: Setting[] = ['INPATIENT', 'EMERGENCY', 'OBSERVATION', 'OUTPATIENT', 'UNKNOWN'];
const RECORDS = ['M1', 'M2', 'M3'];

const sometimes = <T>(values: readonly T[]) => fc.option(fc.constantFrom(...values), { nil: undefined, freq: 2 });
/** Few minutes and few values, so that facts coincide, tie and contradict each other. */
const time = fc
  .tuple(fc.constantFrom('1', '2'), fc.constantFrom('', ' 00:00', ' 08:00', ' 08:01', ' 08:01:30', ' 10:00'))
  .map(([d, t]) => d + t);
const written = fc.constantFrom('1 08:00', '1 08:01', '1 08:01:10', '1 08:01:40', '2 08:00', '2 10:00:30');

const details: fc.Arbitrary<FactDetails> = fc.record({
  record: fc.constantFrom(...RECORDS),
  visit: fc.constantFrom('V101', 'V102', '0', null),
  account: sometimes(['A501', 'A502', '1']),
  alternateVisitId: sometimes(['X901']),
  class: sometimes(SETTINGS),
  admitted: fc.option(time, { nil: undefined, freq: 2 }),
  discharged: fc.option(time, { nil: undefined, freq: 2 }),
  /** Deletes PV1-45 where the message has no other. */
  dischargedAt: sometimes([null]),
  occurred: fc.option(time, { nil: undefined, freq: 2 }),
  recorded: fc.option(written, { nil: null, freq: 2 }),
  sent: fc.option(written, { nil: null, freq: 2 }),
  control: fc.constantFrom('1', '2', '10', 'b'),
  /** Some of the times above are later, and so not credible. */
  received: sometimes(['1 07:40', '1 09:00', '2 09:00']),
  unit: sometimes(['ED', '4W', 'ICU']),
  disposition: sometimes(['01', '09', '20', '30', null]),
  patient: fc
    .record({
      deceased: sometimes([true, false]),
      recordAuthority: sometimes(['STB', 'stb', 'LAB']),
      name: sometimes(['Osei', 'Mensah'].map((family) => ({ family, given: 'Ama', middle: null, suffix: null }))),
      birthDate: sometimes(['1941-03-14', '1950-01-02']),
    })
    .map(({ recordAuthority, ...patient }) => (recordAuthority ? { ...patient, recordAuthority } : patient)),
  payers: sometimes(['Medicare', 'Medicaid'].map((company) => [{ code: null, company, plan: null, memberId: null }])),
  manual: sometimes([
    'ADMIT',
    'DISCHARGE',
    'DECEASED',
    'TRANSFER',
    'MEDICAL_LEAVE_OF_ABSENCE',
    'RESUMED_SERVICES',
    'PAYOR_CHANGE',
  ] as const),
});

const visitFact = fc
  .tuple(fc.constantFrom(...TRIGGERS.split(' ')), written, details)
  .map(([trigger, at, { manual, ...rest }]) => {
    return fact(trigger, at, trigger === 'MANUAL' ? { ...rest, manual: manual ?? 'ADMIT' } : rest);
  });
const mergeFact = fc
  .tuple(
    fc.constantFrom(...MERGES.split(' ')),
    written,
    details,
    fc.record({
      priorRecordNumber: fc.constantFrom(...RECORDS, null, '0'),
      priorRecordAuthority: fc.constantFrom('STB', 'LAB'),
      priorVisitNumber: fc.constantFrom('V101', 'V102', null),
      priorAccountNumber: fc.constantFrom('A501', 'A502', null),
    }),
  )
  .map(([trigger, at, { manual: _, ...rest }, merge]) => fact(trigger, at, { ...rest, merge }));

const facts = fc.array(visitFact, { maxLength: 14 });
const dossier = fc.tuple(facts, fc.array(mergeFact, { maxLength: 4 })).map(([own, merges]) => [...own, ...merges]);
const facility = fc.constantFrom(HOSPITAL, NURSING, HOME_HEALTH, URGENT_CARE, {
  ...HOSPITAL,
  registrationIsVisit: true,
});
const shuffled = (all: Fact[]) => fc.shuffledSubarray(all, { minLength: all.length, maxLength: all.length });
const withOrder = dossier.chain((all) => fc.tuple(fc.constant(all), shuffled(all), facility));
const RUNS = { numRuns: 400 };

/** Folds facts with ids in order of arrival, and replaces the ids by content so that two orders can be compared. */
function foldArrived(all: Fact[], where: FoldFacility) {
  const arrived = all.map((one, i) => ({ ...one, id: String(i + 1) }));
  const content = new Map(arrived.map(({ id, adt }) => [id, adt.contentHash]));
  const named = (ids: string[]) => ids.map((id) => content.get(id));
  return foldDossier(arrived, where).map(({ outcomes, factIds, events, ...visit }) => ({
    ...visit,
    events: events.map((event) => ({ ...event, factIds: named(event.factIds) })),
    factIds: named(factIds).sort((a, b) => ((a ?? '') < (b ?? '') ? -1 : 1)),
    outcomes: [...outcomes].map(([id, outcome]) => `${content.get(id)} ${outcome}`).sort(),
  }));
}

describe('the fold of any facts', () => {
  it('gives the same visits, events and outcomes in any order of arrival', () => {
    fc.assert(
      fc.property(withOrder, ([all, other, where]) => {
        expect(foldArrived(other, where)).toEqual(foldArrived(all, where));
      }),
      RUNS,
    );
  });

  it('is not changed by facts that arrive twice', () => {
    fc.assert(
      fc.property(
        dossier.chain((all) => fc.tuple(fc.constant(all), fc.subarray(all), facility)),
        ([all, twice, where]) => {
          const copies = twice.map((one) => ({ ...one, id: `9${one.id.padStart(20, '0')}` }));
          const plain = (visits: FoldedVisit[]) => visits.map(({ factIds: _, outcomes: __, ...visit }) => visit);
          expect(plain(foldDossier([...copies, ...all], where))).toEqual(plain(foldDossier(all, where)));
        },
      ),
      RUNS,
    );
  });

  it('never puts facts of two patients into one visit without a merge or move', () => {
    fc.assert(
      fc.property(facts, (all) => {
        for (const { recordNumber, facts: own } of groupIntoVisits(all)) {
          expect(new Set(own.map(({ adt }) => adt.patient.recordNumber))).toEqual(new Set([recordNumber]));
        }
      }),
      RUNS,
    );
  });

  it('never puts facts of patients into one visit if no merge or move connects them', () => {
    const bystander = fc.array(visitFact, { minLength: 1, maxLength: 5 }).map((own) =>
      own.map((one) => ({
        ...one,
        id: `8${one.id}`,
        adt: {
          ...one.adt,
          contentHash: `x${one.adt.contentHash}`,
          patient: { ...one.adt.patient, recordNumber: 'M9' },
        },
      })),
    );
    fc.assert(
      fc.property(dossier, bystander, facility, (all, other, where) => {
        const together = foldDossier([...all, ...other], where);
        expect(together.filter(({ recordNumber }) => recordNumber.startsWith('M9'))).toEqual(foldDossier(other, where));
        expect(together.filter(({ recordNumber }) => !recordNumber.startsWith('M9'))).toEqual(foldDossier(all, where));
      }),
      RUNS,
    );
  });

  it('puts each fact into at most one visit (a deletion of the patient into all), with an outcome', () => {
    fc.assert(
      fc.property(dossier, facility, (all, where) => {
        const visits = foldDossier(all, where);
        const single = visits
          .flatMap(({ factIds }) => factIds)
          .filter((id) => all.find((one) => one.id === id)?.adt.trigger !== 'A29');
        expect(new Set(single).size).toBe(single.length);
        const outcomes = outcomesOfDossier(all, visits);
        for (const { id } of all) expect(outcomes.get(id)).toBeTruthy();
      }),
      RUNS,
    );
  });

  it('gives events unique keys and facts of their own visit, and a retracted visit no events', () => {
    fc.assert(
      fc.property(dossier, facility, (all, where) => {
        const visits = foldDossier(all, where);
        expect(new Set(visits.map(({ key }) => key)).size).toBe(visits.length);
        for (const { events, factIds, state } of visits) {
          expect(new Set(events.map(({ key }) => key)).size).toBe(events.length);
          // A death may have been reported outside any visit, and confirms the end of one.
          const deaths = all.filter(({ adt }) => adt.patient.deceased).map(({ id }) => id);
          for (const { code, factIds: sources } of events) {
            const known = code === 'DECEASED' || code === 'DISCHARGE' ? [...factIds, ...deaths] : factIds;
            for (const id of sources) expect(known).toContain(id);
          }
          if (state.status === 'CANCELLED') expect(events).toEqual([]);
        }
      }),
      RUNS,
    );
  });

  it('leaves a leave of absence open exactly while the patient is away, and no other before it', () => {
    fc.assert(
      fc.property(dossier, facility, (all, where) => {
        for (const { state } of foldDossier(all, where)) {
          const open = (state.leaves ?? []).map(({ to }) => to === null);
          expect(open.slice(0, -1)).not.toContain(true);
          if (state.status === 'ON_LEAVE') expect(open.at(-1)).toBe(true);
          if (state.status === 'IN_PROGRESS') expect(open.at(-1)).not.toBe(true);
        }
      }),
      RUNS,
    );
  });

  it('reports a death exactly once for a patient who is shown as dead, and for no other, whichever message says so', () => {
    const deaths = fc.constantFrom(undefined, moment('1 07:00'), moment('1 09:00'), moment('3'));
    const dying = fc
      .tuple(visitFact, fc.boolean(), deaths)
      // A job of ours says nothing about the patient.
      .filter(([one]) => one.adt.trigger !== 'CLOSE')
      .map(([one, deceased, deceasedAt]) =>
        deceased ? { ...one, adt: { ...one.adt, patient: { ...one.adt.patient, deceased, deceasedAt } } } : one,
      );
    const all = fc.array(dying, { maxLength: 14 });
    fc.assert(
      fc.property(
        all.chain((own) => fc.tuple(fc.constant(own), shuffled(own), facility)),
        ([own, other, where]) => {
          const known = separatePatients(own).facts;
          const visits = foldDossier(own, where);
          const canceled = canceledContents({ facts: known, visits });
          for (const [record, ofPatient] of Map.groupBy(known, ({ adt }) => adt.patient.recordNumber)) {
            const ofRecord = visits.filter(({ recordNumber }) => recordNumber === record);
            const isDead =
              foldDemographics(
                ofPatient.filter((one) => eventTime(one)),
                canceled,
              ).deceased || ofRecord.some(({ state }) => state.deceased && state.status !== 'CANCELLED');
            const reporting = ofRecord.filter(({ events }) => events.some(({ code }) => code === 'DECEASED'));
            expect(reporting).toHaveLength(isDead ? 1 : 0);
          }
          expect(foldArrived(other, where)).toEqual(foldArrived(own, where));
        },
      ),
      RUNS,
    );
  });

  it('never admits after the discharge or leaves an ended visit open when the sender’s clock is wrong', () => {
    const hour = fc.integer({ min: 8, max: 20 }).map((h) => `${String(h).padStart(2, '0')}:00`);
    const wrong = fc.record({ occurred: hour, recorded: hour, sent: hour, admitted: hour });
    const own = fc.record({
      start: fc.constantFrom('A01', 'A04', 'A06'),
      wrong,
      ended: hour,
      received: fc.constant('09:00'),
    });
    fc.assert(
      fc.property(own, ({ start, wrong: times, ended, received }) => {
        const arrival = fact(start, '09:00', { ...times, received, class: 'INPATIENT', control: '1' });
        const end = fact('A03', '21:00', { discharged: ended, received: '21:00', class: 'INPATIENT', control: '2' });
        const { state, events, flags } = foldVisit([end, arrival], HOSPITAL);
        if (!arrival.adt.disbelieved) return;
        expect(state.status).toBe('FINISHED');
        expect(flags).toContain('TIME_NOT_BELIEVED');
        expect(events).toHaveLength(2);
        const [limit] = [moment('09:10').instant, state.dischargedAt?.instant ?? ''].sort();
        expect(String(state.admittedAt?.instant) <= String(limit)).toBe(true);
        expect(String(events[0]?.at.instant) <= String(limit)).toBe(true);
      }),
      RUNS,
    );
  });

  it('folds the facilities of a feed the same in any order of arrival, and leaves each patient at one of them', () => {
    const placed = fc.array(fc.tuple(visitFact, fc.constantFrom('1', '2', '3')), { maxLength: 12 });
    const foldPlaced = (all: (readonly [Fact, string])[]) => {
      const arrived = all.map(([one, groupId], i) => ({ ...one, id: String(i + 1), groupId }));
      const content = new Map(arrived.map(({ id, adt }) => [id, adt.contentHash]));
      const parts = [...Map.groupBy(arrived, ({ groupId }) => groupId)].map(([groupId, own]) => ({
        groupId,
        facility: HOSPITAL,
        facts: own,
      }));
      const visits = foldFacilities(parts).map(({ outcomes: _, factIds: __, events, ...visit }) => ({
        ...visit,
        events: events.map((event) => ({ ...event, factIds: event.factIds.map((id) => content.get(id) ?? '').sort() })),
      }));
      return visits.sort((a, b) => (a.groupId + a.key < b.groupId + b.key ? -1 : 1));
    };
    const ofOnePatient = placed.map((all) =>
      all.map(([one, groupId], index) => {
        const patient = { ...one.adt.patient, recordNumber: 'M1' };
        const contentHash = `${one.adt.contentHash}${groupId}${index}`;
        return [{ ...one, adt: { ...one.adt, contentHash, patient } }, groupId] as const;
      }),
    );
    const inTwoOrders = ofOnePatient.chain((all) =>
      fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
    );
    fc.assert(
      fc.property(inTwoOrders, ([all, other]) => {
        expect(foldPlaced(other)).toEqual(foldPlaced(all));
      }),
      RUNS,
    );
    const road = fc.array(fc.constantFrom('1', '2', '3'), { minLength: 1, maxLength: 6 });
    const roadInAnyOrder = road.chain((places) => {
      const stops = places.map((groupId, hour) => {
        const time = `${String(8 + hour).padStart(2, '0')}:00`;
        const own = { class: 'INPATIENT', admitted: '08:00', control: String(hour), unit: groupId } as const;
        return [fact(hour === 0 ? 'A01' : 'A02', time, own), groupId] as const;
      });
      return fc.tuple(fc.constant(places), fc.shuffledSubarray(stops, { minLength: stops.length }));
    });
    fc.assert(
      fc.property(roadInAnyOrder, ([places, stops]) => {
        const open = foldPlaced(stops).filter(({ state }) => state.status === 'IN_PROGRESS');
        expect(open.map(({ groupId }) => groupId)).toEqual(places.slice(-1));
      }),
      RUNS,
    );
  });

  it('stores the same events when each message is folded and diffed as it arrives', () => {
    fc.assert(
      fc.property(facts, facility, (all, where) => {
        const own = all.map((one) => ({
          ...one,
          adt: {
            ...one.adt,
            patient: { ...one.adt.patient, recordNumber: 'M1' },
            visit: { ...one.adt.visit, visitNumber: 'V1' },
          },
        }));
        let stored: Parameters<typeof diffEvents>[0] = [];
        for (let n = 1; n <= own.length; n++) {
          const folded = foldDossier(own.slice(0, n), where)[0]?.events ?? [];
          const { insert, amend, cancel, revive, unchanged } = diffEvents(stored, folded);
          stored = [
            ...unchanged,
            ...[...amend, ...revive].map((pair) => ({ ...pair.folded, id: pair.stored.id, state: 'AMENDED' as const })),
            ...cancel.map((event) => ({ ...event, state: 'CANCELLED' as const })),
            ...insert.map((event, i) => ({ ...event, id: `${n}.${i}`, state: 'ACTIVE' as const })),
          ];
          expect(new Set(stored.map(({ key }) => key)).size).toBe(stored.length);
          expect(
            stored
              .filter(({ state }) => state !== 'CANCELLED')
              .map(({ key }) => key)
              .sort(),
          ).toEqual(folded.map(({ key }) => key).sort());
        }
      }),
      { numRuns: 500 },
    );
  });
});
