import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { messagesIn, splitMessages, TooManyMessagesError } from './batch.ts';

const split = (text: string) => splitMessages(Buffer.from(text)).map(String);

test('messagesIn yields the same messages one by one', () => {
  const [first, ...more] = messagesIn(Buffer.from('FHS|^~\\&\rMSH|1\rMSH|2\rFTS|1\r'));
  expect([first, ...more].map(String)).toEqual(['MSH|1', 'MSH|2']);
});

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

  test.each(['M\r', 'MSH\r', '\v\x1c', '\r\t'])('takes linear time for 15 MiB of %j', (unit) => {
    const before = process.threadCpuUsage();
    expect(splitMessages(Buffer.alloc(15 * 1024 * 1024, unit))).toEqual([]);
    expect(process.threadCpuUsage(before).user).toBeLessThan(3_000_000);
  });

  test('throws for more messages than are read at once, with the first of them', () => {
    const batch = Buffer.from('MSH|1\rMSH|2\rMSH|3\r');
    expect(splitMessages(batch, 3)).toHaveLength(3);
    expect(() => splitMessages(batch, 2)).toThrow(TooManyMessagesError);
    expect(() => splitMessages(Buffer.alloc(15 * 1024 * 1024, 'MSH|\r'))).toThrow(
      expect.objectContaining({ first: Buffer.from('MSH|') }),
    );
  });
});
