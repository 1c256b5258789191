/** A process that only receives messages over MLLP and stores them. Prints its port. `argv[2]` is the URL of the pipeline's role. */
import { MessageStore } from '#server/intake/messages/message-store.ts';
import { KnownSenders } from '#server/intake/mllp/known-senders.ts';
import { listenMllp } from '#server/intake/mllp/mllp.ts';
import { openDatabase } from '#server/platform/database/pool.ts';
import { createLog } from '#server/platform/http/log.ts';

const database = openDatabase(process.argv[2] ?? '', { max: 10 });
const clock = () => new Date();
const store = new MessageStore(database);
const log = createLog('warn');
const senders = new KnownSenders(database, clock, log, {
  ofAddress: Number.POSITIVE_INFINITY,
  ofAll: Number.POSITIVE_INFINITY,
});
const { port } = await listenMllp({ host: '127.0.0.1', port: 0, store, senders, log, clock });
process.stdout.write(`${port}\n`);
