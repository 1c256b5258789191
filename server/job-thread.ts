/** The thread in which jobs run (`worker.ts`): a roster never holds the thread that serves HTTP and MLLP. */
import { startExportWorker } from './export-worker.ts';
import { MessageStore } from './intake/messages/message-store.ts';
import { openDatabase } from './platform/database/pool.ts';
import { createLog } from './platform/http/log.ts';
import { runInThread } from './platform/threads/in-thread.ts';
import { wakeOnPings } from './work/notifications/wake-on-pings.ts';
import { startWorker, type WorkerDeps } from './worker.ts';

export interface JobThreadData {
  /** The database URL of the pipeline role. */
  url: string;
  /** That of the app role. */
  appUrl: string;
  logLevel: string;
  config: WorkerDeps['config'];
}

await runInThread<JobThreadData>(async ({ url, appUrl, logLevel, config }, { send }) => {
  const clock = () => new Date();
  const database = openDatabase(url, { max: 14, applicationName: 'tidings jobs' });
  const app = openDatabase(appUrl, { max: 6, applicationName: 'tidings jobs' });
  const log = createLog(logLevel);
  const store = new MessageStore(database, () => send('stored'));
  const runner = await startWorker({ database, app, store, clock, log, config });
  const exports = await startExportWorker({ app, pipeline: database, clock, log });
  const waking = await wakeOnPings({ database, url, log, clock }, (task, options) => runner.addJob(task, {}, options));
  return {
    stop: async () => {
      await waking.stop();
      await runner.stop();
      await exports.stop();
      await store.drained();
      await database.close();
      await app.close();
    },
  };
});
