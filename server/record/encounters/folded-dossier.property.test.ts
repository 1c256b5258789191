/** Facilities of a feed with common record numbers, folded as stored: whatever the order and the batches in which messages arrive. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Setting } from '#contract/event-codes.ts';
import type { Fact } from '#server/record/fold/fold-input.ts';
import { recordNumbersOf } from '#server/record/fold/visit-identifiers.ts';
import { type FactDetails, fact, HOSPITAL } from '#server/testing/facts.ts';
import { ownerKey } from './dossiers.ts';
import { type Dossier, foldDossiers, missingPatients } from './folded-dossier.ts';
import type { SourcePatient } from './queries.ts';
import type { StoredFact } from './stored-facts.ts';

/** A fact with its facility. */
interface Placed {
  groupId: string;
  fact: Fact;
}

const GROUPS = ['1', '2', '3'];
const NUMBERS = ['M1', 'M1', 'M2', 'M3'];
const SETTINGS: Setting[] = ['INPATIENT', 'EMERGENCY', 'OUTPATIENT'];
const sometimes = <T>(values: readonly T[]) => fc.option(fc.constantFrom(...values), { nil: undefined, freq: 2 });
const written = fc
  .tuple(fc.constantFrom('1', '2'), fc.constantFrom('08:00', '08:01', '10:00:30', '12:00'))
  .map((parts) => parts.join(' '));

/** `authorities`: what PID-3.4 and MRG-1.4 may be; undefined for none. */
function messages(authorities: readonly (string | undefined)[]) {
  const authority = fc.constantFrom(...authorities);
  const details = fc.record<FactDetails>({
    record: fc.constantFrom(...NUMBERS),
    visit: fc.constantFrom('V101', 'V102', null),
    account: sometimes(['A501']),
    class: sometimes(SETTINGS),
    admitted: sometimes(['1 08:00', '2 08:00']),
    control: fc.constantFrom('1', '2', '10'),
  });
  const named = fc.tuple(authority, sometimes(['1941-03-14', '1950-01-02']), sometimes([true]));
  const patient = named.map(([recordAuthority, birthDate, deceased]) => ({
    ...(recordAuthority && { recordAuthority }),
    ...(birthDate && { birthDate }),
    ...(deceased && { deceased }),
  }));
  const visit = fc
    .tuple(fc.constantFrom('A01', 'A02', 'A03', 'A04', 'A08', 'A11', 'A13', 'A29'), written, details, patient)
    .map(([trigger, at, more, own]) => fact(trigger, at, { ...more, patient: own }));
  const update = fc
    .tuple(fc.constantFrom('A08', 'A28', 'A31'), written, fc.constantFrom(...NUMBERS), patient)
    .map(([trigger, at, record, own]) => fact(trigger, at, { record, noVisit: true, patient: own }));
  const merge = fc
    .tuple(
      fc.constantFrom('A40', 'A34', 'A36', 'A44', 'A45', 'A47'),
      written,
      details,
      patient,
      fc.record({
        priorRecordNumber: fc.constantFrom(...NUMBERS, null),
        priorVisitNumber: fc.constantFrom('V101', 'V102', null),
        priorAccountNumber: fc.constantFrom('A501', null),
      }),
      authority,
    )
    .map(([trigger, at, more, own, prior, priorRecordAuthority]) => {
      return fact(trigger, at, {
        ...more,
        patient: own,
        merge: { ...prior, ...(priorRecordAuthority && { priorRecordAuthority }) },
      });
    });
  const placed = fc.tuple(fc.constantFrom(...GROUPS), fc.oneof(visit, visit, update, merge));
  return fc.array(placed, { maxLength: 12 }).map((all) =>
    // The facility is part of a message, so no two facilities send the same one.
    all.map(([groupId, { adt, ...rest }], index): Placed => {
      return { groupId, fact: { ...rest, adt: { ...adt, contentHash: `${adt.contentHash}${groupId}${index}` } } };
    }),
  );
}

/** Folds messages as they are stored, in batches: what a batch stored is kept for the next. */
function foldStored(batches: readonly (readonly Placed[])[], sharedFeedId: string | null = '1'): Dossier {
  const facts: StoredFact[] = [];
  const patients: SourcePatient[] = [];
  const add = (key: string) => {
    const [groupId = '', recordNumber = ''] = key.split('\u0000');
    const id = String(patients.length + 1);
    if (patients.some((own) => own.groupId === groupId && own.recordNumber === recordNumber)) return;
    patients.push({ ...NO_ONE, id, groupId, recordNumber, personId: id });
  };
  let folded = [...foldDossiers(['1'], facts, patients, FACILITIES)][0] ?? EMPTY;
  for (const batch of batches) {
    for (const { groupId, fact: own } of batch) {
      for (const number of recordNumbersOf(own)) add(ownerKey(groupId, number));
      const stored = { ...own, id: String(facts.length + 1), dossierId: '1', groupId, manualCode: null, sharedFeedId };
      facts.push({ ...NOT_FOLDED, ...stored });
    }
    do {
      folded = [...foldDossiers(['1'], facts, patients, FACILITIES)][0] ?? EMPTY;
      for (const key of missingPatients(folded)) add(key);
    } while (missingPatients({ ...folded, patients }).length > 0);
    folded = [...foldDossiers(['1'], facts, patients, FACILITIES)][0] ?? EMPTY;
    for (const each of facts) each.outcome = 'folded';
  }
  return folded;
}

const FACILITIES = new Map(GROUPS.map((id) => [id, { ...HOSPITAL, id }]));
const NO_ONE = {
  dossierId: '1',
  demographics: {},
  deceased: false,
  deceasedOn: null,
  apartFrom: null,
  mergeHeld: null,
  isConfirmed: false,
};
const NOT_FOLDED = {
  sourcePatientId: '0',
  encounterId: null,
  messageId: '1',
  outcome: '',
  receivedAt: '',
  isBackfill: false,
};
const EMPTY: Dossier = {
  facts: [],
  patients: [],
  visits: [],
  survivors: new Map(),
  factsOf: new Map(),
  describedBy: new Map(),
  shared: [],
  held: [],
};

/** What is the same in any order of arrival: ids are replaced by content. */
function contentOf({ facts, visits, survivors, describedBy }: Dossier) {
  const hashOf = new Map(facts.map(({ id, adt }) => [id, adt.contentHash]));
  const named = (ids: readonly string[]) => ids.map((id) => hashOf.get(id) ?? '').sort();
  return {
    visits: visits
      .map(({ outcomes, factIds, events, ...visit }) => ({
        ...visit,
        events: events.map((event) => ({ ...event, factIds: named(event.factIds) })),
        factIds: named(factIds),
        outcomes: [...outcomes].map(([id, outcome]) => `${hashOf.get(id)} ${outcome}`).sort(),
      }))
      .sort((a, b) => (a.groupId + a.key < b.groupId + b.key ? -1 : 1)),
    survivors: Object.fromEntries(survivors),
    described: Object.fromEntries(
      [...describedBy].map(([key, own]) => [key, [...new Set(named(own.map(({ id }) => id)))]]),
    ),
  };
}

const shuffled = (all: Placed[]) => fc.shuffledSubarray(all, { minLength: all.length, maxLength: all.length });
const COMMON = ['SYS', 'SYS', ' sys', 'SYS', 'SYS', 'LAB', undefined];
const RUNS = { numRuns: 250 };

describe('the fold of facilities with common record numbers', () => {
  it('gives the same in any order and any batches', () => {
    const arriving = messages(COMMON).chain((all) => fc.tuple(fc.constant(all), shuffled(all), fc.nat(all.length)));
    fc.assert(
      fc.property(arriving, ([all, other, cut]) => {
        const once = contentOf(foldStored([all]));
        expect(contentOf(foldStored([other]))).toEqual(once);
        expect(contentOf(foldStored([other.slice(0, cut), other.slice(cut)])).visits).toEqual(once.visits);
      }),
      RUNS,
    );
  });

  it('is not changed by messages that arrive twice', () => {
    const twice = messages(COMMON).chain((all) => fc.tuple(fc.constant(all), fc.subarray(all)));
    fc.assert(
      fc.property(twice, ([all, again]) => {
        const visitsOf = (dossier: Dossier) =>
          contentOf(dossier).visits.map(({ outcomes: _, factIds: __, ...own }) => own);
        expect(visitsOf(foldStored([[...all, ...again]]))).toEqual(visitsOf(foldStored([all])));
      }),
      RUNS,
    );
  });

  it('changes nothing without an authority, or if each facility has its own', () => {
    const visitsOf = (dossier: Dossier) => contentOf(dossier).visits;
    fc.assert(
      fc.property(messages([undefined]), (all) => {
        expect(visitsOf(foldStored([all]))).toEqual(visitsOf(foldStored([all], null)));
      }),
      RUNS,
    );
    fc.assert(
      fc.property(messages(COMMON), (all) => {
        const own = all.map(({ groupId, fact: { adt, ...rest } }): Placed => {
          const [patient, merge] = [{ ...adt.patient }, adt.merge && { ...adt.merge }];
          if (patient.recordAuthority) patient.recordAuthority = groupId;
          if (merge?.priorRecordAuthority) merge.priorRecordAuthority = groupId;
          return { groupId, fact: { ...rest, adt: { ...adt, patient, merge } } };
        });
        expect(visitsOf(foldStored([own]))).toEqual(visitsOf(foldStored([own], null)));
      }),
      RUNS,
    );
  });

  it('never adds a patient to a facility that has sent nothing about them, nor another facility’s message to a visit', () => {
    fc.assert(
      fc.property(messages(COMMON), (all) => {
        const { patients, visits, facts } = foldStored([all]);
        const groupOf = new Map(facts.map(({ id, groupId }) => [id, groupId]));
        for (const { groupId } of patients) expect(all.some((own) => own.groupId === groupId)).toBe(true);
        for (const visit of visits) {
          for (const id of [...visit.factIds, ...visit.outcomes.keys()]) expect(groupOf.get(id)).toBe(visit.groupId);
        }
      }),
      RUNS,
    );
  });
});
