import { expect, test } from 'vitest';
import { fieldOf } from './hl7-test-reader.ts';
import { liveMessages } from './live.ts';
import { demoWorldOptions, makeWorld } from './world.ts';

const world = makeWorld({ ...demoWorldOptions('2026-11-20T12:00:00Z'), people: 400, visits: 800 });
const take = (from: string, count: number) => {
  const live = liveMessages(world, from);
  return Array.from({ length: count }, () => live.next().value);
};
const later = take('2026-11-20T12:00:00Z', 3000);

test('the same start gives the same messages', () => {
  expect(take('2026-11-20T12:00:00Z', 100)).toEqual(later.slice(0, 100));
  expect(take('2026-11-21T12:00:00Z', 100)).not.toEqual(later.slice(0, 100));
});

test('messages come at a human pace and report what just happened', () => {
  let now = Date.parse('2026-11-20T12:00:00Z');
  for (const { delayMs, message } of later) {
    now += delayMs;
    expect(delayMs).toBeGreaterThanOrEqual(3000);
    expect(delayMs).toBeLessThanOrEqual(16_000);
    expect(message.at).toBe(now);
  }
});

test('patients arrive, move and leave, with every kind of message', () => {
  const count = (trigger: string) => later.filter(({ message }) => message.trigger === trigger).length;
  for (const trigger of ['A01', 'A02', 'A03', 'A04', 'A06', 'A08']) expect(count(trigger), trigger).toBeGreaterThan(20);
  for (const trigger of ['A13', 'A21', 'A22']) expect(count(trigger), trigger).toBeGreaterThan(3);
  expect(count('A03')).toBeGreaterThan(0.6 * later.filter(({ message }) => message.step === 0).length);
});

test('no control id is used twice, or was used in the past', () => {
  const past = new Set(world.messages.map((message) => `${message.feed} ${message.controlId}`));
  const ids = later.map(({ message }) => `${message.feed} ${fieldOf(message.bytes, 'MSH', 10)}`);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.filter((id) => past.has(id))).toEqual([]);
  expect(later.every(({ message }) => message.controlId.length <= 20)).toBe(true);
});

test('visits left open by the world continue only if the world has just ended', () => {
  const known = new Set(world.visits.map((visit) => visit.id));
  expect(later.some(({ message }) => known.has(message.visit))).toBe(true);
  expect(take('2026-11-25T12:00:00Z', 500).some(({ message }) => known.has(message.visit))).toBe(false);
});
