import { expect, test } from 'vitest';
import { textOfRtf } from './rtf-text.ts';

test('characters of Windows-1252 and Unicode are read, and their stand-ins are left out', () => {
  expect(textOfRtf(String.raw`{\rtf1 it\'92s \u8364?50{\info hidden}\par}`)).toBe('it’s €50');
});

test('nothing is read past the characters that are shown', () => {
  const rtf = String.raw`{\rtf1 ${String.raw`\'41\'42 `.repeat(1000)}}`;
  expect(textOfRtf(rtf, 10)).toBe('AB AB AB A');
});
