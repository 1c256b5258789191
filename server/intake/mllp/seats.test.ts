import { expect, test } from 'vitest';
import { MLLP_LIMITS } from './limits.ts';
import { Seats } from './seats.ts';

const limits = {
  ...MLLP_LIMITS,
  connections: 10,
  connectionsOfUnknown: 5,
  connectionsPerUnknownAddress: 3,
  connectionsPerKnownAddress: 4,
};
const seatsFor = (...known: string[]) => new Seats(limits, (address) => known.includes(address));
/** Takes seats until one is refused, and returns how many were given. */
function fill(seats: Seats, address: string): number {
  for (let taken = 0; ; taken += 1) if (seats.take(address) !== null) return taken;
}

test('one address cannot take the seats of others', () => {
  const seats = seatsFor('10.0.0.1');
  expect([fill(seats, '10.0.0.9'), fill(seats, '10.0.0.8'), fill(seats, '10.0.0.7')]).toEqual([3, 2, 0]);
  expect(seats.take('10.0.0.9')).toBe('too many connections from this address');
  expect(seats.take('10.0.0.7')).toBe('too many connections from addresses without a feed');
  expect(fill(seats, '10.0.0.1')).toBe(4);
});

test('seats of unknown addresses count no more once the address is known', () => {
  const known: string[] = [];
  const seats = new Seats(limits, (address) => known.includes(address));
  expect([fill(seats, 'a'), fill(seats, 'b'), fill(seats, 'c')]).toEqual([3, 2, 0]);
  known.push('a');
  expect([fill(seats, 'a'), fill(seats, 'c')]).toEqual([1, 3]);
});

test('a seat that was released can be taken again', () => {
  const seats = seatsFor();
  fill(seats, 'a');
  seats.release('a');
  expect(fill(seats, 'a')).toBe(1);
});

test('there are no more seats than connections in all', () => {
  const seats = seatsFor('a', 'b', 'c');
  expect([fill(seats, 'a'), fill(seats, 'b'), fill(seats, 'c')]).toEqual([4, 4, 2]);
  expect(seats.take('c')).toBe('too many connections');
});
