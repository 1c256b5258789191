/** A process of its own that listens for MLLP and stores, and does nothing else: prints its port. `argv[2]`: URL of the pipeline's role. */
import { openDatabase } from '#server/database/pool.ts';
import { createLog } from '#server/http/log.ts';
import { listenMllp } from '#server/ingest/mllp.ts';
import { MessageStore } from '#server/ingest/store.ts';

const database = openDatabase(process.argv[2] ?? '', { max: 10 });
const clock = () => new Date();
const store = new MessageStore(database);
const { port } = await listenMllp({ host: '127.0.0.1', port: 0, store, log: createLog('warn'), clock });
process.stdout.write(`${port}\n`);
