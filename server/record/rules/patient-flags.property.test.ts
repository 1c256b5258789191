import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Setting } from '#contract/event-codes.ts';
import { daysAgo, NOW, visit } from '#server/testing/rule-visits.ts';
import { acuteCare } from './acute-care.ts';
import { patientFlags, type RuleVisit } from './patient-flags.ts';
import { inpatientStays, stayBefore } from './readmissions.ts';
import { deathOf, isOngoing } from './rule-visit.ts';
import { emergencyVisits } from './transfers.ts';

const ZONE = 'America/Chicago';
const DAY = 86_400_000;
const SETTINGS: Setting[] = ['EMERGENCY', 'INPATIENT', 'INPATIENT', 'OBSERVATION', 'OUTPATIENT', 'SNF', 'HHA', 'REHAB'];
/** Whole and half days, so that visits are often exactly on the edge of a window. */
const days = (min: number, max: number) => fc.integer({ min: 2 * min, max: 2 * max }).map((half) => half / 2);

const someVisit: fc.Arbitrary<RuleVisit> = fc
  .record({
    setting: fc.constantFrom(...SETTINGS),
    // Often the same instant for several visits, so that ties occur.
    from: fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(0.5, 3, 12) },
      { weight: 3, arbitrary: days(-3, 70) },
      { weight: 2, arbitrary: days(0, 420) },
    ),
    length: fc.option(fc.oneof(fc.constant(1), days(0, 20)), { freq: 4 }),
    over: fc.record({
      facilityId: fc.constantFrom('mercy', 'brendan'),
      status: fc.option(fc.constantFrom('ON_LEAVE' as const, 'PLANNED' as const, 'CANCELLED' as const), { freq: 9 }),
      cameThroughEmergency: fc.boolean(),
      mentionsCovid: fc.boolean(),
      disposition: fc.constantFrom('01', '03', '02', '02', '61', '65', '07', '20', '81'),
      admissionType: fc.constantFrom('1', '3'),
      admitSource: fc.constantFrom('1', '1', '4'),
      diedAt: fc.constantFrom(...Array<null>(30).fill(null), daysAgo(0), daysAgo(12)),
    }),
  })
  .map(({ setting, from, length, over: { status, ...over } }) =>
    visit(setting, from, length === null ? null : from - length, {
      ...over,
      cameThroughEmergency: over.cameThroughEmergency && setting === 'INPATIENT',
      ...(status ? { status } : {}),
    }),
  );
const someVisits = fc.array(someVisit, { maxLength: 12 });

const plain = (visits: readonly RuleVisit[], now: number) => {
  const flags = patientFlags(visits, now, ZONE);
  return { ...flags, changesAt: undefined, visits: Object.fromEntries(flags.visits) };
};

describe('changesAt', () => {
  test('nothing changes before it', () => {
    fc.assert(
      fc.property(someVisits, fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (visits, part) => {
        const { changesAt } = patientFlags(visits, NOW, ZONE);
        const until = changesAt ?? NOW + 4000 * DAY;
        expect(until).toBeGreaterThan(NOW);
        expect(plain(visits, NOW + Math.floor(part * (until - NOW)))).toEqual(plain(visits, NOW));
        expect(plain(visits, until - 1)).toEqual(plain(visits, NOW));
      }),
      { numRuns: 2000 },
    );
  });

  test('following it from change to change finds every state seen in half-day steps, and ends', () => {
    fc.assert(
      fc.property(someVisits, (visits) => {
        let next: number | null = NOW;
        let steps = 0;
        let flags = plain(visits, NOW);
        for (let now = NOW; now < NOW + 430 * DAY; now += DAY / 2) {
          while (next !== null && next <= now) {
            flags = plain(visits, next);
            next = patientFlags(visits, next, ZONE).changesAt;
            steps += 1;
          }
          expect(plain(visits, now)).toEqual(flags);
        }
        expect(next).toBeNull();
        expect(steps).toBeLessThanOrEqual(1 + 9 * visits.length);
      }),
      { numRuns: 30 },
    );
  }, 30_000);
});

test('the order of the visits does not matter', () => {
  const shuffled = someVisits.chain((visits) =>
    fc.tuple(fc.constant(visits), fc.shuffledSubarray(visits, { minLength: visits.length })),
  );
  fc.assert(
    fc.property(shuffled, ([visits, other]) => {
      expect(plain(other, NOW)).toEqual(plain(visits, NOW));
      expect(patientFlags(other, NOW, ZONE).changesAt).toBe(patientFlags(visits, NOW, ZONE).changesAt);
    }),
    { numRuns: 1000 },
  );
});

test('retracted and planned visits don’t count', () => {
  fc.assert(
    fc.property(someVisits, someVisits, (visits, others) => {
      const uncounted = others.map((one, index) => ({ ...one, status: index % 2 ? 'PLANNED' : 'CANCELLED' }) as const);
      const found = plain([...visits, ...uncounted], NOW);
      for (const { id } of uncounted) {
        expect(found.visits[id]).toMatchObject({ readmissionRisk: false, encounterTags: [], readmission: null });
        delete found.visits[id];
      }
      expect(found).toEqual(plain(visits, NOW));
    }),
    { numRuns: 1000 },
  );
});

test('counts agree with a straightforward implementation', () => {
  fc.assert(
    fc.property(someVisits, (visits) => {
      const inPast = visits.filter(
        ({ status, admittedAt }) =>
          status !== 'CANCELLED' && status !== 'PLANNED' && admittedAt !== null && admittedAt <= NOW,
      );
      const inYear = inPast.filter(({ admittedAt }) => (admittedAt ?? 0) > daysAgo(365));
      const emergency = inYear.filter((one) => one.setting === 'EMERGENCY' || one.cameThroughEmergency);
      const counted = emergencyVisits(inPast);
      const own = emergency.filter(({ id }) => counted.get(id) === id);
      const in60 = own.filter(({ admittedAt }) => (admittedAt ?? 0) > daysAgo(60));
      const flags = patientFlags(visits, NOW, ZONE);
      expect(flags.emergencyRoomVisitCount).toBe(own.length);
      expect(flags.emergencyRoomCount).toBe(new Set(emergency.map((one) => one.facilityId)).size);
      const care = acuteCare(inPast, inpatientStays(visits), counted);
      const stays = inYear.filter(({ setting, id }) => setting === 'INPATIENT' && !care.isContinued(id));
      expect(flags.encounterCounts.inpatient).toBe(stays.length);
      expect(flags.hospitalUse === 'VALID').toBe(own.length >= 4 || in60.length >= 3);
    }),
    { numRuns: 1000 },
  );
});

test('a visit now has a flag for an earlier stay exactly where its row says so', () => {
  fc.assert(
    fc.property(someVisits, (visits) => {
      const flags = patientFlags(visits, NOW, ZONE);
      const isDead = deathOf(visits) !== null;
      for (const now of visits) {
        const { readmissionRiskAfter = null, recentInpatientStay = null } = flags.visits.get(now.id) ?? {};
        const flag = readmissionRiskAfter ?? recentInpatientStay;
        const isIn = ['EMERGENCY', 'OBSERVATION', 'INPATIENT'].includes(now.setting) && isOngoing(now);
        const before = isIn && !isDead ? stayBefore(now, visits) : null;
        expect(flag?.triggerEncounterId).toBe(before?.id);
      }
    }),
    { numRuns: 3000 },
  );
});
