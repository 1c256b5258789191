/** A small server beside the product, for whoever runs it: `/metrics`, `/healthz` and `/readyz`, in processes of every role. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import type { Queryable } from '#server/platform/database/pool.ts';
import { readinessOf, readyAnswer } from '#server/platform/http/health.ts';
import type { Scrape } from './scrape.ts';

export interface OperationsOptions {
  host: string;
  port: number;
  scrape: Scrape;
  /** Connections of the pipeline role. */
  db: Queryable;
  usesReplica: () => boolean | null;
  log: Logger;
}

/** In milliseconds. */
const SLOWEST_REQUEST = 5000;
const MOST_CONNECTIONS = 20;
/** In bytes. */
const MOST_HEADERS = 4096;

/** Starts the server. It has no sign-in: its address must be reachable by the monitoring only. */
export async function listenForOperations(
  options: OperationsOptions,
): Promise<{ port: number; close: () => Promise<void> }> {
  const { host, port, scrape, db } = options;
  const ready = readinessOf(db);
  const answers = new Map<string, () => Promise<Answer>>([
    ['/healthz', async () => [200, JSON_TYPE, '{"status":"ok"}']],
    [
      '/readyz',
      async () => {
        const missing = await ready();
        return missing === null
          ? [200, JSON_TYPE, JSON.stringify(readyAnswer(options.usesReplica()))]
          : [503, JSON_TYPE, JSON.stringify({ status: 'waiting', for: missing })];
      },
    ],
    ['/metrics', async () => [200, scrape.contentType, await scrape.read()]],
  ]);
  const send = async ({ method, url = '' }: IncomingMessage, response: ServerResponse): Promise<void> => {
    const answer = method === 'GET' ? answers.get(url) : undefined;
    const [status, type, body] = answer ? await answer() : NOT_FOUND;
    response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body);
  };
  const server = createServer({ maxHeaderSize: MOST_HEADERS, requestTimeout: SLOWEST_REQUEST }, (request, response) => {
    send(request, response).catch((error: unknown) => {
      options.log.error({ err: error }, 'The metrics could not be read');
      response.writeHead(500).end();
    });
  });
  server.maxConnections = MOST_CONNECTIONS;
  await listening(server, host, port);
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

type Answer = [status: number, type: string, body: string];

const JSON_TYPE = 'application/json; charset=utf-8';
const NOT_FOUND: Answer = [404, 'text/plain; charset=utf-8', 'Not found\n'];

const listening = (server: Server, host: string, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve());
  });
