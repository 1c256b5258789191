/** `npm start`: runs the process, from reading the environment to the signal that ends it. */

import { startApp } from './app.ts';
import { ConfigError, readConfig } from './config.ts';
import { holdsDemo } from './platform/database/demo-data.ts';
import { startEmbedded } from './platform/database/embedded.ts';
import { migrate } from './platform/database/migrate.ts';
import { openDatabase } from './platform/database/pool.ts';
import { dropDatabase, ensureRoles, type RoleUrls } from './platform/database/roles.ts';
import { createLog } from './platform/http/log.ts';
import { startFailure } from './start-failure.ts';

/** Its name in the embedded server. */
const DATABASE = 'tidings';

/** Stops what has been started so far, in reverse order. */
const started: (() => Promise<void>)[] = [];
let isStopping = false;

async function stopAll(): Promise<void> {
  isStopping = true;
  for (const stop of started.toReversed()) await stop();
}

async function run(): Promise<void> {
  const config = readConfig(process.env);
  const log = createLog(config.logLevel);
  const embedded = config.databaseUrl ? null : await startEmbedded({ dataDir: config.dataDir, log });
  if (embedded) started.push(() => embedded.stop());
  const setUp = async (): Promise<RoleUrls> => {
    const roles = await (embedded ? ensureRoles(embedded.adminUrl, DATABASE) : ensureRoles(config.databaseUrl ?? ''));
    await migrate(roles.owner);
    return roles;
  };
  let urls = await setUp();
  if (!config.demo) await refuseDemoData(urls);
  const now = new Date();
  // Loaded only on demand: a hospital's server has no demo code.
  const demo = config.demo ? await import('#demo/start.ts') : null;
  if (demo && embedded && (await demo.wasInterrupted(urls))) {
    await dropDatabase(embedded.adminUrl, DATABASE);
    urls = await setUp();
  }
  // Seeded before any queue runs, because the demo's past has a clock of its own.
  const world = demo ? await demo.seedDemo(urls, { log, now, publicUrl: config.publicUrl }) : null;
  const accounts = demo?.demoAccounts() ?? [];
  const app = await startApp({ config, urls, log, demoAccounts: accounts });
  started.push(app.stop);
  if (world && config.demoFeed && app.mllp) {
    const { sendLive } = await import('#demo/live-feed.ts');
    const feed = sendLive(world, now, { host: config.mllp.host, port: app.mllp.port, log });
    started.push(async () => feed.stop());
  }
  const [first] = accounts;
  const signIn = first
    ? ` – sign in as ${accounts.map((account) => account.username).join(', ')} (password ${first.password})`
    : '';
  process.stdout.write(
    `Tidings is ready at ${app.url ? config.publicUrl : 'no address (this process has no web role)'}${signIn}\n`,
  );
}

/** Throws if the database holds the demo region: everyone knows the password of its accounts. */
async function refuseDemoData(urls: RoleUrls): Promise<void> {
  const db = openDatabase(urls.pipeline, { applicationName: 'tidings start' });
  try {
    if (await holdsDemo(db)) {
      throw new ConfigError(
        'The database holds the demo region, whose password is public, and the demo is off. Set TIDINGS_DATA_DIR to another folder, or DATABASE_URL to another database.',
      );
    }
  } finally {
    await db.close();
  }
}

/** The first signal stops in order, the second exits at once. */
function endOnSignal(): void {
  if (isStopping) process.exit(130);
  stopAll().then(
    () => process.exit(0),
    (error: unknown) => fail(`Tidings could not stop cleanly: ${error instanceof Error ? error.stack : String(error)}`),
  );
}

function fail(text: string): void {
  process.stderr.write(`${text}\n`);
  process.exit(1);
}

process.on('SIGINT', endOnSignal);
process.on('SIGTERM', endOnSignal);
run().catch(async (error: unknown) => {
  // Stopping closes the database under whatever was still starting, so its error means nothing.
  if (isStopping) return;
  await stopAll().catch(() => {});
  fail(startFailure(error));
});
