/** One hostile client at every door, for `bench/hostile.ts`. Runs until it is killed; whatever the server answers, it goes on. */
import { connect } from 'node:net';
import { constants, setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { encodeFrame } from '#server/intake/hl7/frame.ts';

export interface Targets {
  url: string;
  mllpPort: number;
  /** The key of a SAML connection. */
  connection: string;
  /** A group to which the attacker may upload. */
  groupId: string;
  /** A signed-in user of another organization. */
  teamId: string;
  headers: Record<string, string>;
}

const targets = JSON.parse(process.argv[2] ?? '{}') as Targets;
const { url, headers, teamId, groupId, connection } = targets;
const MIB = 1024 * 1024;
/** Not the hospital's address, as it would be in a network. */
const ADDRESS = '127.0.0.66';

// In a network they have machines of their own.
setPriority(constants.priority.PRIORITY_LOW);
process.on('uncaughtException', () => {});
process.on('unhandledRejection', () => {});

/** Repeats an attack, with a pause so that the attacker itself doesn't take the machine's two cores. */
async function repeat(attack: () => Promise<unknown>, pause: number): Promise<never> {
  for (;;) {
    await attack().catch(() => {});
    await sleep(pause);
  }
}

/** Opens a connection, writes, and leaves it open until the server closes it or `hold` milliseconds have passed. */
function mllp(bytes: Buffer, hold: number): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port: targets.mllpPort, localAddress: ADDRESS });
    socket.on('error', () => {});
    socket.once('close', () => resolve());
    socket.write(bytes);
    setTimeout(() => socket.destroy(), hold);
  });
}

const name = `${'BABYBOY'.repeat(28)}X`;
const frame = (n: number) =>
  Buffer.from(
    `MSH|^~\\&|EVIL|EVIL|||20261120101500-0500||ADT^A01|E${n}|P|2.5.1\rPID|1||E${n}||Doe^${name}||19700101|M\rPV1|1|I|||||||||||||||||E${n}\r`,
  );

const call = (path: string, init: RequestInit = {}) =>
  fetch(url + path, { ...init, headers: { ...headers, ...init.headers }, signal: AbortSignal.timeout(30_000) });
const post = (path: string, body: string, type = 'application/json') =>
  call(path, { method: 'POST', headers: { 'content-type': type }, body });

/** Sends the beginning of a file and then nothing. */
function halfAnUpload(): Promise<unknown> {
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(
        new TextEncoder().encode(
          '--x\r\ncontent-disposition: form-data; name="file"; filename="r.csv"\r\ncontent-type: text/csv\r\n\r\nMember ID,First Name\r\n1,',
        ),
      );
    },
  });
  return call(`/api/rosters/${groupId}/uploads?relationship=COVERAGE&attested=true`, {
    method: 'POST',
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
    body,
    duplex: 'half',
  });
}

/** Without end tags, and the most nested and the longest that is still within the limits of `sso/xml-limits.ts`. */
const COSTLY_XML = [
  '<a>'.repeat(30_000),
  `${'<a>'.repeat(23)}${'<b c="d"/>'.repeat(1400)}${'</a>'.repeat(23)}`,
  `<a>${'x'.repeat(100_000)}</a>`,
];

/** Begins a single sign-on as a browser does, and answers it with XML. Without a beginning the answer would not be read. */
async function answerSaml(xml: string): Promise<unknown> {
  const start = await fetch(`${url}/api/sso/saml/${connection}/start`, { redirect: 'manual' });
  const relayState = new URL(start.headers.get('location') ?? '', url).searchParams.get('RelayState') ?? '';
  const cookie = start.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  return fetch(`${url}/api/sso/saml/${connection}/callback`, {
    method: 'POST',
    headers: { cookie },
    body: new URLSearchParams({ SAMLResponse: Buffer.from(xml).toString('base64'), RelayState: relayState }),
    redirect: 'manual',
  });
}

const MANY_VALUES = JSON.stringify(Object.fromEntries(Array.from({ length: 400_000 }, (_, n) => [n.toString(36), 1])));

let count = 0;
const words = (n: number) => Array.from({ length: n }, (_, index) => `a${index}${count++}`).join(' ');

const DOORS: readonly (() => Promise<never>)[] = [
  () => repeat(() => mllp(Buffer.alloc(15 * MIB, 0x0b), 5000), 500),
  () => repeat(() => mllp(Buffer.from('\u000b\u001c\r'.repeat(50_000)), 5000), 500),
  () =>
    repeat(
      () =>
        Promise.all(
          Array.from({ length: 60 }, () => mllp(Buffer.concat([Buffer.from([0x0b]), Buffer.alloc(MIB, 0x41)]), 5000)),
        ),
      500,
    ),
  () => repeat(() => mllp(Buffer.concat(Array.from({ length: 20 }, () => encodeFrame(frame(count++)))), 2000), 500),
  () => repeat(() => mllp(Buffer.alloc(100_000, '\vMSH|\x1c\r'), 2000), 500),
  () => repeat(() => Promise.all(Array.from({ length: 20 }, halfAnUpload)), 500),
  () => repeat(() => post('/api/session/activity', MANY_VALUES), 200),
  () => repeat(() => Promise.all(COSTLY_XML.map(answerSaml)), 200),
  () =>
    repeat(
      () =>
        Promise.all(
          Array.from({ length: 20 }, () =>
            post(
              '/api/patients/search',
              JSON.stringify({ userDefinedFacetPreferences: { preferenceMap: {}, query: words(40) } }),
            ),
          ),
        ),
      200,
    ),
  () => repeat(() => Promise.all(Array.from({ length: 50 }, () => call(`/api/live?teamId=${teamId}`))), 1000),
  () =>
    repeat(
      () => post('/api/authenticate', JSON.stringify({ username: 'a@b.example', password: 'x'.repeat(128) })),
      100,
    ),
];

for (const door of DOORS) void door();
process.send?.('begun');
