/** A script that runs one export, for tests that kill its process. Arguments: the URLs of the app and the pipeline role, and the job. */
import { runExport } from '#server/insight/exports/run-export.ts';
import { openDatabase } from '#server/platform/database/pool.ts';

const [appUrl = '', pipelineUrl = '', jobId = ''] = process.argv.slice(2);
const app = openDatabase(appUrl, { max: 2 });
const pipeline = openDatabase(pipelineUrl, { max: 3 });
await runExport({ app, pipeline, clock: () => new Date('2026-11-20T15:00:00Z') }, jobId);
await app.close();
await pipeline.close();
