import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodeMessage, type RepetitionValue, type SegmentValue } from '#server/testing/hl7-writing.ts';
import { type Delimiters, STANDARD_DELIMITERS } from './delimiters.ts';
import { escapeText, unescapeText } from './escape.ts';
import { type Message, MOST_LINES, parseMessage } from './message.ts';

const HEADER = 'MSH|^~\\&|A|B|C|D|20260301||ADT^A01|1|P|2.5';

function parse(text: string): Message {
  const message = parseMessage(text);
  if (message === null) throw new Error('no message');
  return message;
}
const pid = (line: string) => parse(`${HEADER}\r${line}`).segments('PID')[0];

/** Text with delimiters, escapes and line ends. NUL characters are left out, because they are never kept. */
const anyText = fc
  .string({
    unit: fc.oneof(
      fc.constantFrom(...Array.from('|^~\\&#@FSTRE.Xbr0A\r\n"')),
      fc.string({ minLength: 1, maxLength: 1, unit: 'grapheme' }),
    ),
  })
  .map((text) => text.replaceAll('\0', ''));
const anyDelimiters: fc.Arbitrary<Delimiters> = fc
  .uniqueArray(fc.constantFrom(...Array.from('|^~\\&#@!%*$+;:=?/')), { minLength: 5, maxLength: 5 })
  .map(([field = '', component = '', repetition = '', escape = '', subcomponent = '']) => ({
    field,
    component,
    repetition,
    escape,
    subcomponent,
  }))
  // The parser repairs two forms of MSH-2 as mistakes: see delimiters.ts.
  .filter((delimiters) => delimiters.repetition !== '\\');

// In quadratic time, this would exceed the test's time limit, and in production hold up all other senders.
test('a field with thousands of repetitions takes linear time', () => {
  const segment = pid(`PID|||${'X^^^A^AN~'.repeat(50_000)}M1^^^H^MR`);
  const last = segment
    ?.repetitions(3)
    .map((_, repetition) => segment.component(3, 1, repetition))
    .at(-1);
  expect(last).toBe('M1');
});

describe('escape sequences', () => {
  test.each([
    ['A \\T\\ B', 'A & B'],
    ['\\F\\\\S\\\\R\\\\E\\', '|^~\\'],
    ['one\\.br\\two', 'one\ntwo'],
    ['\\X41C3A4\\', 'Aä'],
    ['\\XE4\\', 'ä'],
    ['\\X4\\ \\H\\bold\\N\\ \\Zx\\', '\\X4\\ \\H\\bold\\N\\ \\Zx\\'],
    ['C:\\Temp\\F\\x', 'C:\\Temp|x'],
    ['ends in \\r', 'ends in \\r'],
    ['a\\X00\\b', 'ab'],
  ])('%s means %j', (raw, text) => {
    expect(unescapeText(raw, STANDARD_DELIMITERS)).toBe(text);
  });

  test('any text can be escaped and unescaped', () => {
    fc.assert(
      fc.property(anyText, anyDelimiters, (text, delimiters) => {
        const escaped = escapeText(text, delimiters);
        expect(unescapeText(escaped, delimiters)).toBe(text);
        expect(escaped).not.toMatch(/[\r\n]/);
        for (const name of ['field', 'component', 'repetition', 'subcomponent'] as const) {
          expect(escaped).not.toContain(delimiters[name]);
        }
      }),
    );
  });
});

describe('parseMessage', () => {
  test.each(['\r', '\n', '\r\n', '\n\r\n'])('accepts segments that end in %j', (end) => {
    const message = parse([HEADER, 'EVN|A01', 'PID|1||7', ''].join(end));
    expect(message.all.map((segment) => segment.name)).toEqual(['MSH', 'EVN', 'PID']);
    expect(message.segment('PID')?.component(3)).toBe('7');
  });

  test('counts the separator of MSH as its first field', () => {
    const { header } = parse(HEADER);
    expect([header.field(1), header.field(2), header.field(3), header.component(9, 2)]).toEqual([
      '|',
      '^~\\&',
      'A',
      'A01',
    ]);
  });

  test('splits and unescapes repetitions, components and subcomponents', () => {
    const segment = pid('PID|1||a^b&c\\T\\d~e||x|""||');
    expect(segment?.repetitions(3)).toEqual(['a^b&c\\T\\d', 'e']);
    expect(segment?.component(3, 2)).toBe('b&c&d');
    expect(segment?.subcomponent(3, 2, 2)).toBe('c&d');
    expect(segment?.component(3, 1, 1)).toBe('e');
    expect([segment?.component(3, 9), segment?.component(99), segment?.subcomponent(3, 1, 2)]).toEqual(['', '', '']);
    expect([segment?.repetitions(2), segment?.repetitions(6)]).toEqual([[], ['""']]);
  });

  test('appends a line that is not a segment to the text before it', () => {
    const message = parse(`${HEADER}\rOBX|1|TX|||one\ntwo: x|y\n\nNONE\nthree||||||F\rOBX|2|TX|||four`);
    expect(message.segments('OBX')).toHaveLength(2);
    expect(message.segments('OBX')[0]?.field(5)).toBe('one\ntwo: x');
    expect(message.segments('OBX')[0]?.field(6)).toBe('y\n\nNONE\nthree');
    expect(message.segments('OBX')[0]?.field(12)).toBe('F');
  });

  test('drops a line after MSH that is not a segment', () => {
    expect(parse(`${HEADER}\rPIDX|1||7\rPV|1\rPID|1||8`).all.map((segment) => segment.raw)).toEqual([
      HEADER,
      'PID|1||8',
    ]);
  });

  test('recognizes segment names in lower case or after blanks, and segments without fields', () => {
    expect(parse(`${HEADER}\rpid|1||7\r  pv1|1|I\rPV2\rEVN`).all.map((s) => s.name)).toEqual([
      'MSH',
      'PID',
      'PV1',
      'PV2',
      'EVN',
    ]);
    expect(parse(`${HEADER}\rOBX|1|TX|||one\ryes||||||F`).all.map((s) => s.name)).toEqual(['MSH', 'OBX']);
  });

  test.each(['', 'EVN|A01', 'MSH', 'MSHA^~', ' \r\n'])('returns null for %j', (text) => {
    expect(parseMessage(text)).toBeNull();
  });

  test('accepts a million blank lines within text', () => {
    expect(parse(`${HEADER}\rNTE|1||a${'\n'.repeat(1_000_000)}b`).segments('NTE')).toHaveLength(1);
  });
});

describe('encodeMessage', () => {
  const anyRepetition: fc.Arbitrary<RepetitionValue> = fc.oneof(
    anyText,
    fc.array(fc.oneof(anyText, fc.array(anyText, { minLength: 1, maxLength: 3 })), { minLength: 1, maxLength: 4 }),
  );
  const anySegment: fc.Arbitrary<SegmentValue> = fc.record({
    name: fc.stringMatching(/^[A-Z][A-Z0-9]{2}$/).filter((name) => name !== 'MSH'),
    fields: fc.dictionary(
      fc.integer({ min: 1, max: 30 }).map(String),
      fc.oneof(anyText, fc.array(anyRepetition, { minLength: 1, maxLength: 3 })),
      { maxKeys: 5 },
    ),
  });

  test('writes what can be read back, with any delimiters', () => {
    fc.assert(
      fc.property(fc.array(anySegment), anyDelimiters, (segments, delimiters) => {
        const message = parse(encodeMessage([{ name: 'MSH', fields: { 3: 'A', 10: 'x|y' } }, ...segments], delimiters));
        expect(message.delimiters).toEqual(delimiters);
        expect(message.header.component(10)).toBe('x|y');
        expect(message.all.slice(1).map((segment) => segment.name)).toEqual(segments.map((segment) => segment.name));
        for (const [index, { fields }] of segments.entries()) {
          for (const [field, value] of Object.entries(fields)) expectField(message, index + 1, Number(field), value);
        }
      }),
    );
  });

  test('a message that is parsed and joined again is parsed the same', () => {
    const line = fc.oneof(
      fc.constantFrom('PID|1||7', 'pv1|1|I', 'OBX|1|TX|||a', 'yes||F', '', '  ', 'NTE', '\v'),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(line), fc.constantFrom('\r', '\n', '\r\n'), (lines, end) => {
        const once = parse([HEADER, ...lines].join(end)).all.map(({ name, raw }) => ({ name, raw }));
        const again = parse(once.map(({ raw }) => raw).join('\r')).all.map(({ name, raw }) => ({ name, raw }));
        expect(again).toEqual(once);
      }),
    );
  });

  test('writes fields at their numbers', () => {
    const text = encodeMessage([
      { name: 'MSH', fields: { 3: 'EHR', 9: [['ADT', 'A01']] } },
      { name: 'PID', fields: { 3: [['7', '', '', 'H', 'MR'], '8'], 5: [['Roe & Co', 'Ann']] } },
      { name: 'PV1', fields: {} },
    ]);
    expect(text).toBe('MSH|^~\\&|EHR||||||ADT^A01\rPID|||7^^^H^MR~8||Roe \\T\\ Co^Ann\rPV1|\r');
  });

  function expectField(
    message: Message,
    index: number,
    field: number,
    value: SegmentValue['fields'][number] | undefined,
  ): void {
    const segment = message.all[index];
    for (const [r, repetition] of (typeof value === 'string' ? [value] : (value ?? [])).entries()) {
      for (const [c, component] of (typeof repetition === 'string' ? [repetition] : repetition).entries()) {
        for (const [s, part] of (typeof component === 'string' ? [component] : component).entries()) {
          expect(segment?.subcomponent(field, c + 1, s + 1, r)).toBe(part);
        }
      }
    }
  }
});

test('what follows more lines than any message needs is left unread', () => {
  const whole = parse(`${HEADER}\r${'Z|\r'.repeat(MOST_LINES - 2)}PID|1`);
  expect([whole.isCut, whole.segments('PID').length]).toEqual([false, 1]);
  const cut = parse(`${HEADER}\r${'Z|\r'.repeat(MOST_LINES - 1)}PID|1`);
  expect([cut.isCut, cut.segments('PID').length]).toEqual([true, 0]);
});
