/**
 * A script that runs the embedded database of a folder, for tests that kill its process. It prints one line of JSON once the
 * database is ready, and shuts down cleanly on SIGINT.
 */
import { startEmbedded } from '#server/platform/database/embedded.ts';

const dataDir = process.argv[2] ?? '';
const quiet = { info: () => {}, warn: () => {}, error: () => {} };
try {
  const server = await startEmbedded({ dataDir, log: quiet });
  process.on('SIGINT', () => void server.stop().then(() => process.exit(0)));
  process.stdout.write(`${JSON.stringify({ adminUrl: server.adminUrl, postmaster: server.pid() })}\n`);
  // Keeps the process alive; the database runs in a process of its own.
  setInterval(() => {}, 60_000);
} catch (error) {
  process.stdout.write(`${JSON.stringify({ error: (error as Error).message })}\n`);
}
