/**
 * Web tests have no network: a test answers its own calls (`serve`, `stubApi`), and calls that are still under way when it ends must
 * go nowhere. A set-up file of the web tests (vitest.config.ts).
 */
globalThis.fetch = (input) =>
  Promise.reject(new TypeError(`No answer in this test: ${input instanceof Request ? input.url : input.toString()}`));
