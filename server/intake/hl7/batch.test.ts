import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { splitMessages } from './batch.ts';

const split = (text: string) => splitMessages(Buffer.from(text)).map(String);

describe('splitMessages', () => {
  test('returns a message without the line ends after it', () => {
    expect(split('MSH|^~\\&|A\rPID|1\r')).toEqual(['MSH|^~\\&|A\rPID|1']);
  });

  test('removes the envelope, whatever its line ends', () => {
    expect(split('FHS|^~\\&\r\nBHS|^~\\&\r\nMSH|^~\\&|A\r\nPID|1\r\nMSH|^~\\&|B\r\nBTS|2\r\nFTS\r\n')).toEqual([
      'MSH|^~\\&|A\r\nPID|1',
      'MSH|^~\\&|B',
    ]);
  });

  test('removes byte order marks, blank lines and stray framing bytes', () => {
    expect(split('\ufeff\r\n\v MSH|^~\\&|A\rEVN|\x1c\r\v\ufeffMSH|^~\\&|B\r\x1c\r')).toEqual([
      'MSH|^~\\&|A\rEVN|',
      'MSH|^~\\&|B',
    ]);
  });

  test('does not split at the word MSH within text', () => {
    expect(split('MSH|^~\\&|A\rNTE|MSH|1\rMSHX|2\rMSH 3')).toEqual(['MSH|^~\\&|A\rNTE|MSH|1\rMSHX|2\rMSH 3']);
  });

  test.each(['', '\r\n', 'PID|1', 'MSH', 'FHS|^~\\&\rBTS|2\rFTS|1', '\x19MSH|^~\\&|'])(
    'finds no message in %j',
    (text) => {
      expect(split(text)).toEqual([]);
    },
  );

  test('returns only messages that begin with MSH, whatever the bytes', () => {
    const noise = fc.constantFrom('MSH|', 'MSH', 'FTS', '\r', '\n', '\v', '\x1c', ' ', '|', 'PID|', 'ä', '\ufeff');
    fc.assert(
      fc.property(fc.array(noise), (parts) => {
        for (const message of split(parts.join(''))) expect(message).toMatch(/^MSH\|/);
      }),
    );
  });

  // In quadratic time, this would exceed the test's time limit.
  test('takes linear time for a million start bytes', () => {
    expect(splitMessages(Buffer.alloc(1_000_000, '\v '))).toEqual([]);
  });
});
