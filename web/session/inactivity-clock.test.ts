import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { InactivityClock } from './inactivity-clock.ts';

const MINUTE = 60_000;
beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());
const make = () => {
  const server = vi.fn();
  const others = vi.fn();
  return { server, others, clock: new InactivityClock(server, others) };
};

test('it warns at 35 minutes and ends at 40', () => {
  const { clock } = make();
  vi.advanceTimersByTime(35 * MINUTE - 1);
  expect(clock.warns()).toBe(false);
  vi.advanceTimersByTime(1);
  expect(clock.warns()).toBe(true);
  expect(clock.left()).toBe(5 * MINUTE);
  vi.advanceTimersByTime(5 * MINUTE);
  expect(clock.left()).toBe(0);
});

test('activity counts once a second', () => {
  const { clock, others } = make();
  vi.advanceTimersByTime(5000);
  for (let at = 0; at < 100; at += 1) {
    clock.active();
    vi.advanceTimersByTime(99);
  }
  expect(others.mock.calls.length).toBeLessThanOrEqual(10);
  expect(others.mock.calls.length).toBeGreaterThanOrEqual(9);
});

test('the server hears of ten busy minutes at most eleven times, and never more than a minute late', () => {
  const { clock, server } = make();
  for (let at = 0; at < 600; at += 1) {
    vi.advanceTimersByTime(1000);
    clock.active();
  }
  vi.advanceTimersByTime(MINUTE);
  expect(server.mock.calls.length).toBeGreaterThanOrEqual(10);
  expect(server.mock.calls.length).toBeLessThanOrEqual(11);
});

test('whoever does nothing tells the server nothing', () => {
  const { clock, server } = make();
  vi.advanceTimersByTime(39 * MINUTE);
  expect(server).not.toHaveBeenCalled();
  clock.active();
  expect(server).toHaveBeenCalledOnce();
  expect(clock.warns()).toBe(false);
});

test('activity in another tab keeps this one, without a call of its own', () => {
  const { clock, server } = make();
  vi.advanceTimersByTime(30 * MINUTE);
  clock.heard(Date.now());
  vi.advanceTimersByTime(30 * MINUTE);
  expect(clock.warns()).toBe(false);
  expect(server).not.toHaveBeenCalled();
});

test('after the end no activity brings it back', () => {
  const { clock, server } = make();
  vi.advanceTimersByTime(40 * MINUTE);
  clock.active();
  expect(clock.left()).toBeLessThanOrEqual(0);
  expect(server).not.toHaveBeenCalled();
});
