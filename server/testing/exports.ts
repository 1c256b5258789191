/** Exports over HTTP for tests: starting, running and downloading them. */
import type { RouteInput } from '#contract/routes.ts';
import { runExport } from '#server/insight/exports/run-export.ts';
import type { Client, TestApp } from './app.ts';

/** Returns the rows of a CSV file, each by the header of its column. Cells in these tests have no line ends. */
export function readCsv(text: string): Record<string, string>[] {
  const cells = (line: string) =>
    [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
      ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '',
    );
  const [head = '', ...lines] = text
    .replace(/^\u{feff}/u, '')
    .trimEnd()
    .split('\r\n');
  const header = cells(head);
  return lines.map((line) => Object.fromEntries(cells(line).map((cell, at) => [header[at] ?? '', cell])));
}

type Query = RouteInput<'POST /api/export/initiate-encounters-export'>['query'];

export function exporting(app: TestApp) {
  const { database, clock } = app;
  const deps = { app: database.app, pipeline: database.pipeline, clock: clock.now };
  const run = (jobId: string, over: Partial<Parameters<typeof runExport>[0]> = {}) =>
    runExport({ ...deps, ...over }, jobId);
  const start = (client: Client, query: Query = {}) =>
    client.call('POST /api/export/initiate-encounters-export', { query });
  /** A browser can set no header on a download. */
  const get = (client: Client, path: string) =>
    client.fetch(`${path}${path.includes('?') ? '&' : '?'}teamId=${client.teamId}`);
  const download = (client: Client, jobId: string) => get(client, `/api/export/jobs/${jobId}/file`);
  const jobOf = async (client: Client, jobId: string) =>
    (await client.call('GET /api/export/recent-export-jobs', {})).find(({ id }) => id === jobId);
  /** Starts and runs an export of encounters, and returns its rows. */
  async function exported(client: Client, query: Query = {}) {
    const { id } = await start(client, query);
    await run(id);
    return { id, rows: readCsv(await (await download(client, id)).text()) };
  }
  return { deps, run, start, get, download, jobOf, exported };
}
