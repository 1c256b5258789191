import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodeFrame, FrameDecoder, FrameTooLargeError, NoFramesError } from './frame.ts';

const bytes = (text: string) => Buffer.from(text, 'latin1');
const texts = (frames: Buffer[]) => frames.map((frame) => frame.toString('latin1'));

describe('FrameDecoder', () => {
  test('returns any payloads whole, however they are split', () => {
    const noise = fc.uint8Array({ maxLength: 200 }).map((content) => content.filter((b) => b !== 0x1c && b !== 0x0b));
    const payload = noise.map((content) => Uint8Array.of(0x4d, ...content));
    fc.assert(
      fc.property(fc.array(payload), fc.array(fc.nat()), (payloads, cuts) => {
        const stream = Buffer.concat(payloads.map(encodeFrame));
        const decoder = new FrameDecoder();
        const edges = [0, ...cuts.map((cut) => cut % (stream.length + 1)).sort((a, b) => a - b), stream.length];
        const frames = edges.slice(1).flatMap((end, index) => decoder.push(stream.subarray(edges[index], end)));
        expect(frames.map((frame) => [...frame])).toEqual(payloads.map((content) => [...content]));
        expect(decoder.garbageBytes).toBe(0);
      }),
    );
  });

  test('returns a frame at 0x1C, before or without its final CR', () => {
    const decoder = new FrameDecoder();
    expect(texts(decoder.push(bytes('\vMSH|one\x1c')))).toEqual(['MSH|one']);
    expect(texts(decoder.push(bytes('\vMSH|two\x1c\r')))).toEqual(['MSH|two']);
    expect(decoder.garbageBytes).toBe(0);
  });

  test('drops and counts bytes between frames, except line ends', () => {
    const decoder = new FrameDecoder();
    expect(texts(decoder.push(bytes('xy\r\n\vMSH|one\x1c\r\nz\vMSH|two\x1c\r')))).toEqual(['MSH|one', 'MSH|two']);
    expect(decoder.garbageBytes).toBe(3);
  });

  test('drops an unfinished frame when the next one starts', () => {
    const decoder = new FrameDecoder();
    expect(texts(decoder.push(bytes('\vMSH|cut o\vMSH|whole\x1c\r')))).toEqual(['MSH|whole']);
    expect(decoder.garbageBytes).toBe(10);
  });

  test('keeps a vertical tab in text', () => {
    expect(texts(new FrameDecoder().push(bytes('\vMSH|\rNTE|soft\vbreak\x1c\r')))).toEqual(['MSH|\rNTE|soft\vbreak']);
  });

  test('accepts a frame of exactly the limit and throws for a longer one', () => {
    expect(texts(new FrameDecoder(4).push(bytes('\v1234\x1c')))).toEqual(['1234']);
    const decoder = new FrameDecoder(4);
    decoder.push(bytes('\v123'));
    expect(() => decoder.push(bytes('45'))).toThrow(FrameTooLargeError);
  });

  // In quadratic time, this would exceed the test's time limit.
  test('takes linear time for a megabyte in chunks of one byte', () => {
    const decoder = new FrameDecoder();
    const stream = encodeFrame(Buffer.alloc(1_000_000, 0x41));
    let frames = 0;
    for (let at = 0; at < stream.length; at += 1) frames += decoder.push(stream.subarray(at, at + 1)).length;
    expect(frames).toBe(1);
  });

  // One start byte at a time, this took seconds, in which no other sender was served.
  test.each(['\v', '\vM', '\vMS', '\v '])('takes linear time for 15 MiB of %j', (unit) => {
    const content = Buffer.alloc(15 * 1024 * 1024, unit);
    content.write('MSH');
    const before = process.threadCpuUsage();
    expect(new FrameDecoder().push(encodeFrame(content))).toHaveLength(1);
    expect(process.threadCpuUsage(before).user).toBeLessThan(1_500_000);
  });

  test('drops blank frames, and throws after many without any content', () => {
    const decoder = new FrameDecoder(100, 12);
    expect(texts(decoder.push(bytes('\v\x1c\r\v\v\x1c\r\v\r\n \x1c')))).toEqual([]);
    expect(decoder.garbageBytes).toBe(10);
    expect(texts(decoder.push(bytes('\vMSH|one\x1c\r')))).toEqual(['MSH|one']);
    expect(() => decoder.push(bytes('\v\x1c'.repeat(7)))).toThrow(NoFramesError);
  });

  test('throws after many bytes outside of frames, but not for line ends', () => {
    const decoder = new FrameDecoder(100, 12);
    decoder.push(bytes('\r\n'.repeat(1000)));
    decoder.push(bytes('GET / HTTP/1'));
    expect(() => decoder.push(bytes('.'))).toThrow(NoFramesError);
  });

  test('says how much of an unfinished frame it holds', () => {
    const decoder = new FrameDecoder();
    decoder.push(bytes(`\v${'x'.repeat(5000)}`));
    expect([decoder.isInside, decoder.unfinishedBytes]).toEqual([true, 5000]);
    expect(decoder.heldBytes).toBeGreaterThanOrEqual(5000);
    decoder.push(bytes('\x1c'));
    expect([decoder.isInside, decoder.unfinishedBytes, decoder.heldBytes]).toEqual([false, 0, 0]);
  });
});
