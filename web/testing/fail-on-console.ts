/**
 * Fails a web test that leaves a message on the console: React and the libraries report mistakes there, where nobody would see them.
 * A set-up file of the web tests (vitest.config.ts).
 */
import { afterAll, afterEach, expect } from 'vitest';

let messages: string[] = [];
let expected: RegExp[] = [];

for (const level of ['error', 'warn'] as const)
  console[level] = (...args: unknown[]): void => {
    messages.push(`${level}: ${args.map(String).join(' ')}`);
  };

/** States a message that the test causes. It fails if none matches. */
export const expectConsole = (pattern: RegExp): void => {
  expected.push(pattern);
};

const check = (): void => {
  const unexpected = messages.filter((message) => !expected.some((pattern) => pattern.test(message)));
  const missing = expected.filter((pattern) => !messages.some((message) => pattern.test(message)));
  messages = [];
  expected = [];
  expect(unexpected, 'Messages on the console that the test did not state with expectConsole').toEqual([]);
  expect(missing, 'Messages that the test stated and that did not appear on the console').toEqual([]);
};

afterEach(check);
// For what comes after the last test.
afterAll(check);
