/** Live streams for tests. Those still open after a file's last test are aborted. */
import { afterAll } from 'vitest';
import type { LiveEvent } from '#contract/live.ts';
import type { Client } from './client.ts';

const aborts: AbortController[] = [];
afterAll(() => {
  for (const abort of aborts) abort.abort();
});

/** Opens a user's stream for the selected team. */
export async function listen(client: Client): Promise<{
  next: (kind: LiveEvent['kind']) => Promise<Record<string, unknown>>;
  isOver: Promise<void>;
  heard: () => string[];
}> {
  const abort = new AbortController();
  aborts.push(abort);
  const response = await client.fetch(`/api/live?teamId=${client.teamId}`, { signal: abort.signal });
  const events: { kind: string; data: Record<string, unknown> }[] = [];
  const heard: string[] = [];
  const wakers = new Set<() => void>();
  const read = async () => {
    let text = '';
    for await (const chunk of response.body as ReadableStream<Uint8Array>) {
      text += new TextDecoder().decode(chunk);
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        const [, kind = '', data = '{}'] = /^event: (\w+)\ndata: (.*)$/s.exec(block) ?? [];
        if (kind !== 'ended') heard.push(kind);
        events.push({ kind, data: JSON.parse(data) as Record<string, unknown> });
      }
      for (const wake of wakers) wake();
    }
  };
  return {
    isOver: read().catch(() => {}),
    /** All kinds received, except 'ended'. */
    heard: () => heard,
    async next(kind) {
      for (;;) {
        const index = events.findIndex((event) => event.kind === kind);
        if (index >= 0) return events.splice(index, 1)[0]?.data ?? {};
        await new Promise<void>((resolve) => {
          wakers.add(resolve);
          setTimeout(resolve, 100);
        });
      }
    },
  };
}
