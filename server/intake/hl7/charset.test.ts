import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeText } from './charset.ts';

const message = (charset: string, name: Buffer) =>
  Buffer.concat([Buffer.from(`MSH|^~\\&|A|B|C|D|2026||ADT^A01|1|P|2.5||||||${charset}\rPID|1||7||`), name]);
const nameOf = (bytes: Buffer) => decodeText(bytes).split('|').at(-1);

describe('decodeText', () => {
  test.each([
    ['8859/1', [0xe4], 'ä'],
    ['8859/2', [0xb9], 'š'],
    ['8859/5', [0xd6], 'ж'],
    ['8859/9', [0xfe], 'ş'],
    ['8859/15', [0xa4], '€'],
    ['8859/1', [0xc3, 0xdf], 'Ãß'],
    ['UNICODE UTF-8', [0xc3, 0xa4], 'ä'],
    ['GB 18030-2000', [0xb9, 0xdb], '观'],
    ['BIG-5', [0xa4, 0xa4], '中'],
    ['KS X 1001', [0xb1, 0xe8], '김'],
    ['~ISO IR87', [0x1b, 0x24, 0x42, 0x3b, 0x33, 0x1b, 0x28, 0x42], '山'],
    ['ASCII~ISO IR87', [0x1b, 0x24, 0x42, 0x3b, 0x33, 0x1b, 0x28, 0x42], '山'],
    ['WINDOWS-1250', [0x9a], 'š'],
  ])('reads %s', (charset, bytes, text) => {
    expect(nameOf(message(charset, Buffer.from(bytes)))).toBe(text);
  });

  test('without a declaration, reads valid UTF-8 as UTF-8 and anything else as Windows-1252', () => {
    expect(nameOf(message('', Buffer.from('Zoë')))).toBe('Zoë');
    expect(nameOf(message('', Buffer.from([0x5a, 0x6f, 0xeb])))).toBe('Zoë');
    expect(nameOf(message('', Buffer.from([0x80])))).toBe('€');
  });

  test('falls back if the declaration is wrong or unknown', () => {
    expect(nameOf(message('ASCII', Buffer.from('Zoë')))).toBe('Zoë');
    expect(nameOf(message('UNICODE UTF-8', Buffer.from([0x5a, 0x6f, 0xeb])))).toBe('Zoë');
    expect(nameOf(message('ISO IR 999', Buffer.from('Zoë')))).toBe('Zoë');
  });

  test.each(['8859/1', '8859/2', 'WINDOWS-1250', '8859/1~8859/2'])(
    'reads UTF-8 as such where MSH-18 still says %s, as after an engine that only converts the text',
    (charset) => {
      expect(nameOf(message(charset, Buffer.from('Zoë Łuczak')))).toBe('Zoë Łuczak');
    },
  );

  test('ignores a declaration of UTF-16 that can be read byte by byte', () => {
    expect(nameOf(message('UNICODE UTF-16', Buffer.from('Ann')))).toBe('Ann');
  });

  test('follows a byte order mark and removes it', () => {
    expect(decodeText(Buffer.concat([Buffer.of(0xef, 0xbb, 0xbf), message('8859/1', Buffer.from('ä'))]))).toMatch(
      /^MSH.*ä$/s,
    );
    expect(decodeText(Buffer.from('\ufeffMSH|ä', 'utf16le'))).toBe('MSH|ä');
  });

  test('removes NUL characters', () => {
    expect(decodeText(Buffer.from('MSH|^~\\&|\0A\0'))).toBe('MSH|^~\\&|A');
  });

  test('reads MSH-18 with any field separator, and none without a header', () => {
    const header = 'MSH#!@%*#A#B#C#D#####P#2.5#1#2#3#4#5#8859/2~X#y\r';
    expect(decodeText(Buffer.concat([Buffer.from(header), Buffer.of(0xb9)]))).toBe(`${header}š`);
    expect(decodeText(Buffer.concat([Buffer.from('PID|no header|'), Buffer.of(0xeb)]))).toBe('PID|no header|ë');
  });

  test('never throws, and never returns NUL or half a character, whatever the bytes and declaration', () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.option(fc.string(), { nil: undefined }), (bytes, declared) => {
        const text = decodeText(declared === undefined ? bytes : message(declared, Buffer.from(bytes)));
        expect(text.includes('\0')).toBe(false);
        expect(text.isWellFormed()).toBe(true);
      }),
    );
  });
});
