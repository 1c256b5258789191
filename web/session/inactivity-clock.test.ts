import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { InactivityClock } from './inactivity-clock.ts';

const MINUTE = 60_000;
beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());
const make = () => {
  const server = vi.fn();
  const tabs = vi.fn();
  return { server, tabs, clock: new InactivityClock(server, tabs) };
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
  const { clock, tabs } = make();
  vi.advanceTimersByTime(5000);
  for (let at = 0; at < 100; at += 1) {
    clock.active();
    vi.advanceTimersByTime(99);
  }
  expect(tabs.mock.calls.length).toBeLessThanOrEqual(10);
  expect(tabs.mock.calls.length).toBeGreaterThanOrEqual(9);
});

test('the server is notified of ten active minutes at most eleven times, and at most a minute late', () => {
  const { clock, server } = make();
  for (let at = 0; at < 600; at += 1) {
    vi.advanceTimersByTime(1000);
    clock.active();
  }
  vi.advanceTimersByTime(MINUTE);
  expect(server.mock.calls.length).toBeGreaterThanOrEqual(10);
  expect(server.mock.calls.length).toBeLessThanOrEqual(11);
});

test('without activity the server is not notified', () => {
  const { clock, server } = make();
  vi.advanceTimersByTime(39 * MINUTE);
  expect(server).not.toHaveBeenCalled();
  clock.active();
  expect(server).toHaveBeenCalledOnce();
  expect(clock.warns()).toBe(false);
});

test('activity in another tab keeps this session alive without a call from here', () => {
  const { clock, server } = make();
  vi.advanceTimersByTime(30 * MINUTE);
  clock.activeElsewhere(Date.now());
  vi.advanceTimersByTime(30 * MINUTE);
  expect(clock.warns()).toBe(false);
  expect(server).not.toHaveBeenCalled();
});

test('activity after the end has no effect', () => {
  const { clock, server } = make();
  vi.advanceTimersByTime(40 * MINUTE);
  clock.active();
  expect(clock.left()).toBeLessThanOrEqual(0);
  expect(server).not.toHaveBeenCalled();
});

test('at its latest end the session ends however active the user is, with a warning five minutes before', () => {
  const server = vi.fn();
  const clock = new InactivityClock(server, () => {}, { latestEnd: Date.now() + 60 * MINUTE });
  for (let at = 0; at < 55 * 60 - 1; at += 1) {
    vi.advanceTimersByTime(1000);
    clock.active();
  }
  expect(clock.warns()).toBe(false);
  vi.advanceTimersByTime(1000);
  expect([clock.warns(), clock.isLatestEndNear()]).toEqual([true, true]);
  server.mockClear();
  for (let at = 0; at < 60; at += 1) {
    vi.advanceTimersByTime(1000);
    clock.active();
  }
  expect(server.mock.calls.length).toBeLessThanOrEqual(2);
  expect(clock.left()).toBe(4 * MINUTE);
});
