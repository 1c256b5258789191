import { encountersExportQuery } from '#contract/exports.ts';
import { runExport } from '#server/insight/exports/run-export.ts';
import { encountersExport, startExport } from '#server/insight/exports/start-export.ts';
import { localDateOf } from '#server/platform/calendar/time-zone.ts';
import type { Database } from '#server/platform/database/pool.ts';
import type { DemoDirectory } from './directory.ts';
import { type Seat, seated } from './past-acts.ts';

const ROSA: Seat = { user: 'rosa.lindgren', team: 'aco-coordination' };
const DAY = 86_400_000;
const EXPORTS = [
  { exportType: 'CSV', days: 30, statuses: [] },
  { exportType: 'XLSX', days: 7, statuses: ['DISCHARGE'] },
] as const;

/** Makes exports of the care coordinator, which she can download for seven days. */
export async function writeExports(
  { app, pipeline }: { app: Database; pipeline: Database },
  directory: DemoDirectory,
  now: Date,
): Promise<void> {
  const actor = await seated(app, directory, ROSA);
  const dayOf = (daysAgo: number) => localDateOf(now.getTime() - daysAgo * DAY, actor.timeZone);
  for (const { days, ...of } of EXPORTS) {
    const query = encountersExportQuery.parse({ ...of, beginDate: dayOf(days), endDate: dayOf(0) });
    const { id } = await startExport(app, actor, encountersExport(actor, query), { requestId: 'demo', now });
    await runExport({ app, pipeline, clock: () => now }, id);
  }
}
