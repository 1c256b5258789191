import { expect, it } from 'vitest';
import { fact, moment } from '#server/testing/facts.ts';
import { deniedBy, doubtAbout } from './deaths-taken-back.ts';

const says = (time: string, deceased: boolean | null) => fact('A31', time, { patient: { deceased } });
const bed = fact('A08', '12:00');
const isDenied = (...facts: Parameters<typeof deniedBy>[0]) => deniedBy(facts, new Set());

it('a death that PID-30 reported is denied by a later N or "", in any order of arrival', () => {
  expect(isDenied(says('09:00', true), says('10:00', false), bed)).toBe('LIVING');
  expect(isDenied(says('10:00', null), says('09:00', true))).toBe('WITHDRAWN');
  expect(isDenied(says('09:00', false), says('10:00', true))).toBeNull();
});

it('a later report of the death ends the denial, also one by PV1-36', () => {
  const denied = [says('09:00', true), says('10:00', false)];
  expect(isDenied(...denied, says('11:00', true))).toBeNull();
  const end = fact('A03', '11:00', { disposition: '20', patient: { deceased: false } });
  expect(isDenied(...denied, end)).toBeNull();
});

it('N denies nothing if only PV1-36 reported the death, or if the report was canceled', () => {
  const end = fact('A03', '09:00', { disposition: '20', patient: { deceased: false } });
  expect(isDenied(end, says('10:00', false))).toBeNull();
  const report = says('09:00', true);
  expect(deniedBy([report, says('10:00', false)], new Set([report.adt.contentHash]))).toBeNull();
});

const alive = { patient: { deceased: false } };
const end = fact('A03', '3 09:00', { disposition: '20', ...alive });
const doubt = (...facts: Parameters<typeof deniedBy>[0]) => doubtAbout({ at: moment('3 09:00') }, facts, new Set());

it('a move with PID-30 N, half a day after a death that only PV1-36 reported, puts it in doubt, in any order of arrival', () => {
  const move = fact('A02', '5 09:00', { unit: '4W', ...alive });
  expect(doubt(end, move)).toBe('LIVING');
  expect(doubt(move, end)).toBe('LIVING');
  expect(doubt(end, fact('A02', '3 15:00', { unit: 'MORGUE', ...alive }))).toBeNull();
  expect(doubt(end, fact('A02', '5 09:00', { unit: '4W' }))).toBeNull();
  expect(doubt(end, fact('A08', '5 09:00', { class: 'INPATIENT', ...alive }))).toBeNull();
  expect(doubt(end, move, fact('A08', '6 09:00', { disposition: '20', ...alive }))).toBeNull();
  expect(doubtAbout({ at: moment('3 09:00') }, [end, move], new Set([move.adt.contentHash]))).toBeNull();
});

it('a message of a stay without an end puts a death in doubt that only an answer by link reported', () => {
  const answer = fact('LINK', '4 09:00', { disposition: '20' });
  const death = { at: moment('3'), reportedByLink: { name: 'Ann Lee', date: '2026-03-04T09:00:00Z' } };
  const inBed = (more: object = alive, time = '5 09:00') =>
    doubtAbout(death, [answer, fact('A08', time, { class: 'INPATIENT', ...more })], new Set());
  expect(inBed()).toBe('LIVING');
  expect(inBed({})).toBeNull();
  expect(inBed({ ...alive, discharged: '3 09:00', disposition: '01' })).toBeNull();
  expect(inBed({ ...alive, class: 'OUTPATIENT' })).toBeNull();
  expect(inBed(alive, '3 23:00')).toBeNull();
});
