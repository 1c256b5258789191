import { expect, test } from 'vitest';
import { isWithinXmlLimits, MOST_ELEMENTS } from './xml-limits.ts';

test('elements may be so many, side by side or nested, and no more', () => {
  expect(isWithinXmlLimits(`<r a="1"><b/><c>text</c></r>`)).toBe(true);
  expect(isWithinXmlLimits('<a>'.repeat(MOST_ELEMENTS) + '</a>'.repeat(MOST_ELEMENTS))).toBe(true);
  expect(isWithinXmlLimits('<a>'.repeat(MOST_ELEMENTS + 1))).toBe(false);
  expect(isWithinXmlLimits(`<r>${'<b/>'.repeat(MOST_ELEMENTS)}</r>`)).toBe(false);
});

test.each([
  ['comments', '<a><!--</a>-->'],
  ['attributes', '<a x="></a>">'],
  ['CDATA', '<a><![CDATA[</a>]]>'],
])('closing tags in %s do not hide how many elements there are', (_, piece) => {
  expect(isWithinXmlLimits(piece.repeat(MOST_ELEMENTS + 1))).toBe(false);
});
