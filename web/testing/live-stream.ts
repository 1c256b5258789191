import { act } from '@testing-library/react';
import { beforeEach, vi } from 'vitest';

/** The live stream of the simulated browser, for the tests of a file: those that were opened, and a way to tell what a test says. */
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
