import { describe, expect, test } from 'vitest';
import { FrameMemory } from './frame-memory.ts';
import { MLLP_LIMITS } from './limits.ts';

const limits = { ...MLLP_LIMITS, memory: 100, memoryOfUnknown: 60, memoryPerAddress: 40 };

function memoryFor(...known: string[]) {
  const memory = new FrameMemory(limits, (address) => known.includes(address));
  const closed: string[] = [];
  const hold = (name: string, address: string, bytes: number) => {
    const holder = { address, close: () => void closed.push(name) };
    memory.hold(holder, bytes);
    return { grow: (to: number) => memory.hold(holder, to) };
  };
  return { hold, closed };
}

describe('too much memory in unfinished frames closes', () => {
  test('the largest of an address that holds more than its share', () => {
    const { hold, closed } = memoryFor('a');
    hold('small', 'a', 1);
    hold('large', 'a', 20);
    const growing = hold('growing', 'a', 2);
    growing.grow(19);
    expect(closed).toEqual([]);
    growing.grow(20);
    expect(closed).toEqual(['large']);
  });

  test('the largest of the unknown address that holds most, and none of a known one', () => {
    const { hold, closed } = memoryFor('known');
    hold('known', 'known', 39);
    hold('first', 'x', 25);
    hold('second', 'y', 24);
    hold('third', 'z', 12);
    expect(closed).toEqual(['first']);
  });

  test('the largest of all once all is used, even if the small ones came last', () => {
    const { hold, closed } = memoryFor('a', 'b', 'c', 'd');
    hold('a', 'a', 30);
    hold('b', 'b', 35);
    hold('c', 'c', 34);
    hold('d', 'd', 2);
    expect(closed).toEqual(['b']);
  });

  test('the oldest of several that are equally large', () => {
    const { hold, closed } = memoryFor();
    hold('older', 'a', 16);
    hold('younger', 'a', 16);
    hold('youngest', 'a', 16);
    expect(closed).toEqual(['older']);
  });
});

test('memory that was released can be used again', () => {
  const { hold, closed } = memoryFor();
  for (let round = 0; round < 50; round += 1) hold('frame', 'a', 40).grow(0);
  expect(closed).toEqual([]);
});
