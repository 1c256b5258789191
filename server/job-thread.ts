/** The thread in which jobs run (`worker.ts`): a roster never holds the thread that serves HTTP and MLLP. */
import { MessageStore } from './intake/messages/message-store.ts';
import { openDatabase } from './platform/database/pool.ts';
import { createLog } from './platform/http/log.ts';
import { runInThread } from './platform/threads/in-thread.ts';
import { startWorker, type WorkerDeps } from './worker.ts';

export interface JobThreadData {
  /** The database URL of the pipeline role. */
  url: string;
  logLevel: string;
  config: WorkerDeps['config'];
}

await runInThread<JobThreadData>(async ({ url, logLevel, config }, { send }) => {
  const clock = () => new Date();
  const database = openDatabase(url, { max: 10, applicationName: 'tidings jobs' });
  const store = new MessageStore(database, () => send('stored'));
  const runner = await startWorker({ database, store, clock, log: createLog(logLevel), config });
  return {
    stop: async () => {
      await runner.stop();
      await store.drained();
      await database.close();
    },
  };
});
