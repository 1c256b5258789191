/** `npm start`: the process, from the environment to the signal that ends it. */

import type { DemoAccount } from './accounts/routes.ts';
import { type App, startApp } from './app.ts';
import { type Config, ConfigError, readConfig } from './config.ts';
import { FolderInUseError } from './database/embedded/folder-lock.ts';
import { startEmbedded } from './database/embedded.ts';
import { migrate } from './database/migrate.ts';
import { ensureRoles } from './database/roles.ts';
import { createLog } from './http/log.ts';

type Log = ReturnType<typeof createLog>;

async function main(): Promise<void> {
  const config = readConfig(process.env);
  const log = createLog(config.logLevel);
  const opened: (() => unknown)[] = [];
  const close = async () => {
    for (let last = opened.pop(); last; last = opened.pop()) await last();
  };
  const isStopping = onSignal(close);
  try {
    await start(config, log, opened);
  } catch (error) {
    // A start that a signal cut short fails for want of what was closed under it.
    if (isStopping()) return;
    await close();
    throw error;
  }
}

/** `opened` gets what closes each part once it is there, so that a signal at any time stops all that has begun, the last first. */
async function start(config: Config, log: Log, opened: (() => unknown)[]): Promise<void> {
  const embedded = config.databaseUrl ? null : await startEmbedded({ dataDir: config.dataDir, log });
  if (embedded) opened.push(() => embedded.stop());
  const urls = embedded ? await ensureRoles(embedded.adminUrl, 'tidings') : await ensureRoles(config.databaseUrl ?? '');
  await migrate(urls.owner);
  // Only where it is asked for: a hospital's server knows nothing of the demo.
  const demo = config.demo ? await import('#demo/start.ts') : null;
  const accounts = demo?.demoAccounts() ?? [];
  const app = await startApp({ config, urls, log, demoAccounts: accounts });
  opened.push(() => app.stop());
  if (demo) opened.push(await demo.startDemo({ ...app, log }, new Date(), config.demoFeed ? config.mllp.host : null));
  announce(config, app, accounts);
}

function announce({ publicUrl }: Config, { url }: App, accounts: readonly DemoAccount[]): void {
  const [first] = accounts;
  const signIn = first
    ? ` – sign in as ${accounts.map((a) => a.username).join(', ')} (password ${first.password})`
    : '';
  process.stdout.write(`Tidings is ready at ${url ? publicUrl : 'no page (roles without web)'}${signIn}\n`);
}

/** The first signal ends in order, the second at once. Answers whether there was one. */
function onSignal(stop: () => Promise<void>): () => boolean {
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
  return () => stopping;
}

main().catch((error: unknown) => {
  const isPlain = error instanceof ConfigError || error instanceof FolderInUseError;
  process.stderr.write(
    `${isPlain ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  process.exit(1);
});
