import { createSocket } from 'node:dgram';
import { once } from 'node:events';

export interface NameServer {
  /** 'address:port', as `Resolver.setServers` accepts it. */
  address: string;
  /** TXT records by domain, each in pieces. */
  records: Map<string, string[][]>;
  close: () => void;
}

/** Starts a name server on UDP that knows TXT records (RFC 1035, 4) and says of every other name that it does not exist. */
export async function startNameServer(): Promise<NameServer> {
  const records: NameServer['records'] = new Map();
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    const { name, end } = questionOf(query);
    socket.send(answerTo(query.subarray(0, end), records.get(name) ?? []), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port } = socket.address();
  return { address: `127.0.0.1:${port}`, records, close: () => void socket.close() };
}

/** Returns the name that a query asks about, and where its question ends. */
function questionOf(query: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.subarray(at + 1, at + 1 + length).toString('latin1'));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), end: at + 5 };
}

function answerTo(question: Buffer, found: string[][]): Buffer {
  const head = Buffer.from(question);
  // An answer with authority; without records the name does not exist (NXDOMAIN).
  head.writeUInt16BE(found.length > 0 ? 0x8580 : 0x8583, 2);
  head.writeUInt16BE(found.length, 6);
  head.writeUInt16BE(0, 8);
  head.writeUInt16BE(0, 10);
  const answers = found.map((pieces) => {
    const data = Buffer.concat(pieces.map((piece) => Buffer.from(String.fromCharCode(piece.length) + piece, 'latin1')));
    // A pointer to the name in the question, type TXT, class IN, no time to live.
    const fixed = Buffer.from('c00c0010000100000000', 'hex');
    return Buffer.concat([fixed, Buffer.from([data.length >> 8, data.length & 255]), data]);
  });
  return Buffer.concat([head, ...answers]);
}
