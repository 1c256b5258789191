/**
 * `npm run bench`: measures Tidings, next to what other databases or the same one can do at most. Options: `--rounds 5`, `--seconds 3`,
 * `--people 100000`, `--messages 20000` ('all' for a whole year), `--rows 10000,100000` for search and pings, `--filters 10000` for
 * exactness, `--encounters 100000` for exports, `--stored 10000,2000000` messages and `--regions 10000,100000` people for growth, `--minutes 6` for memory, `--only intake|growth|people|latency|documents|hostile|memory|processing|search|pings|http|pages|exactness|exports`, `--json` to
 * write docs/performance.json and docs/performance.md. Exits with 1 if a result is wrong.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensurePartitions } from '#server/intake/messages/partitions.ts';
import { startEmbedded } from '#server/platform/database/embedded.ts';
import { migrate } from '#server/platform/database/migrate.ts';
import { openDatabase } from '#server/platform/database/pool.ts';
import { ensureRoles } from '#server/platform/database/roles.ts';
import { createLog } from '#server/platform/http/log.ts';
import { benchDocuments } from './documents.ts';
import { benchExactness } from './exactness.ts';
import { benchExports } from './exports.ts';
import { saveRun } from './figures.ts';
import { benchGrowth } from './growth.ts';
import { benchHostile } from './hostile.ts';
import { benchHttp } from './http.ts';
import { benchIntake } from './intake.ts';
import { benchLatency } from './latency.ts';
import { benchMemory } from './memory.ts';
import { benchOpenPages } from './open-pages.ts';
import { benchPeople } from './people.ts';
import { benchPings } from './pings.ts';
import { benchProcessing } from './processing.ts';
import { benchSearch } from './search.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '3' },
    people: { type: 'string', default: '100000' },
    messages: { type: 'string', default: '20000' },
    rows: { type: 'string', default: '10000,100000' },
    filters: { type: 'string', default: '10000' },
    encounters: { type: 'string', default: '100000' },
    stored: { type: 'string', default: '10000,2000000' },
    minutes: { type: 'string', default: '6' },
    regions: { type: 'string', default: '10000,100000' },
    only: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

const dataDir = mkdtempSync(join(tmpdir(), 'tidings-bench-'));
chmodSync(dataDir, 0o711);
const server = await startEmbedded({ dataDir, log: createLog('warn') });

/** Runs one part of the bench in a database of its own, on a server with production settings. */
async function part(
  name: string,
  run: (urls: Awaited<ReturnType<typeof ensureRoles>>) => Promise<void>,
): Promise<void> {
  if (values.only !== undefined && values.only !== name) return;
  const urls = await ensureRoles(server.adminUrl, `bench_${name}`);
  await migrate(urls.owner);
  await run(urls);
}

try {
  const load = (loadavg()[0] ?? 0).toFixed(1);
  process.stdout.write(
    `${new Date().toISOString().slice(0, 10)}, ${cpus().length} cores, load ${load} before the run, Node ${process.version}\n`,
  );
  await part('intake', async (urls) => {
    const owner = openDatabase(urls.pipeline, { max: 1 });
    await ensurePartitions(owner, new Date());
    await owner.close();
    await benchIntake(urls, { rounds: Number(values.rounds), seconds: Number(values.seconds) });
  });
  await part('growth', (urls) => benchGrowth(urls, values.stored.split(',').map(Number)));
  await part('people', () => benchPeople(server.adminUrl, values.regions.split(',').map(Number)));
  await part('latency', (urls) => benchLatency(server.adminUrl, urls));
  if (values.only === undefined || values.only === 'documents') benchDocuments(Number(values.rounds));
  await part('hostile', (urls) => benchHostile(server.adminUrl, urls));
  const adminUrl = (database: string): string => {
    const url = new URL(server.adminUrl);
    url.pathname = database;
    return url.href;
  };
  await part('memory', (urls) => benchMemory(server.adminUrl, urls, Number(values.minutes)));
  await part('processing', async (urls) => {
    const db = {
      app: openDatabase(urls.app, { max: 5 }),
      pipeline: openDatabase(urls.pipeline, { max: 10 }),
    };
    const limit = values.messages === 'all' ? Number.POSITIVE_INFINITY : Number(values.messages);
    await benchProcessing(
      db,
      { app: urls.app, admin: adminUrl('bench_processing') },
      { people: Number(values.people), limit },
    );
    await Promise.all([db.app.close(), db.pipeline.close()]);
  });
  const counts = values.rows.split(',').map(Number);
  await part('search', () => benchSearch(adminUrl('bench_search'), counts));
  if (values.only === undefined || values.only === 'pings') for (const count of counts) benchPings(count);
  await part('http', (urls) => benchHttp(server.adminUrl, urls, Number(values.people)));
  await part('pages', (urls) => benchOpenPages(server.adminUrl, urls));
  await part('exactness', () =>
    benchExactness(adminUrl('bench_exactness'), { count: 8000, filters: Number(values.filters) }),
  );
  await part('exports', (urls) =>
    benchExports(urls, { encounters: Number(values.encounters), rounds: Number(values.rounds) }),
  );
  if (values.json) saveRun();
} finally {
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
