/** `npm start`: the process, from the environment to the signal that ends it. */

import { startApp } from './app.ts';
import { ConfigError, readConfig } from './config.ts';
import { FolderInUseError } from './platform/database/embedded/folder-lock.ts';
import { startEmbedded } from './platform/database/embedded.ts';
import { migrate } from './platform/database/migrate.ts';
import { ensureRoles } from './platform/database/roles.ts';
import { createLog } from './platform/http/log.ts';

/** What has been started so far; it is stopped in the other order. */
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
  const urls = embedded ? await ensureRoles(embedded.adminUrl, 'tidings') : await ensureRoles(config.databaseUrl ?? '');
  await migrate(urls.owner);
  const now = new Date();
  // Only where it is asked for: a hospital's server knows nothing of the demo.
  const demo = config.demo ? await import('#demo/start.ts') : null;
  // Before any queue runs: the past is made with a clock of its own.
  const world = demo ? await demo.seedDemo(urls, log, now) : null;
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
  process.stdout.write(`Tidings is ready at ${app.url ? config.publicUrl : 'no page (roles without web)'}${signIn}\n`);
}

/** The first signal ends in order, the second at once. */
function endOnSignal(): void {
  if (isStopping) process.exit(130);
  stopAll().then(
    () => process.exit(0),
    (error: unknown) => fail('Tidings could not stop in order', error),
  );
}

function fail(what: string, error: unknown): void {
  const isPlain = error instanceof ConfigError || error instanceof FolderInUseError;
  process.stderr.write(
    isPlain ? `${error.message}\n` : `${what}: ${error instanceof Error ? error.stack : String(error)}\n`,
  );
  process.exit(1);
}

process.on('SIGINT', endOnSignal);
process.on('SIGTERM', endOnSignal);
run().catch(async (error: unknown) => {
  // Stopping takes the database from whatever was still starting.
  if (isStopping) return;
  await stopAll().catch(() => {});
  fail('Tidings could not start', error);
});
