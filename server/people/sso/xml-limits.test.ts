import { describe, expect, test } from 'vitest';
import {
  isWithinXmlLimits,
  MOST_ATTRIBUTES,
  MOST_CHARACTERS,
  MOST_DEPTH,
  MOST_ELEMENTS,
  MOST_PREFIXES,
} from './xml-limits.ts';

const nested = (depth: number) => '<a>'.repeat(depth) + '</a>'.repeat(depth);
const list = (count: number, one: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => one(i)).join('');

test('plain XML is within the limits', () => {
  const xml = `<?xml version="1.0"?>\n<p:r xmlns:p='u' a="1 > 0"><b/><!-- <x> --><c>te&amp;xt&#10;</c><![CDATA[<y>]]></p:r>\n`;
  expect(isWithinXmlLimits(xml)).toBe(true);
});

test.each<[string, (most: number) => string, number]>([
  ['depth', nested, MOST_DEPTH],
  ['elements', (most) => `<r>${'<b></b>'.repeat(most - 1)}</r>`, MOST_ELEMENTS],
  ['attributes of an element', (most) => `<r${list(most, (i) => ` a${i}="x"`)}/>`, MOST_ATTRIBUTES],
  ['prefixes', (most) => `<r>${list(most, (i) => `<b xmlns:p${i}="u"/>`)}</r>`, MOST_PREFIXES],
  ['characters', (most) => `<r>${'x'.repeat(most - 7)}</r>`, MOST_CHARACTERS],
])('%s may be so many and no more', (_what, make, most) => {
  expect(isWithinXmlLimits(make(most))).toBe(true);
  expect(isWithinXmlLimits(make(most + 1))).toBe(false);
});

describe('refused:', () => {
  test.each([
    ['a document type', '<!DOCTYPE r [<!ENTITY a "b">]><r/>'],
    ['an entity of a document type', '<r>&a;</r>'],
    ['an entity in an attribute', '<r a="&a;"/>'],
    ['closing tags that open nothing, which would hide depth', `${'</a>'.repeat(40)}${nested(2)}`],
    ['a closing tag of another name', '<a><b></a></b>'],
    ['an element that is not closed', '<a><b></b>'],
    ['a comment that is not closed', '<a/><!--'],
    ['a tag in an attribute, which some parsers would count', '<a x="<b>"/>'],
    ['an attribute without quotes', '<a x=1></a>'],
    ['a sign that begins no tag', '<a>1 < 2</a>'],
    ['many comments', `<a>${'<!---->'.repeat(2 * MOST_ELEMENTS)}</a>`],
  ])('%s', (_what, xml) => {
    expect(isWithinXmlLimits(xml)).toBe(false);
  });

  // These took minutes in a parser, or would take a regular expression that steps back.
  test.each([
    ['elements', '<a>'.repeat(60_000)],
    ['attributes', `<a ${'x="1" '.repeat(30_000)}`],
    ['spaces', `<a${' '.repeat(190_000)}`],
    ['names and spaces', `<a ${`x${' '.repeat(1000)}`.repeat(180)}`],
    ['colons', `<a x${':'.repeat(180_000)}=""`],
    ['entities', '&#1'.repeat(60_000)],
    ['brackets', '<'.repeat(190_000)],
  ])('a flood of %s, at once', (_what, xml) => {
    expect(isWithinXmlLimits(xml)).toBe(false);
  });
});
