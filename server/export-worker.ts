/** The jobs of exports, in a runner of their own: exports that take minutes keep no roster and no notification waiting. */
import { type CronItem, parseCronItems, type Runner, run, Logger as WorkerLogger } from 'graphile-worker';
import type { Logger } from 'pino';
import { EXPORT_TASK, tendExports } from './insight/exports/queries.ts';
import { type ExportDeps, runExport } from './insight/exports/run-export.ts';
import { isTransient } from './platform/database/errors.ts';

const EXPORTS_AT_ONCE = 2;

const SCHEDULE: CronItem[] = [{ task: 'tend-exports', match: '*/10 * * * *' }];

export async function startExportWorker(deps: ExportDeps & { log: Logger }): Promise<Runner> {
  const { pipeline, clock, log } = deps;
  const runner = await run({
    pgPool: pipeline.pool,
    concurrency: EXPORTS_AT_ONCE,
    noHandleSignals: true,
    logger: new WorkerLogger(() => () => {}),
    taskList: {
      [EXPORT_TASK]: async (payload, { abortSignal: signal }) => {
        const { jobId } = payload as { jobId: string };
        await runExport({ ...deps, signal }, jobId).catch((error: unknown) => {
          if (!isTransient(error)) log.warn({ err: error, jobId }, 'An export failed');
          throw error;
        });
      },
      'tend-exports': () => tendExports(pipeline, clock()),
    },
    parsedCronItems: parseCronItems(SCHEDULE),
  });
  await tendExports(pipeline, clock());
  return runner;
}
