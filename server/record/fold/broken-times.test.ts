/** Messages with times that can't be read, from their text to the visit. None is lost without a reason that names the field. */
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { DEFAULT_FEED_SETTINGS } from '#contract/feed-defaults.ts';
import { readMessage } from '#server/intake/messages/read-message.ts';
import { foldDossier, HOSPITAL } from '#server/testing/facts.ts';
import { type AdtParts, adt } from '#server/testing/hospital.ts';
import { type Fields, withFields } from '#server/testing/patient-story.ts';
import type { Fact } from './fold-input.ts';
import { outcomesOfDossier } from './outcomes.ts';

const FEED = { id: '1', settings: DEFAULT_FEED_SETTINGS, isBackfill: false, isPaused: false, facilities: { '*': '1' } };

/** A message written at 14:`minute` on November 19, with all five times. */
function message(trigger: string, minute: number, parts: Partial<AdtParts> = {}, fields: Fields = {}): string {
  const at = `2026111914${minute}`;
  const times = { 'EVN-6': at, 'PV1-44': '202611191410', ...(trigger === 'A03' && { 'PV1-45': at }) };
  return withFields(adt(trigger, { at, record: 'MR-1', controlId: `${trigger}${minute}`, ...parts }), {
    ...times,
    ...fields,
  });
}

/** Reads messages as received in this order, an hour after the last one was written. */
function read(texts: readonly string[]) {
  return texts.map((text, index) => {
    const receivedAt = new Date(Date.UTC(2026, 10, 19, 21, index)).toISOString();
    const sender = { source: 'MLLP' as const, sendingApplication: 'TESTADT', sendingFacility: 'MERCY' };
    return readMessage({ ...sender, raw: Buffer.from(text), receivedAt }, FEED);
  });
}

const factsOf = (readings: ReturnType<typeof read>): Fact[] =>
  readings.flatMap((reading, index) =>
    reading.kind === 'facts' ? reading.facts.map(({ adt: facts }) => ({ id: String(index + 1), adt: facts })) : [],
  );

/** The messages that must come first. */
const BEFORE: Record<string, string[]> = { A11: ['A01'], A12: ['A01', 'A02'], A13: ['A01', 'A03'] };
const TRIGGERS = 'A01 A02 A03 A04 A05 A06 A07 A08 A11 A12 A13 A21 A22'.split(' ');
const FIELDS = ['MSH-7', 'EVN-2', 'EVN-6', 'PV1-44', 'PV1-45'];
const BROKEN = [...FIELDS.map((field) => [field]), ['MSH-7', 'EVN-2'], ['EVN-6', 'PV1-44', 'PV1-45'], FIELDS];

describe.each([
  ['a visit number', 'V-100'],
  ['no visit number', ''],
])('a message with a broken time and %s', (_, visit) => {
  test.each(TRIGGERS.flatMap((trigger) => BROKEN.map((broken) => [trigger, broken] as const)))(
    '%s without %j has its visit, or a reason that names the fields',
    (trigger, broken) => {
      for (const value of ['November 19', '11/10/2026 14:10', '']) {
        const before = (BEFORE[trigger] ?? []).map((each, index) => message(each, 10 + 10 * index, { visit }));
        const fields = Object.fromEntries(broken.map((field) => [field, value]));
        const readings = read([...before, message(trigger, 50, { visit }, fields)]);
        const last = readings.at(-1);
        if (last?.kind !== 'facts') {
          expect(last).toMatchObject({
            kind: 'quarantine',
            reason: expect.stringContaining('hold no time that can be read'),
          });
          for (const field of ['MSH-7', 'EVN-2']) expect(broken).toContain(field);
          continue;
        }
        const facts = factsOf(readings);
        const visits = foldDossier(facts, HOSPITAL);
        const outcome = outcomesOfDossier(facts, visits).get(facts.at(-1)?.id ?? '');
        // Nothing in an update says which visit it is about if its PV1-44 is all it has.
        const isNameless = trigger === 'A08' && visit === '' && broken.includes('PV1-44');
        expect(visits, outcome).toHaveLength(isNameless ? 0 : 1);
        expect(outcome).not.toMatch(isNameless ? /about the person/ : /no readable time|Waiting|no visit/);
        if (visits[0]) expect(visits[0].state.status).toBe(STATUS[trigger] ?? 'IN_PROGRESS');
      }
    },
  );
});

const STATUS: Record<string, string> = {
  A03: 'FINISHED',
  A07: 'FINISHED',
  A05: 'PLANNED',
  A11: 'CANCELLED',
  A21: 'ON_LEAVE',
};

describe('an arrival without a readable time', () => {
  const nothing = Object.fromEntries(FIELDS.map((field) => [field, 'unclear']));
  const of = { visit: 'V-100' };
  const undated = message('A01', 10, of, nothing);
  const later = [message('A02', 20, { ...of, unit: 'ICU' }), message('A03', 50, of)];

  it('is dated by its receipt, and its visit is marked', () => {
    const [visit] = foldDossier(factsOf(read([undated])), HOSPITAL);
    expect(visit?.state.admittedAt?.instant).toBe('2026-11-19T21:00:00Z');
    expect(visit?.flags).toEqual(['TIME_NOT_BELIEVED']);
  });

  it('only has another time when it is received later: the stay is the same in any order of arrival', () => {
    const presented = message(
      'A04',
      10,
      { ...of, patientClass: 'E' },
      { 'EVN-6': '202611191400', 'PV1-44': '202611191400' },
    );
    const registered = message('A04', 11, { ...of, patientClass: 'E' }, nothing);
    const all = [undated, ...later, presented, registered, message('A08', 55, of)];
    const told = (texts: readonly string[]) =>
      foldDossier(factsOf(read(texts)), HOSPITAL).map(({ state, events }) => [
        state.status,
        state.setting,
        state.dischargedAt?.instant,
        ...events.map(({ code, setting }) => `${code} ${setting}`),
      ]);
    const inTwoOrders = fc
      .subarray(all, { minLength: 2 })
      .filter((texts) => texts.includes(undated))
      .chain((texts) => fc.tuple(fc.constant(texts), fc.shuffledSubarray(texts, { minLength: texts.length })));
    fc.assert(
      fc.property(inTwoOrders, ([texts, other]) => {
        expect(told(other)).toEqual(told(texts));
      }),
    );
    expect(told([...later, undated])).toEqual([
      ['FINISHED', 'INPATIENT', '2026-11-19T19:50:00Z', 'ADMIT INPATIENT', 'TRANSFER INPATIENT', 'DISCHARGE INPATIENT'],
    ]);
  });

  it('takes the time of the same message in any order, if two that follow it are dated to the same second', () => {
    const noTime = { 'EVN-2': '', 'EVN-6': '', 'PV1-44': '' };
    const returned = message('A22', 20, of, noTime);
    const returnedThatDay = message('A22', 20, { ...of, unit: 'ICU' }, { ...noTime, 'EVN-6': '20261119' });
    const arrivals = (texts: readonly string[]) =>
      foldDossier(factsOf(read(texts)), HOSPITAL).flatMap(({ events }) => events.map(({ code, at }) => [code, at]));
    expect(arrivals([returnedThatDay, returned, undated])).toEqual(arrivals([undated, returned, returnedThatDay]));
  });
});
