/** A mail server and a text message service that fail on command, for tests. Both count what they accepted. */
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

/**
 * down: no one listens. slow: accepts, and never answers. drop: accepts, and ends the connection instead of answering. twice: answers twice.
 * refuse: refuses for good. later: refuses for now.
 */
export const BEHAVIORS = ['ok', 'down', 'slow', 'drop', 'twice', 'refuse', 'later'] as const;
export type Behavior = (typeof BEHAVIORS)[number];

export interface FaultyService {
  /** How the next letters are treated. */
  behavior: Behavior;
  /** The texts that it took, so that their readers get them. */
  readonly accepted: string[];
  /** Its address: one where no one listens while it is down. */
  readonly origin: string;
  stop: () => Promise<void>;
}

const listen = (server: Server): Promise<number> =>
  new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });

/** Returns a port at which no one listens. */
async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listen(server);
  await new Promise((resolve) => {
    server.close(resolve);
  });
  return port;
}

const REFUSALS: Partial<Record<Behavior, number>> = { refuse: 550, later: 451 };

/** A real mail server behind a connection that fails. */
export async function faultyMailServer(): Promise<FaultyService> {
  const state = { behavior: 'ok' as Behavior };
  const accepted: string[] = [];
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, _session, done) {
      const accept = async (): Promise<void> => {
        const mail = await text(stream);
        const responseCode = REFUSALS[state.behavior];
        if (responseCode !== undefined) return done(Object.assign(new Error('No'), { responseCode }));
        accepted.push(mail);
        done();
      };
      void accept();
    },
  });
  const behind = await listen(smtp.server);
  const sockets = new Set<Socket>();
  const front = createServer((client) => {
    const server = connect(behind, '127.0.0.1');
    const before = accepted.length;
    let isAnswered = false;
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        server.destroy();
      });
    }
    client.on('data', (data) => server.write(data));
    server.on('data', (data) => {
      const isAnswer = accepted.length > before && !isAnswered;
      isAnswered ||= isAnswer;
      if (isAnswer && state.behavior === 'slow') return;
      if (isAnswer && state.behavior === 'drop') return void client.destroy();
      client.write(isAnswer && state.behavior === 'twice' ? Buffer.concat([data, data]) : data);
    });
  });
  const [port, nobody] = [await listen(front), await freePort()];
  return {
    get behavior() {
      return state.behavior;
    },
    set behavior(next) {
      state.behavior = next;
    },
    accepted,
    get origin() {
      return `smtp://127.0.0.1:${state.behavior === 'down' ? nobody : port}`;
    },
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      front.close();
      await new Promise<void>((resolve) => {
        smtp.close(resolve);
      });
    },
  };
}

/** What Twilio's Messages resource answers. */
export async function faultyTextService(): Promise<FaultyService> {
  const state = { behavior: 'ok' as Behavior };
  const accepted: string[] = [];
  const http = createHttpServer((request, response) => {
    void text(request).then((form) => {
      const { behavior } = state;
      const json = { 'content-type': 'application/json' };
      if (behavior === 'refuse') return response.writeHead(400, json).end('{"code":21211}');
      if (behavior === 'later') return response.writeHead(503, json).end('{}');
      accepted.push(new URLSearchParams(form).get('Body') ?? '');
      if (behavior === 'slow') return;
      if (behavior === 'drop') return void request.socket.destroy();
      if (behavior === 'twice') {
        const once = 'HTTP/1.1 201 Created\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}';
        return void request.socket.end(once + once);
      }
      return response.writeHead(201, json).end('{}');
    });
  });
  const [port, nobody] = [await listen(http), await freePort()];
  return {
    get behavior() {
      return state.behavior;
    },
    set behavior(next) {
      state.behavior = next;
    },
    accepted,
    get origin() {
      return `http://127.0.0.1:${state.behavior === 'down' ? nobody : port}`;
    },
    stop: async () => {
      http.closeAllConnections();
      await new Promise((resolve) => {
        http.close(resolve);
      });
    },
  };
}
