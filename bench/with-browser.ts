import { type APIRequestContext, type Browser, chromium, request as http } from '@playwright/test';
import { type Database, openDatabase } from '#server/platform/database/pool.ts';
import { runningServer, startServer } from '../e2e/start-server.ts';
import { browserPath } from '../scripts/machine.mjs';

interface Running {
  /** Connected as the pipeline role. */
  db: Database;
  /** Calls without a session. */
  request: APIRequestContext;
  browser: Browser;
}

/** Starts a server and a browser, runs `measure`, and stops both, also if it fails. */
export async function withBrowser(
  measure: (running: Running) => Promise<void>,
  ...serverArguments: Parameters<typeof startServer>
): Promise<void> {
  const stop = await startServer(...serverArguments);
  const db = openDatabase(runningServer().pipelineUrl, { max: 3, applicationName: 'bench' });
  const request = await http.newContext({ baseURL: runningServer().url });
  const browser = await chromium.launch({ executablePath: browserPath() });
  try {
    await measure({ db, request, browser });
  } finally {
    await browser.close();
    await request.dispose();
    await db.close();
    await stop();
  }
}
