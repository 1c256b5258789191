import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodeFrame, FrameDecoder, FrameTooLargeError } from './frame.ts';

const bytes = (text: string) => Buffer.from(text, 'latin1');
const texts = (frames: Buffer[]) => frames.map((frame) => frame.toString('latin1'));

describe('FrameDecoder', () => {
  test('returns any payloads whole, however they are split', () => {
    const payload = fc.uint8Array({ maxLength: 200 }).map((content) => content.filter((b) => b !== 0x1c && b !== 0x0b));
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

  test('takes linear time for a frame full of start bytes', () => {
    expect(new FrameDecoder().push(encodeFrame(Buffer.alloc(1_000_000, 0x0b)))).toHaveLength(1);
  });
});
