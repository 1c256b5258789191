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
    'G:02155:S350:L532',
    'H:784:S350:L532',
    'I:HARBORHEALTH|W220117',
    'M:2AB3CD4EF56',
    'N:LINDQVIST:PEGGY',
    'P:6172328841',
    'S:5017:MARGARET',
    'S:5017:PEGGY',
    'Y:1948:L532P200',
    'Z:02155:L532P200',
  ]);
  expect(blockingKeys(sparse({ family: 'Lindqvist', given: 'Ann', city: 'Fairhaven' }))).toEqual(['N:ANN:LINDQVIST']);
});

test('Swapped names have the same keys', () => {
  const swapped = { given: 'Lindqvist', family: 'Margaret' };
  const sounds = (keys: string[]) => keys.filter((key) => /^[YZ]/.test(key));
  expect(sounds(blockingKeys(person(swapped)))).toEqual(sounds(blockingKeys(person())));
});

test('A former family name has the keys of a present one', () => {
  const married = person({ family: 'Okafor', formerFamilies: ['Lindqvist', 'Okaforr'] });
  const keys = blockingKeys(married);
  const missing = blockingKeys(person()).filter((key) => !keys.includes(key));
  expect(missing).toEqual([]);
  expect(new Set(keys).size).toBe(keys.length);
  // Names that sound the same share all keys but that of the full name.
  expect(keys).toHaveLength(blockingKeys(person()).length + 5 + 1);
});

test('Records that are linked share a key, except if errors are in all keys at once', () => {
  const counts = { matched: 0, shared: 0 };
  fc.assert(
    fc.property(
      closePeople,
      closePeople,
      fc.subarray(Object.keys(NOBODY) as (keyof typeof NOBODY)[]),
      (a, b, copied) => {
        // Independently drawn people rarely agree, so a few fields are copied.
        const near = { ...b, ...Object.fromEntries(copied.map((field) => [field, a[field]])) };
        const [x, y] = [normalize(a), normalize(near)];
        const { outcome } = decide(x, [{ personId: '1', records: [y] }]);
        if (outcome !== 'matched') return;
        counts.matched++;
        const keys = new Set(blockingKeys(x));
        if (blockingKeys(y).some((key) => keys.has(key))) counts.shared++;
      },
    ),
    { numRuns: 20_000, seed: 7 },
  );
  expect(counts.matched).toBeGreaterThan(1000);
  expect(counts.shared / counts.matched).toBeGreaterThan(0.99);
});
