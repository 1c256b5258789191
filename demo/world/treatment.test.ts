import { expect, test } from 'vitest';
import { DAY } from './clock.ts';
import { TREATMENT_FACILITY } from './treatment.ts';
import { demoWorldOptions, expectedPings, makeWorld } from './world.ts';

const world = makeWorld(demoWorldOptions('2026-11-20T12:00:00Z'));
const { visits } = world.truth;
const treated = visits.filter(({ facility }) => facility === TREATMENT_FACILITY);
const people = new Set(treated.map(({ person }) => person));

test('people on a roster are treated, some still and some elsewhere as well', () => {
  const listed = new Set(Object.values(world.rosters).flatMap((rows) => rows.map(({ person }) => person)));
  expect(people.size).toBeGreaterThanOrEqual(20);
  for (const person of people) expect(listed.has(person)).toBe(true);
  expect(treated.filter(({ status }) => status === 'OPEN').length).toBeGreaterThanOrEqual(1);
  const elsewhere = visits.filter(({ person, facility }) => people.has(person) && facility !== TREATMENT_FACILITY);
  expect(new Set(elsewhere.map(({ person }) => person)).size).toBeGreaterThanOrEqual(5);
});

test('no one is in two places', () => {
  const end = Date.parse(world.options.to) + DAY;
  for (const one of treated) {
    const others = visits.filter((other) => other !== one && other.person === one.person);
    for (const other of others) {
      const [first, second] = [one, other].sort((a, b) => a.startedAt.localeCompare(b.startedAt));
      const isOpen = first?.status === 'OPEN' || first?.status === 'ON_LEAVE';
      const until = isOpen ? end : Date.parse(first?.dischargedAt ?? first?.startedAt ?? '');
      expect(until, `${one.visit} and ${other.visit}`).toBeLessThan(Date.parse(second?.startedAt ?? ''));
    }
  }
});

test('no other group expects a ping about a treatment', () => {
  expect(expectedPings(world).filter(({ facility }) => facility === TREATMENT_FACILITY)).toEqual([]);
});
