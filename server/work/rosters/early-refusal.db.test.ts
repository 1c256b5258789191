import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { TEAM_HEADER } from '#contract/constants.ts';
import { ATTESTED, fileOf, line, startRosterApp } from '#server/testing/rosters.ts';

const app = await startRosterApp();
const { current } = app;

/** Sends a long file as clients do that read the answer only at the end, over a connection of its own. Returns the answer and errors. */
async function sendWhole(start: string, query: string) {
  const { port, hostname } = new URL(app.url);
  const socket = connect(Number(port), hostname);
  socket.allowHalfOpen = true;
  const errors: Error[] = [];
  socket.on('error', (error) => errors.push(error));
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  const ended = new Promise<void>((resolve) => socket.once('end', () => resolve()));
  let answer = '';
  socket.on('data', (data) => (answer += String(data)));
  const rows = Buffer.from(`${line('A1')}\n`.repeat(1000));
  const count = 400;
  const head = `--b\r\ncontent-disposition: form-data; name="file"; filename="r.csv"\r\n\r\n${start}`;
  const end = '\r\n--b--\r\n';
  const headers = {
    host: hostname,
    connection: 'close',
    cookie: [...current.client.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    [TEAM_HEADER]: current.client.teamId,
    'content-type': 'multipart/form-data; boundary=b',
    'content-length': head.length + count * rows.length + end.length,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.write(`POST /api/rosters/${current.groupId}/uploads${query} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${head}`);
  for (let sent = 0; sent < count; sent += 1) {
    if (!socket.write(rows)) await Promise.race([once(socket, 'drain'), closed]);
  }
  socket.write(end);
  // Node leaves requests without an answer whose client has closed its side, so this one waits for the server's end.
  await Promise.race([ended, closed]);
  socket.end();
  await closed;
  return { answer, errors };
}

test('a file that is refused early is received to its end, and the client gets the answer', async () => {
  const unusable = await sendWhole('No header at all\n', ATTESTED);
  expect(unusable.answer).toMatch(/^HTTP\/1.1 202 [\s\S]*"status":"FAILED"/);
  expect(unusable.errors).toEqual([]);
  const notAttested = await sendWhole(fileOf(), '?relationship=COVERAGE');
  expect(notAttested.answer).toMatch(/^HTTP\/1.1 400 /);
  expect(notAttested.errors).toEqual([]);
});
