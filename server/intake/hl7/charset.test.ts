import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { declaredCharset, decodeText } from './charset.ts';

const message = (charset: string, name: Buffer) =>
  Buffer.concat([Buffer.from(`MSH|^~\\&|A|B|C|D|2026||ADT^A01|1|P|2.5||||||${charset}\rPID|1||7||`), name]);
const nameOf = (bytes: Buffer) => decodeText(bytes).text.split('|').at(-1);

describe('decodeText', () => {
  test.each([
    ['8859/1', [0xe4], 'ä', 'windows-1252'],
    ['8859/2', [0xb9], 'š', 'iso-8859-2'],
    ['8859/5', [0xd6], 'ж', 'iso-8859-5'],
    ['8859/9', [0xfe], 'ş', 'windows-1254'],
    ['8859/15', [0xa4], '€', 'iso-8859-15'],
    ['UNICODE UTF-8', [0xc3, 0xa4], 'ä', 'utf-8'],
    ['GB 18030-2000', [0xb9, 0xdb], '观', 'gb18030'],
    ['BIG-5', [0xa4, 0xa4], '中', 'big5'],
    ['KS X 1001', [0xb1, 0xe8], '김', 'euc-kr'],
    ['~ISO IR87', [0x1b, 0x24, 0x42, 0x3b, 0x33, 0x1b, 0x28, 0x42], '山', 'iso-2022-jp'],
    ['ASCII~ISO IR87', [0x1b, 0x24, 0x42, 0x3b, 0x33, 0x1b, 0x28, 0x42], '山', 'iso-2022-jp'],
    ['WINDOWS-1250', [0x9a], 'š', 'windows-1250'],
  ])('reads %s', (charset, bytes, text, encoding) => {
    const decoded = decodeText(message(charset, Buffer.from(bytes)));
    expect(decoded).toMatchObject({ charset: encoding, warnings: [] });
    expect(decoded.text.endsWith(text)).toBe(true);
  });

  test('without a declaration, reads valid UTF-8 as UTF-8 and anything else as Windows-1252', () => {
    expect(nameOf(message('', Buffer.from('Zoë')))).toBe('Zoë');
    expect(nameOf(message('', Buffer.from([0x5a, 0x6f, 0xeb])))).toBe('Zoë');
    expect(decodeText(message('', Buffer.from([0x80]))).charset).toBe('windows-1252');
  });

  test('falls back with a warning if the declaration is wrong or unknown', () => {
    expect(nameOf(message('ASCII', Buffer.from('Zoë')))).toBe('Zoë');
    expect(nameOf(message('UNICODE UTF-8', Buffer.from([0x5a, 0x6f, 0xeb])))).toBe('Zoë');
    expect(nameOf(message('ISO IR 999', Buffer.from('Zoë')))).toBe('Zoë');
    for (const charset of ['ASCII', 'UNICODE UTF-8', 'ISO IR 999']) {
      expect(decodeText(message(charset, Buffer.from([0xeb]))).warnings).toHaveLength(1);
    }
  });

  test('ignores a declaration of UTF-16 that can be read byte by byte', () => {
    expect(nameOf(message('UNICODE UTF-16', Buffer.from('Ann')))).toBe('Ann');
  });

  test('follows a byte order mark and removes it', () => {
    expect(decodeText(Buffer.concat([Buffer.of(0xef, 0xbb, 0xbf), message('8859/1', Buffer.from('ä'))])).text).toMatch(
      /^MSH.*ä$/s,
    );
    expect(decodeText(Buffer.from('\ufeffMSH|ä', 'utf16le'))).toMatchObject({ text: 'MSH|ä', charset: 'utf-16le' });
  });

  test('removes NUL characters, with a warning', () => {
    expect(decodeText(Buffer.from('MSH|^~\\&|\0A\0'))).toMatchObject({
      text: 'MSH|^~\\&|A',
      warnings: [expect.any(String)],
    });
  });

  test('never throws, and never returns NUL or half a character, whatever the bytes and declaration', () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.option(fc.string(), { nil: undefined }), (bytes, declared) => {
        const { text } = decodeText(bytes, declared);
        expect(text.includes('\0')).toBe(false);
        expect(text.isWellFormed()).toBe(true);
      }),
    );
  });
});

test('declaredCharset reads MSH-18 with any field separator', () => {
  expect(declaredCharset(message('8859/1', Buffer.alloc(0)))).toBe('8859/1');
  expect(declaredCharset(Buffer.from('MSH#!@%*#A#B#C#D#####P#2.5#1#2#3#4#5#8859/2~X#y\rPID'))).toBe('8859/2~X');
  expect(declaredCharset(Buffer.from('PID|no header'))).toBe('');
});
