/**
 * The server of the journeys, in a process of its own: the real composition on free ports, with an embedded PostgreSQL in a temporary
 * folder and the demo region's organizations, teams and users, but not its past. When it is ready it prints its addresses as one line of
 * JSON. It exits when its standard input closes, so that it never outlives its parent.
 */
import { createDirectory } from '#demo/directory.ts';
import { demoAccounts } from '#demo/start.ts';
import { makeRegion } from '#demo/world/region.ts';
import { startApp } from '#server/app.ts';
import { readConfig } from '#server/config.ts';
import { freePort } from '#server/platform/database/embedded/postmaster.ts';
import { migrate } from '#server/platform/database/migrate.ts';
import { ensureRoles } from '#server/platform/database/roles.ts';
import { createLog } from '#server/platform/http/log.ts';
import { startTemporaryPostgres } from '#server/testing/temporary-postgres.ts';
import { DURABLE, type RunningServer, WIDGET_INTEGRITY, WIDGET_URL } from './start-server.ts';

const postgres = await startTemporaryPostgres(undefined, process.argv.includes(DURABLE) ? {} : undefined);
const urls = await ensureRoles(postgres.adminUrl, 'tidings');
await migrate(urls.owner);
const log = createLog('error');
const configOf = async (env: Record<string, string>) =>
  readConfig({
    PORT: String(await freePort()),
    MLLP_PORT: '0',
    TIDINGS_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    // The identity providers and EHRs of the journeys run on this machine.
    TIDINGS_ALLOWED_NETWORKS: '127.0.0.0/8',
    TIDINGS_SUPPORT_LINK: 'https://help.odile.example',
    // Journeys answer for it.
    TIDINGS_EMBED_HOSTS: 'tableau.example',
    ...env,
  });
const config = await configOf({});
const app = await startApp({ config, urls, log, demoAccounts: demoAccounts() });
await createDirectory(app.pipeline, makeRegion(), new Date());

/** Starts another web server on the same database, with other settings. */
const startVariant = async (env: Record<string, string>) =>
  startApp({ config: await configOf({ ...env, TIDINGS_ROLES: 'web' }), urls, log });
const neutral = await startVariant({ TIDINGS_NEUTRAL_ANSWERS: 'on' });
const mailless = await startVariant({ TIDINGS_DEMO: 'off' });
// Its pages load a support widget, so their headers must allow the widget's origin.
const withWidget = await startVariant({
  TIDINGS_SUPPORT_WIDGET_URL: WIDGET_URL,
  TIDINGS_SUPPORT_WIDGET_INTEGRITY: WIDGET_INTEGRITY,
});

const running: RunningServer = {
  url: config.publicUrl,
  neutralUrl: neutral.url ?? '',
  maillessUrl: mailless.url ?? '',
  urlWithWidget: withWidget.url ?? '',
  mllpPort: app.mllp?.port ?? 0,
  pipelineUrl: urls.pipeline,
};
process.stdout.write(`${JSON.stringify(running)}\n`);

process.stdin.resume();
process.stdin.on('end', () => {
  void Promise.all([neutral, mailless, withWidget].map((variant) => variant.stop()))
    .then(() => app.stop())
    .then(() => postgres.stop())
    .finally(() => process.exit());
});
