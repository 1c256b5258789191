import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DAY } from '#contract/durations.ts';
import { daysAgo, NOW, visit } from '#server/testing/rule-visits.ts';
import { type Enrollments, enrollmentBy, enrollments, type Program, type ProgramStay } from './hl7-programs.ts';

const someProgram: fc.Arbitrary<Program> = fc.record({
  id: fc.constantFrom('1', '2'),
  organizationId: fc.constant('1'),
  name: fc.constantFrom('Bundle', 'Follow-up'),
  admittingFacilityId: fc.constantFrom(null, 'mercy'),
  admittingFacilityName: fc.constant(null),
  admittingFacilityType: fc.constantFrom(null, 'HOS' as const),
  diagnosesDefinition: fc.constantFrom(null, { codes: ['I50'], principalOnly: true }),
  drgCodes: fc.constantFrom([], ['291'], ['291', '190']),
  payer: fc.constantFrom(null, 'Medicare'),
  dischargeSetting: fc.constantFrom(null, 'INPATIENT' as const),
  dischargedTo: fc.constantFrom(null, 'HOME' as const),
  validityPeriod: fc.constantFrom(1, 2, 30, 90, 365),
});

const someStay: fc.Arbitrary<ProgramStay> = fc
  .record({
    setting: fc.constantFrom('EMERGENCY' as const, 'INPATIENT' as const, 'INPATIENT' as const),
    to: fc.option(fc.integer({ min: -4, max: 800 }), { freq: 6 }),
    drg: fc.constantFrom(null, '291', '190'),
    payer: fc.constantFrom(null, 'Medicare', 'Great Lantern'),
    timeZone: fc.constantFrom('America/New_York', 'Pacific/Honolulu'),
    over: fc.record({
      facilityId: fc.constantFrom('mercy', 'brendan'),
      disposition: fc.constantFrom('01', '01', '03', '20', null),
      diagnosisCodes: fc.constantFrom(['I50.9'], ['J44.1', 'I50.9'], []),
      diedAt: fc.constantFrom(...Array<null>(40).fill(null), daysAgo(1)),
    }),
  })
  .map(({ setting, to, drg, payer, timeZone, over }) => {
    const days = to === null ? null : to / 2;
    const dischargedOn = days === null ? null : new Date(daysAgo(days) - 6 * 3_600_000).toISOString().slice(0, 10);
    return {
      visit: visit(setting, (days ?? 0) + 3, days, over),
      dischargedOn,
      timeZone,
      drg,
      payer: payer === null ? null : { company: payer, plan: null, code: null },
    };
  });
const someStays = fc.array(someStay, { maxLength: 8 });

const at = (stays: readonly ProgramStay[], program: Program, now = NOW): Enrollments =>
  enrollments(stays, [program], { now, hasDied: false });
const untilOf = (stays: readonly ProgramStay[], program: Program, now = NOW) =>
  at(stays, program, now).now.map(({ validFrom, validTo }) => `${validFrom} ${validTo}`);
const runs = { numRuns: 1500 };

test('the order of the visits does not matter', () => {
  fc.assert(
    fc.property(someStays, someProgram, fc.infiniteStream(fc.nat()), (stays, program, keys) => {
      const shuffled = stays
        .map((stay) => ({ stay, key: keys.next().value }))
        .toSorted((a, b) => a.key - b.key)
        .map(({ stay }) => stay);
      expect(at(shuffled, program)).toEqual(at(stays, program));
    }),
    runs,
  );
});

test('enrollments change by time alone only when changesAt says', () => {
  fc.assert(
    fc.property(someStays, someProgram, (stays, program) => {
      const until = at(stays, program).changesAt ?? NOW + 900 * DAY;
      expect(untilOf(stays, program, until - 1)).toEqual(untilOf(stays, program));
    }),
    runs,
  );
});

test('canceled and planned visits change nothing', () => {
  fc.assert(
    fc.property(
      someStays,
      someProgram,
      someStay,
      fc.constantFrom('CANCELLED' as const, 'PLANNED' as const),
      (...of) => {
        const [stays, program, more, status] = of;
        // A report of death is retracted with its visit.
        const retracted = { ...more, visit: { ...more.visit, status } };
        expect(at([...stays, retracted], program)).toEqual(at(stays, program));
      },
    ),
    runs,
  );
});

test('another visit never ends an enrollment earlier, unless it reports a death', () => {
  fc.assert(
    fc.property(someStays, someProgram, someStay, (stays, program, more) => {
      fc.pre(more.visit.diedAt === null);
      const [before] = untilOf(stays, program);
      if (before === undefined) return;
      expect((untilOf([...stays, more], program)[0] as string) >= before).toBe(true);
    }),
    runs,
  );
});

test('whoever is enrolled has a stay that meets the conditions, today is among its days, and who has died is in no program', () => {
  fc.assert(
    fc.property(someStays, someProgram, (stays, program) => {
      for (const enrollment of at(stays, program).now) {
        expect(stays).toContain(enrollment.stay);
        expect(enrollmentBy(enrollment.stay, program)).toEqual(enrollment);
        const days = (Date.parse(enrollment.validTo) - Date.parse(enrollment.validFrom)) / DAY + 1;
        expect(days).toBe(program.validityPeriod);
        expect(enrollment.validTo >= '2026-11-19').toBe(true);
      }
      expect(enrollments(stays, [program], { now: NOW, hasDied: true }).now).toEqual([]);
    }),
    runs,
  );
});

test('a stricter definition enrolls no one whom the definition does not enroll', () => {
  fc.assert(
    fc.property(someStays, someProgram, (stays, program) => {
      const stricter: Program = {
        ...program,
        admittingFacilityId: 'mercy',
        drgCodes: ['291'],
        payer: 'Medicare',
        validityPeriod: Math.max(1, program.validityPeriod - 1),
      };
      const isWider = program.drgCodes.length === 0 || program.drgCodes.includes('291');
      if (isWider && at(stays, stricter).now.length > 0) expect(at(stays, program).now).toHaveLength(1);
    }),
    runs,
  );
});

test('after a merge, the person is in every program that either record was in', () => {
  fc.assert(
    fc.property(someStays, someStays, someProgram, (one, other, program) => {
      const hasDied = [...one, ...other].some(({ visit: { diedAt } }) => diedAt !== null);
      fc.pre(!hasDied);
      const either = at(one, program).now.length + at(other, program).now.length > 0;
      expect(at([...one, ...other], program).now.length > 0).toBe(either);
    }),
    runs,
  );
});
