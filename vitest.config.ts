import { defineConfig } from 'vitest/config';

/**
 * `*.test.ts` beside the code is pure and runs anywhere; `*.db.test.ts` talks to a real PostgreSQL;
 * `web/**` runs in a simulated DOM.
 */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{contract,server,demo,scripts,bench}/**/*.test.ts'],
          exclude: ['**/*.db.test.ts'],
          environment: 'node',
          // Nothing is timed: a busy machine may take its time.
          testTimeout: 30_000,
          // Pure: no file leaves anything that another would meet.
          isolate: false,
          maxWorkers: 2,
        },
      },
      {
        test: {
          name: 'integration',
          // The summary of a run has the first lines of an error only: what differs has to be in the first.
          chaiConfig: { truncateThreshold: 600 },
          include: ['{server,demo}/**/*.db.test.ts'],
          environment: 'node',
          globalSetup: ['server/testing/global-setup.ts'],
          // Each file has a database of its own; loading the server again for each took a third of the time.
          isolate: false,
          testTimeout: 60_000,
          hookTimeout: 60_000,
          // What only passes when it is tried again is named as flaky by `npm test`. A property that failed has met a case: never again.
          retry: { count: 1, condition: /^(?!Property failed)/ },
          // One more than cores: some files wait for most of their time, for a silent mail server or the end of a process.
          maxWorkers: 3,
        },
      },
      {
        test: {
          name: 'web',
          include: ['web/**/*.test.{ts,tsx}'],
          environment: 'happy-dom',
          setupFiles: ['web/testing/no-network.ts', 'web/testing/fail-on-console.ts'],
          testTimeout: 30_000,
          // Each file has a worker of its own, and a thread starts sooner than a process.
          pool: 'threads',
          maxWorkers: 2,
        },
      },
    ],
  },
});
