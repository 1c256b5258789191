import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DAY } from '#contract/durations.ts';
import { DEFAULT_RISING_RISK_RULE, type RisingRiskRule, RULE_LIMITS } from '#contract/rising-risk-words.ts';
import { daysAgo, NOW, visit } from '#server/testing/rule-visits.ts';
import { patientFlags } from './patient-flags.ts';
import { listedSince, personRisks } from './rising-risk.ts';
import type { RuleVisit } from './rule-visit.ts';

const ZONE = 'America/Chicago';

const rule: fc.Arbitrary<RisingRiskRule> = fc
  .record({
    visits: fc.integer({ min: 1, max: 4 }),
    days: fc.integer({ min: RULE_LIMITS.days[0], max: RULE_LIMITS.days[1] }),
    factor: fc.integer({ min: 2, max: 8 }),
    multiVisits: fc.integer({ min: 3, max: 7 }),
    multiMonths: fc.integer({ min: 1, max: 4 }),
  })
  .map((numbers) => ({ ...numbers, factor: numbers.factor / 2 }));

const someVisit: fc.Arbitrary<RuleVisit> = fc
  .record({
    setting: fc.constantFrom('EMERGENCY' as const, 'INPATIENT' as const, 'OBSERVATION' as const, 'SNF' as const),
    from: fc.integer({ min: -4, max: 900 }).map((half) => half / 2),
    length: fc.option(fc.integer({ min: 0, max: 12 }), { freq: 5 }),
    over: fc.record({
      facilityId: fc.constantFrom('mercy', 'brendan'),
      disposition: fc.constantFrom('01', '01', '02', '03'),
      admissionType: fc.constantFrom('1', '1', '3'),
      admitSource: fc.constantFrom('1', '4'),
      diedAt: fc.constantFrom(...Array<null>(40).fill(null), daysAgo(0), daysAgo(40)),
    }),
  })
  .map(({ setting, from, length, over }) => visit(setting, from, length === null ? null : from - length, over));
const someVisits = fc.array(someVisit, { maxLength: 12 });
const flagsOf = (visits: readonly RuleVisit[], now: number, by: RisingRiskRule) =>
  patientFlags(visits, now, ZONE, by).risingRisk;

test('the list, its explanation and the preview of a rule agree about today', () => {
  fc.assert(
    fc.property(someVisits, rule, (visits, by) => {
      expect(personRisks(visits, NOW, ZONE).at(NOW, by)).toEqual(flagsOf(visits, NOW, by));
    }),
    { numRuns: 1500 },
  );
});

test('whoever is listed has visits behind each reason, as many as the rule asks for, and none that is planned makes them rise', () => {
  fc.assert(
    fc.property(someVisits, rule, (visits, by) => {
      const risks = personRisks(visits, NOW, ZONE);
      for (const reason of risks.at(NOW, by)) {
        const behind = risks.behind(reason, NOW, by);
        const least = { RISING: by.visits, MULTI_VISIT: by.multiVisits, READMISSION: 1 }[reason];
        expect(behind.length).toBeGreaterThanOrEqual(least);
        expect(new Set(behind.flatMap((one) => one.visits.map(({ id }) => id))).size).toBe(
          behind.flatMap((one) => one.visits).length,
        );
        if (reason !== 'RISING') continue;
        expect(behind).toHaveLength(risks.useAt(NOW, by).recent);
        expect(behind.every(({ isUnplanned }) => isUnplanned)).toBe(true);
      }
    }),
    { numRuns: 1500 },
  );
});

test('a stricter rule lists no one whom the rule does not list as rising or multi-visit', () => {
  fc.assert(
    fc.property(someVisits, rule, (visits, by) => {
      const stricter = { ...by, visits: by.visits + 1, factor: by.factor + 0.5 };
      if (flagsOf(visits, NOW, stricter).includes('RISING')) expect(flagsOf(visits, NOW, by)).toContain('RISING');
      const often = { ...by, multiVisits: by.multiVisits + 1, multiMonths: by.multiMonths + 1 };
      if (flagsOf(visits, NOW, often).includes('MULTI_VISIT'))
        expect(flagsOf(visits, NOW, by)).toContain('MULTI_VISIT');
    }),
    { numRuns: 1500 },
  );
});

test('under any rule, the list changes by time alone only when changesAt says', () => {
  fc.assert(
    fc.property(someVisits, rule, (visits, by) => {
      const until = patientFlags(visits, NOW, ZONE, by).changesAt ?? NOW + 400 * DAY;
      expect(flagsOf(visits, until - 1, by)).toEqual(flagsOf(visits, NOW, by));
    }),
    { numRuns: 1500 },
  );
});

test('canceled and planned visits change nothing', () => {
  fc.assert(
    fc.property(someVisits, rule, fc.constantFrom('CANCELLED' as const, 'PLANNED' as const), (visits, by, status) => {
      const more = [...visits, visit('EMERGENCY', 1, 0.9, { status }), visit('INPATIENT', 9, 4, { status })];
      expect(flagsOf(more, NOW, by)).toEqual(flagsOf(visits, NOW, by));
    }),
  );
});

test('someone is listed from the second visit on', () => {
  const visits = [visit('EMERGENCY', 30), visit('EMERGENCY', 4)];
  const since = (days: number) => listedSince(personRisks(visits, NOW, ZONE), NOW, DEFAULT_RISING_RISK_RULE, days);
  expect([since(60), since(3)]).toEqual([daysAgo(4), null]);
  expect(personRisks(visits, NOW, ZONE).at(daysAgo(5), DEFAULT_RISING_RISK_RULE)).toEqual([]);
});
