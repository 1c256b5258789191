/** `npm start`: the process, from the environment to the signal that ends it. */

import { sendLive } from '#demo/live-feed.ts';
import { demoAccounts, seedDemo } from '#demo/start.ts';
import { startApp } from './app.ts';
import { type Config, ConfigError, readConfig } from './config.ts';
import { FolderInUseError } from './database/embedded/folder-lock.ts';
import { type EmbeddedPostgres, startEmbedded } from './database/embedded.ts';
import { migrate } from './database/migrate.ts';
import { ensureRoles } from './database/roles.ts';
import { createLog } from './http/log.ts';

async function main(): Promise<void> {
  const config = readConfig(process.env);
  const log = createLog(config.logLevel);
  const embedded = config.databaseUrl ? null : await startEmbedded({ dataDir: config.dataDir, log });
  try {
    await run(config, log, embedded);
  } catch (error) {
    await embedded?.stop();
    throw error;
  }
}

async function run(
  config: Config,
  log: ReturnType<typeof createLog>,
  embedded: EmbeddedPostgres | null,
): Promise<void> {
  const urls = embedded ? await ensureRoles(embedded.adminUrl, 'tidings') : await ensureRoles(config.databaseUrl ?? '');
  await migrate(urls.owner);
  const accounts = config.demo ? demoAccounts() : [];
  const app = await startApp({ config, urls, log, demoAccounts: accounts });
  let feed: { stop: () => void } | null = null;
  if (config.demo) {
    const now = new Date();
    const { world, isNew } = await seedDemo({ app: app.app, pipeline: app.pipeline, log }, now);
    log.info({ isNew }, 'Demo: the region is there');
    if (config.demoFeed && app.mllp) feed = sendLive(world, now, { host: config.mllp.host, port: app.mllp.port, log });
  }
  onSignal(async () => {
    feed?.stop();
    await app.stop();
    await embedded?.stop();
  });
  const [first] = accounts;
  const signIn = first
    ? ` – sign in as ${accounts.map((a) => a.username).join(', ')} (password ${first.password})`
    : '';
  process.stdout.write(`Tidings is ready at ${app.url ? config.publicUrl : 'no page (roles without web)'}${signIn}\n`);
}

/** The first signal ends in order, the second at once. */
function onSignal(stop: () => Promise<void>): void {
  let stopping = false;
  const end = () => {
    if (stopping) process.exit(130);
    stopping = true;
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`Tidings could not stop in order: ${String(error)}\n`);
        process.exit(1);
      },
    );
  };
  process.on('SIGINT', end);
  process.on('SIGTERM', end);
}

main().catch((error: unknown) => {
  const isPlain = error instanceof ConfigError || error instanceof FolderInUseError;
  process.stderr.write(
    `${isPlain ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  process.exit(1);
});
