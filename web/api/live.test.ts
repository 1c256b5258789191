import { afterEach, expect, test, vi } from 'vitest';
import { AFTER_HEADER } from '#contract/constants.ts';
import { call } from './call.ts';
import { Live } from './live.ts';

/** A stream that the test opens. */
class Stream {
  static opened: Stream | null = null;
  static readonly CLOSED = 2;
  onopen = (): void => {};
  constructor() {
    Stream.opened = this;
  }
  addEventListener(): void {}
  close(): void {}
}

afterEach(() => vi.unstubAllGlobals());

test('after the first contact, and after a pause, the page asks for answers that include what it may have missed', async () => {
  vi.stubGlobal('EventSource', Stream);
  vi.stubGlobal('navigator', {});
  const headers: Record<string, string>[] = [];
  vi.stubGlobal('fetch', async (_: string, sent: { headers: Record<string, string> }) => {
    headers.push(sent.headers);
    return new Response('{"count":0}');
  });
  const asked = async () => {
    await call('GET /api/pings/count/:kind', { params: { kind: 'open' } });
    return headers.at(-1)?.[AFTER_HEADER];
  };
  const live = new Live('7');
  const heard: string[] = [];
  live.listen(({ kind }) => heard.push(kind));
  expect(await asked()).toBeUndefined();
  Stream.opened?.onopen();
  expect([heard, await asked()]).toEqual([['reload'], 'now']);
  vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 60_000);
  expect(await asked()).toBeUndefined();
  live.pause(true);
  live.pause(false);
  expect([heard, await asked()]).toEqual([['reload', 'reload'], 'now']);
  live.close();
});

test('a browser that goes offline is not live from that moment on, however long the stream takes to notice', () => {
  vi.stubGlobal('EventSource', Stream);
  vi.stubGlobal('navigator', { onLine: true });
  const live = new Live('7');
  Stream.opened?.onopen();
  expect(live.current().state).toBe('live');
  vi.stubGlobal('navigator', { onLine: false });
  window.dispatchEvent(new Event('offline'));
  expect(live.current().state).toBe('reconnecting');
  live.close();
});
