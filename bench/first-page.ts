/**
 * `node bench/first-page.ts`: opens the inbox in a browser that has nothing yet, with a processor four times slower and Chrome's "Fast 4G",
 * and measures its largest paint and then what a user does first: opens a row, moves on to the next one, closes it. Everything is on this
 * machine. Prints milliseconds.
 */
import type { Browser, Page } from '@playwright/test';
import { makeScene, signInTo } from '../e2e/scene.ts';
import { runningServer } from '../e2e/start-server.ts';
import { note, saveRun } from './figures.ts';
import { quantile } from './table.ts';
import { withBrowser } from './with-browser.ts';

const ROUNDS = 9;
const SLOWER = 4;
/** As the developer tools of Chrome have it: 9 and 1.5 Mbit/s and 60 ms, with what their way of delaying requests leaves out. */
const FAST_4G = {
  offline: false,
  downloadThroughput: (9_000_000 / 8) * 0.9,
  uploadThroughput: (1_500_000 / 8) * 0.9,
  latency: 60 * 2.75,
};

/** Runs in the page before its own scripts: keeps the time of the largest paint, and the duration of the longest interaction. */
const OBSERVED = `
  window.observed = { paint: 0, interaction: 0 };
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) window.observed.paint = entry.startTime;
  }).observe({ type: 'largest-contentful-paint', buffered: true });
  new PerformanceObserver((list) => {
    for (const { interactionId, duration } of list.getEntries())
      if (interactionId) window.observed.interaction = Math.max(window.observed.interaction, duration);
  }).observe({ type: 'event', durationThreshold: 16, buffered: true });
`;
type Observed = { paint: number; interaction: number };

const observed = (page: Page): Promise<Observed> => page.evaluate<Observed>('window.observed');

/** Opens the inbox once, in a browser without a cache. */
async function openOnce(browser: Browser, username: string): Promise<Observed> {
  const context = await browser.newContext({ baseURL: runningServer().url, viewport: { width: 1440, height: 900 } });
  await signInTo(context.request, username);
  const page = await context.newPage();
  await page.addInitScript(OBSERVED);
  const tools = await context.newCDPSession(page);
  await tools.send('Network.enable');
  await tools.send('Network.emulateNetworkConditions', FAST_4G);
  await tools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  await page.goto('/dashboard/home/inbox');
  const row = page.getByRole('list', { name: 'Pings' }).getByRole('link').first();
  await row.waitFor();
  await page.getByRole('button', { name: /^Live · / }).waitFor();
  // The first interaction ends the search for the largest paint.
  const { paint } = await observed(page);
  await row.click();
  await page.getByLabel('Open ping').getByRole('heading', { level: 2 }).waitFor();
  for (const key of ['j', 'Escape']) await page.keyboard.press(key);
  await page.getByText('No ping selected.').waitFor();
  const { interaction } = await observed(page);
  await context.close();
  return { paint, interaction };
}

await withBrowser(async ({ db, request, browser }) => {
  const scene = await makeScene(db, request, 0);
  for (const person of scene.people.slice(0, 2)) await scene.hospital.send('A01', person);
  const { username } = await scene.user('care coordinator');
  const times: Observed[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) times.push(await openOnce(browser, username));
  for (const [what, name, most] of [
    ['largest paint', 'paint', 1200],
    ['longest interaction right after', 'interaction', 100],
  ] as const) {
    const measured = times.slice(1).map((each) => each[name]);
    const [p50, max] = [quantile(measured, 0.5), quantile(measured, 1)];
    note({ part: 'first page', what: `${what}, p50`, value: p50, unit: 'ms', bar: { most } });
    console.log(`${what.padEnd(32)} p50 ${p50.toFixed(0)} ms  max ${max.toFixed(0)} ms (${ROUNDS} openings)`);
  }
  if (process.argv.includes('--json')) saveRun();
  scene.close();
});
