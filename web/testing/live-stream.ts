import { act } from '@testing-library/react';
import { beforeEach, vi } from 'vitest';

/** Simulates the live stream for the tests of a file. Returns the opened streams, and a function that sends an event to the latest one. */
export const liveStream = () => {
  const streams: EventTarget[] = [];
  beforeEach(() => {
    streams.length = 0;
    vi.stubGlobal('BroadcastChannel', undefined);
    vi.stubGlobal(
      'EventSource',
      class extends EventTarget {
        constructor() {
          super();
          streams.push(this);
        }
        close(): void {}
      },
    );
  });
  const tell = (kind: string, data: object = {}): void => {
    act(() => void streams.at(-1)?.dispatchEvent(new MessageEvent(kind, { data: JSON.stringify(data) })));
  };
  return { streams, tell };
};
