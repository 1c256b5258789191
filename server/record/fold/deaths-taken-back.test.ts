import { expect, it } from 'vitest';
import { fact } from '#server/testing/facts.ts';
import { isDeathDenied } from './deaths-taken-back.ts';

const says = (time: string, deceased: boolean | null) => fact('A31', time, { patient: { deceased } });
const bed = fact('A08', '12:00');
const isDenied = (...facts: Parameters<typeof isDeathDenied>[0]) => isDeathDenied(facts, new Set());

it('a death that PID-30 reported is denied by a later N or "", in any order of arrival', () => {
  expect(isDenied(says('09:00', true), says('10:00', false), bed)).toBe(true);
  expect(isDenied(says('10:00', null), says('09:00', true))).toBe(true);
  expect(isDenied(says('09:00', false), says('10:00', true))).toBe(false);
});

it('a later report of the death ends the denial, also one by PV1-36', () => {
  const denied = [says('09:00', true), says('10:00', false)];
  expect(isDenied(...denied, says('11:00', true))).toBe(false);
  const end = fact('A03', '11:00', { disposition: '20', patient: { deceased: false } });
  expect(isDenied(...denied, end)).toBe(false);
});

it('N denies nothing if only PV1-36 reported the death, or if the report was canceled', () => {
  const end = fact('A03', '09:00', { disposition: '20', patient: { deceased: false } });
  expect(isDenied(end, says('10:00', false))).toBe(false);
  const report = says('09:00', true);
  expect(isDeathDenied([report, says('10:00', false)], new Set([report.adt.contentHash]))).toBe(false);
});
