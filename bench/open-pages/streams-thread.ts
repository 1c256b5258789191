/** Holds the streams of open pages in a thread of its own, and notes when the first page heard of each change. */
import { connect } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';
import type { OpenPage } from './region.ts';

const { host, port, pages } = workerData as { host: string; port: number; pages: readonly OpenPage[] };
/** One page of each team reads what it hears; the others only take it, as the browsers would on other machines. */
const READS_EVERY = 40;
const EVENT = '"eventIdentifier":"';

/** By event: when it was changed, in the order of the changes. */
const changed = new Map<string, number[]>();
const waits: number[] = [];

function note(text: string): void {
  const now = Date.now();
  for (const [, rest = ''] of text.split(EVENT).entries()) {
    const at = changed.get(rest.slice(0, rest.indexOf('"')))?.shift();
    if (at !== undefined) waits.push(now - at);
  }
}

/** Resolves once the stream has answered. */
function open({ cookie, teamId }: OpenPage, reads: boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, host, () =>
      socket.write(`GET /api/live?teamId=${teamId} HTTP/1.1\r\nhost: ${host}:${port}\r\ncookie: ${cookie}\r\n\r\n`),
    );
    socket.once('data', (head) => {
      if (head.toString().startsWith('HTTP/1.1 200')) resolve();
      else reject(new Error(`A stream was refused: ${head.toString()}`));
    });
    socket.on('data', (data) => reads && note(data.toString()));
    socket.on('error', reject);
  });
}

for (const [n, page] of pages.entries()) await open(page, n % READS_EVERY === 0);
parentPort?.postMessage('open');
parentPort?.on('message', (message: { ids: string[]; at: number } | 'report') => {
  if (message === 'report') parentPort?.postMessage(waits);
  else for (const id of message.ids) changed.set(id, [...(changed.get(id) ?? []), message.at]);
});
