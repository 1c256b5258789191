import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Filter, parseFilter } from './filter.ts';
import { ScimError } from './scim-error.ts';

const term = (attribute: string, operator: string, value: unknown) => ({ kind: 'term', attribute, operator, value });

describe('a filter', () => {
  test.each([
    ['userName eq "ada@lakeshore.example"', term('username', 'eq', 'ada@lakeshore.example')],
    ['USERNAME EQ "a \\"quoted\\" name"', term('username', 'eq', 'a "quoted" name')],
    ['urn:ietf:params:scim:schemas:core:2.0:User:userName sw "a"', term('username', 'sw', 'a')],
    ['active eq True', term('active', 'eq', true)],
    ['title pr', term('title', 'pr', null)],
    [
      'emails[type eq "work"].value eq "x" and active eq true',
      {
        kind: 'and',
        parts: [
          { kind: 'and', parts: [term('emails.type', 'eq', 'work'), term('emails.value', 'eq', 'x')] },
          term('active', 'eq', true),
        ],
      },
    ],
    ['emails[value eq "x"]', term('emails.value', 'eq', 'x')],
    [
      'id eq "1" and members eq "2" or not (displayName co "x")',
      {
        kind: 'or',
        parts: [
          { kind: 'and', parts: [term('id', 'eq', '1'), term('members', 'eq', '2')] },
          { kind: 'not', part: term('displayname', 'co', 'x') },
        ],
      },
    ],
  ])('%s', (text, expected) => {
    expect(parseFilter(text)).toEqual(expected);
  });

  test.each([
    'userName',
    'userName eq',
    'userName is "x"',
    'userName gt "x"',
    'userName eq x',
    'userName eq {"a":1}',
    '(userName eq "x"',
    'userName eq "x")',
    'not userName eq "x"',
    'userName eq "x',
    'emails[type eq "work"] .',
    `${'('.repeat(12)}title pr${')'.repeat(12)}`,
    Array.from({ length: 51 }, () => 'title pr').join(' or '),
  ])('%s is refused', (text) => {
    expect(() => parseFilter(text)).toThrow(expect.objectContaining({ scimType: 'invalidFilter' }));
  });

  test('whatever is sent is read or refused as invalidFilter', () => {
    const words = fc.constantFrom(
      'userName',
      'eq',
      'and',
      'or',
      'not',
      '(',
      ')',
      '[',
      ']',
      '"x"',
      '"',
      'pr',
      ' ',
      '\\',
      'true',
      '.',
    );
    const texts = fc.oneof(
      fc.string({ maxLength: 60 }),
      fc.array(words, { maxLength: 30 }).map((all) => all.join(' ')),
    );
    fc.assert(
      fc.property(texts, (text) => {
        try {
          parseFilter(text);
        } catch (error) {
          expect(error).toBeInstanceOf(ScimError);
        }
      }),
    );
  });

  test('a filter that was written out is read as it was', () => {
    const value = fc.oneof(fc.string({ maxLength: 20 }), fc.boolean(), fc.integer());
    const attribute = fc.constantFrom('username', 'name.familyname', 'externalid');
    const leaf: fc.Arbitrary<Filter> = fc.record({
      kind: fc.constant('term' as const),
      attribute,
      operator: fc.constantFrom('eq' as const, 'co' as const, 'ne' as const),
      value,
    });
    const { tree } = fc.letrec<{ tree: Filter }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 3 },
        leaf,
        fc.record({ kind: fc.constant('not' as const), part: tie('tree') }),
        fc.record({
          kind: fc.constantFrom('and' as const, 'or' as const),
          parts: fc.array(tie('tree'), { minLength: 2, maxLength: 3 }),
        }),
      ),
    }));
    fc.assert(
      fc.property(tree, (filter) => {
        expect(parseFilter(written(filter))).toEqual(filter);
      }),
    );
  });
});

function written(filter: Filter): string {
  if (filter.kind === 'not') return `not (${written(filter.part)})`;
  if (filter.kind === 'term') return `${filter.attribute} ${filter.operator} ${JSON.stringify(filter.value)}`;
  return filter.parts
    .map((part) => (part.kind === 'term' ? written(part) : `(${written(part)})`))
    .join(` ${filter.kind} `);
}
