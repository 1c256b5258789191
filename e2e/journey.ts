/* oxlint-disable no-empty-pattern -- Playwright reads from the pattern what a fixture needs. */
/** The fixtures of every journey: the server's address, a scene of its own, pages of signed-in users, and a check for browser errors. */
import { type BrowserContext, test as base, expect, type Page } from '@playwright/test';
import { type Database, openDatabase } from '#server/platform/database/pool.ts';
import { Sql } from '#server/platform/database/sql.ts';
import { makeScene, type Scene, type SceneUser, signInTo } from './scene.ts';
import { runningServer } from './start-server.ts';

export { expect };

/** Errors that browsers report during a test. Each one fails the test unless the test expects it. */
interface Complaints {
  watch: (context: BrowserContext) => void;
  /** Allows errors that the test itself causes. */
  expect: (pattern: RegExp) => void;
}

interface Fixtures {
  complaints: Complaints;
  scene: Scene;
  /** Opens a path (by default the inbox) in a separate browser context, signed in as the user. */
  open: (user: SceneUser, path?: string) => Promise<Page>;
}

/** The page asks whether someone is signed in, and when a session ends, calls may be on their way: the browser logs the 401. */
const ALWAYS_ALLOWED = /status of 401 .*\/api\//;

/** How many times slower the browser's pages are. Journeys that pass only on a fast computer are found with it. */
const SLOWDOWN = Number(process.env['TIDINGS_SLOWDOWN'] ?? 1);

export const test = base.extend<Fixtures, { db: Database }>({
  baseURL: async ({}, use) => use(runningServer().url),

  db: [
    async ({}, use) => {
      const db = openDatabase(runningServer().pipelineUrl, { max: 3, applicationName: 'journeys' });
      await use(db);
      await db.close();
    },
    { scope: 'worker' },
  ],

  complaints: [
    async ({}, use) => {
      const heard: string[] = [];
      const allowed = [ALWAYS_ALLOWED];
      await use({
        watch: (context) => {
          context.on('weberror', (error) => heard.push(String(error.error())));
          context.on('console', (message) => {
            if (message.type() === 'error') heard.push(`${message.text()} ${message.location().url}`);
          });
        },
        expect: (pattern) => allowed.push(pattern),
      });
      const unexpected = heard.filter((complaint) => !allowed.some((pattern) => pattern.test(complaint)));
      // The summary of a run has the first lines of an error only.
      expect(unexpected, unexpected.join('; ')).toEqual([]);
    },
    { auto: true },
  ],

  context: async ({ context, complaints }, use) => {
    complaints.watch(context);
    await use(context);
  },

  scene: async ({ db, playwright, baseURL }, use, { workerIndex }) => {
    const request = await playwright.request.newContext({ baseURL });
    const scene = await makeScene(db, request, workerIndex);
    await use(scene);
    scene.close();
    await request.dispose();
  },

  open: async ({ browser, complaints }, use) => {
    const contexts: BrowserContext[] = [];
    await use(async ({ username }, path = '/dashboard/home/inbox') => {
      const context = await browser.newContext();
      contexts.push(context);
      complaints.watch(context);
      await signInTo(context.request, username);
      const page = await context.newPage();
      if (SLOWDOWN > 1) {
        const session = await context.newCDPSession(page);
        await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
      }
      await page.goto(path);
      // The first page of a browser can be slow on a busy machine.
      await expect(page.getByRole('navigation', { name: 'Pages', exact: true })).toBeVisible({ timeout: 15_000 });
      return page;
    });
    await Promise.all(contexts.map((context) => context.close()));
  },
});

/** Approves the domains of an organization's connections, as an operator does. */
export const approveDomains = async (db: Database, organizationId: string): Promise<void> => {
  await db.query(
    new Sql(
      ["update email_domains set verified_at = now(), verified_by = 'OPERATOR' where organization_id = ", ''],
      [organizationId],
    ),
  );
};

/** Enables the organization's connections as if their sign-in had been tested. */
export const enableConnections = async (db: Database, organizationId: string): Promise<void> => {
  await db.query(
    new Sql(
      ['update sso_connections set tested_at = now(), is_enabled = true where organization_id = ', ''],
      [organizationId],
    ),
  );
};

/** Waits until the page receives live updates. */
export async function untilLive(page: Page): Promise<void> {
  await expect(page.getByRole('button', { name: /^Live · / })).toBeVisible();
}

/** Signs in with the form: the username first, then the password. */
export async function signIn(page: Page, username: string, password: string): Promise<void> {
  await page.getByLabel('Username').fill(username);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}
