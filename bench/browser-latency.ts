/**
 * `node bench/browser-latency.ts`: measures the time from the last byte of a message at the MLLP listener until an open inbox shows it,
 * with everything on this machine and a database that waits for the disk. Prints milliseconds.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from '@playwright/test';
import type { Person } from '../e2e/people.ts';
import { makeScene, type Scene, signInTo } from '../e2e/scene.ts';
import { DURABLE, runningServer } from '../e2e/start-server.ts';
import { withBrowser } from './with-browser.ts';

const SAMPLES = 30;
const WARM_UP = 3;

/** One less than the rows on a page of the inbox. */
const ON_PAGE = 19;

/** Runs in the page: resolves when the page shows the text that many times, with the time of that frame in epoch milliseconds. */
const SEEN = `([text, times]) => new Promise((resolve) => {
  const check = () => {
    const count = document.querySelector('main').textContent.split(text).length - 1;
    if (count < times) return false;
    requestAnimationFrame(() => resolve(performance.timeOrigin + performance.now()));
    return true;
  };
  if (check()) return;
  const observer = new MutationObserver(() => check() && observer.disconnect());
  observer.observe(document.body, { subtree: true, childList: true, characterData: true });
})`;

const epoch = (): number => performance.timeOrigin + performance.now();

/** Returns the milliseconds from the call of `send`, which writes the whole message at once, until the page shows the text `times` times. */
async function timeUntil(page: Page, [text, times]: [string, number], send: () => Promise<unknown>): Promise<number> {
  const seen = page.evaluate<number>(`(${SEEN})(${JSON.stringify([text, times])})`);
  await sleep(150 + Math.random() * 100);
  const sent = epoch();
  await send();
  return (await seen) - sent;
}

function report(name: string, times: number[]): void {
  const sorted = times.slice(WARM_UP).sort((a, b) => a - b);
  const at = (share: number) => (sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN).toFixed(0).padStart(5);
  console.log(`${name.padEnd(48)} p50 ${at(0.5)}  p99 ${at(0.99)}  max ${at(1)} ms (${sorted.length} messages)`);
}

async function measure(page: Page, { hospital }: Scene, people: readonly Person[]): Promise<void> {
  const arrivals: number[] = [];
  for (const [index, person] of people.entries()) {
    const words = index === 0 ? '1 new ping — show' : `${index + 1} new pings — show`;
    arrivals.push(await timeUntil(page, [words, 1], () => hospital.send('A01', person)));
  }
  report('a new ping: the bar above the list', arrivals);
  await page.getByRole('button', { name: /new pings — show/ }).click();
  await page.getByRole('list', { name: 'Pings' }).getByRole('link').nth(1).waitFor();

  const changes: number[] = [];
  // The newest, which are on the first page.
  for (const [index, person] of people.toReversed().slice(0, ON_PAGE).entries()) {
    changes.push(await timeUntil(page, ['Canceled', index + 1], () => hospital.send('A11', person)));
  }
  report('a retraction: the row is struck through', changes);
}

await withBrowser(async ({ db, request, browser }) => {
  const scene = await makeScene(db, request, 0);
  const people = Array.from({ length: SAMPLES + WARM_UP }, scene.stranger);
  await scene.list([...scene.people, ...people]);
  const context = await browser.newContext({ baseURL: runningServer().url, viewport: { width: 1440, height: 900 } });
  await signInTo(context.request, (await scene.user('care coordinator')).username);
  const page = await context.newPage();
  await page.goto('/dashboard/home/inbox');
  await page.getByRole('button', { name: /^Live · / }).waitFor();
  await scene.hospital.send('A01', scene.people[0] as Person, { at: new Date(Date.now() - 86_400_000) });
  await page.getByRole('list', { name: 'Pings' }).getByRole('link').waitFor();
  await measure(page, scene, people);
  scene.close();
}, DURABLE);
