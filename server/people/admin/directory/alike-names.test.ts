import { expect, test } from 'vitest';
import { hasOtherLetters, shapeOf } from './alike-names.ts';

test.each([
  'MERCY GENERAL',
  'Mercy  General.',
  'Mércy Generàl',
  'Mercy Genera1',
  'Mercy GeneraI',
  'Mercy Genera|',
  'rnercy general',
  'Ｍercy General',
])('“%s” reads like Mercy General', (name) => {
  expect(shapeOf(name)).toBe(shapeOf('Mercy General'));
  expect(hasOtherLetters(name)).toBe(false);
});

test.each(['Mercy General East', 'Mercy Genetal', 'Percy General'])('“%s” does not', (name) => {
  expect(shapeOf(name)).not.toBe(shapeOf('Mercy General'));
});

test('letters of other alphabets are found, accents and marks are none', () => {
  expect(['Μercy', 'Мercy', 'Merϲy', 'Mɑrcy', 'Clinic ٣'].map(hasOtherLetters)).toEqual([true, true, true, true, true]);
  expect(['São José’s Clinic #3 (East)', 'Straße & Łódź', '①st Avenue'].map(hasOtherLetters)).toEqual([
    false,
    false,
    false,
  ]);
});
