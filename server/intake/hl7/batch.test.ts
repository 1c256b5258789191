import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { splitMessages } from './batch.ts';

const split = (text: string) => splitMessages(Buffer.from(text)).map(String);

describe('splitMessages', () => {
  test('one message comes out without the line ends behind it', () => {
    expect(split('MSH|^~\\&|A\rPID|1\r')).toEqual(['MSH|^~\\&|A\rPID|1']);
  });

  test('an envelope is taken off, with any line ends', () => {
    expect(split('FHS|^~\\&\r\nBHS|^~\\&\r\nMSH|^~\\&|A\r\nPID|1\r\nMSH|^~\\&|B\r\nBTS|2\r\nFTS\r\n')).toEqual([
      'MSH|^~\\&|A\r\nPID|1',
      'MSH|^~\\&|B',
    ]);
  });

  test('byte order marks, blank lines and stray framing bytes are no part of a message', () => {
    expect(split('\ufeff\r\n\v MSH|^~\\&|A\rEVN|\x1c\r\v\ufeffMSH|^~\\&|B\r\x1c\r')).toEqual([
      'MSH|^~\\&|A\rEVN|',
      'MSH|^~\\&|B',
    ]);
  });

  test('the word MSH within text begins no message', () => {
    expect(split('MSH|^~\\&|A\rNTE|MSH|1\rMSHX|2\rMSH 3')).toEqual(['MSH|^~\\&|A\rNTE|MSH|1\rMSHX|2\rMSH 3']);
  });

  test.each(['', '\r\n', 'PID|1', 'MSH', 'FHS|^~\\&\rBTS|2\rFTS|1', '\x19MSH|^~\\&|'])(
    '%j holds no message',
    (text) => {
      expect(split(text)).toEqual([]);
    },
  );

  test('any bytes give views of themselves that begin with MSH', () => {
    const noise = fc.constantFrom('MSH|', 'MSH', 'FTS', '\r', '\n', '\v', '\x1c', ' ', '|', 'PID|', 'ä', '\ufeff');
    fc.assert(
      fc.property(fc.array(noise), (parts) => {
        for (const message of split(parts.join(''))) expect(message).toMatch(/^MSH\|/);
      }),
    );
  });

  // In quadratic time it would take minutes, and end with the test's own limit.
  test('a million start bytes take linear time', () => {
    expect(splitMessages(Buffer.alloc(1_000_000, '\v '))).toEqual([]);
  });
});
