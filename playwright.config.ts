import { defineConfig } from '@playwright/test';
import { browserPath } from './scripts/machine.mjs';

/** The users' journeys: a real server with its database, a real browser. `TIDINGS_CHROMIUM` names another Chromium. */
export default defineConfig({
  testDir: 'e2e',
  globalSetup: './e2e/start-server.ts',
  fullyParallel: true,
  workers: 2,
  timeout: 120_000,
  // What only passes when it is tried again is reported as flaky, by name and in the count of `npm test`.
  retries: 1,
  // Nothing is timed: a busy machine may take its time, what never comes fails all the same.
  expect: { timeout: 20_000 },
  forbidOnly: process.env['CI'] !== undefined,
  reporter: 'list',
  use: {
    actionTimeout: 20_000,
    launchOptions: { executablePath: browserPath() },
    viewport: { width: 1440, height: 900 },
    locale: 'en-US',
    timezoneId: 'America/New_York',
    reducedMotion: 'reduce',
    trace: 'on-first-retry',
  },
});
