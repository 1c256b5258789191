/**
 * A process of its own that runs the embedded database of a folder, for tests that kill it: prints one line of JSON once
 * the database is ready, and ends in order on SIGINT.
 */
import { startEmbedded } from '#server/platform/database/embedded.ts';

const dataDir = process.argv[2] ?? '';
const quiet = { info: () => {}, warn: () => {}, error: () => {} };
try {
  const server = await startEmbedded({ dataDir, log: quiet });
  process.on('SIGINT', () => void server.stop().then(() => process.exit(0)));
  process.stdout.write(`${JSON.stringify({ adminUrl: server.adminUrl, postmaster: server.pid() })}\n`);
  // Another process has the listening to do; this one only has to stay.
  setInterval(() => {}, 60_000);
} catch (error) {
  process.stdout.write(`${JSON.stringify({ error: (error as Error).message })}\n`);
}
