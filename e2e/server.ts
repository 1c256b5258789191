/**
 * The server of the journeys, a process of its own: the real composition on free ports, with an embedded PostgreSQL in a temporary
 * folder, the demo region's organisations, teams and users, and none of its past. It writes its addresses as one line of
 * JSON when it is ready, and ends when its standard input does, so that it never outlives who started it.
 */
import { createDirectory } from '#demo/directory.ts';
import { demoAccounts } from '#demo/start.ts';
import { makeRegion } from '#demo/world/region.ts';
import { startApp } from '#server/app.ts';
import { readConfig } from '#server/config.ts';
import { freePort } from '#server/database/embedded/postmaster.ts';
import { migrate } from '#server/database/migrate.ts';
import { ensureRoles } from '#server/database/roles.ts';
import { createLog } from '#server/http/log.ts';
import { startTemporaryPostgres } from '#server/testing/temporary-postgres.ts';
import { DURABLE, type RunningServer, WIDGET_URL } from './start-server.ts';

const postgres = await startTemporaryPostgres(undefined, process.argv.includes(DURABLE) ? {} : undefined);
const urls = await ensureRoles(postgres.adminUrl, 'tidings');
await migrate(urls.owner);
const config = readConfig({ PORT: String(await freePort()), MLLP_PORT: '0', TIDINGS_LOG_LEVEL: 'error' });
const app = await startApp({ config, urls, log: createLog(config.logLevel), demoAccounts: demoAccounts() });
await createDirectory(app.pipeline, makeRegion(), new Date());

// A second one on the same database, whose pages load a support widget: their headers allow its origin.
const withWidget = readConfig({
  PORT: String(await freePort()),
  MLLP_PORT: '0',
  TIDINGS_LOG_LEVEL: 'error',
  TIDINGS_ROLES: 'web',
  TIDINGS_SUPPORT_WIDGET_URL: WIDGET_URL,
});
const second = await startApp({ config: withWidget, urls, log: createLog(config.logLevel) });

const running: RunningServer = {
  url: config.publicUrl,
  mllpPort: app.mllp?.port ?? 0,
  pipelineUrl: urls.pipeline,
  urlWithWidget: withWidget.publicUrl,
};
process.stdout.write(`${JSON.stringify(running)}\n`);

process.stdin.resume();
process.stdin.on('end', () => {
  void Promise.all([app.stop(), second.stop()])
    .then(() => postgres.stop())
    .finally(() => process.exit());
});
