import fc from 'fast-check';
import { expect, test } from 'vitest';
import { closePeople, NOBODY, person, sparse } from '#server/testing/invented-people.ts';
import { blockingKeys } from './blocking.ts';
import { decide } from './decide.ts';
import { normalize } from './demographics.ts';

test('A full record has one key of each kind', () => {
  expect(blockingKeys(person({ given: 'Peggy' })).sort()).toEqual([
    'A:02155:784',
    'D:19480317',
    'E:m.lindqvist@mail.example',
    'I:HARBORHEALTH|W220117',
    'M:2AB3CD4EF56',
    'P:6172328841',
    'S:5017:MARGARET',
    'S:5017:PEGGY',
  ]);
  expect(blockingKeys(sparse({ family: 'Lindqvist', given: 'Ann', zip: '02155' }))).toEqual([]);
});

test('Two records that are linked or sent to review share a key', () => {
  let linkedOrReviewed = 0;
  fc.assert(
    fc.property(
      closePeople,
      closePeople,
      fc.subarray(Object.keys(NOBODY) as (keyof typeof NOBODY)[]),
      (a, b, copied) => {
        // Independently drawn people rarely agree; copying a few fields makes every rule apply.
        const near = { ...b, ...Object.fromEntries(copied.map((field) => [field, a[field]])) };
        const [x, y] = [normalize(a), normalize(near)];
        if (decide(x, [{ personId: '1', records: [y] }]).outcome === 'new') return;
        linkedOrReviewed++;
        const keys = new Set(blockingKeys(x));
        expect(blockingKeys(y).some((key) => keys.has(key))).toBe(true);
      },
    ),
    { numRuns: 20_000 },
  );
  expect(linkedOrReviewed).toBeGreaterThan(1000);
});
