/**
 * The least that a durable receiver of MLLP does: a frame becomes a row, and is acknowledged once that is committed. Prints its port. `argv[2]`
 * is the URL of a database with the table `bench_rows`. The peer of the intake bench.
 */
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import pg from 'pg';

const CONNECTIONS = 10;
const END = Buffer.from([0x1c, 0x0d]);

const pool = new pg.Pool({ connectionString: process.argv[2] ?? '', max: CONNECTIONS });

async function store(raw: Buffer): Promise<void> {
  await pool.query({ name: 'insert', text: 'insert into bench_rows (raw) values ($1)', values: [raw] });
}

/** Each frame is answered in turn. */
function serve(socket: Socket): void {
  let rest: Buffer = Buffer.alloc(0);
  let last = Promise.resolve();
  socket.setNoDelay(true);
  socket.on('data', (chunk: Buffer) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (let end = rest.indexOf(END); end >= 0; end = rest.indexOf(END)) {
      const frame = rest.subarray(1, end);
      rest = rest.subarray(end + END.length);
      const control = frame.toString('latin1', 0, frame.indexOf(0x0d)).split('|')[9] ?? '';
      last = last.then(async () => {
        await store(frame);
        socket.write(`\vMSH|^~\\&|||||||ACK|${control}|P|2.5.1\rMSA|AA|${control}\r\x1c\r`);
      });
    }
  });
  socket.on('error', () => socket.destroy());
}

const server = createServer(serve).listen(0, '127.0.0.1');
await once(server, 'listening');
const address = server.address();
process.stdout.write(`${typeof address === 'object' ? address?.port : ''}\n`);
