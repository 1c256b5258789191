/**
 * `node bench/facet-click.ts --url http://127.0.0.1:8080`: in a running demo, measures the time from a click on a filter's value to the
 * frame in which the roster shows the new rows and counts. Prints milliseconds.
 */
import { parseArgs } from 'node:util';
import { chromium } from '@playwright/test';
import { browserPath } from '../scripts/machine.mjs';
import { quantile } from './table.ts';

const { values } = parseArgs({ options: { url: { type: 'string', default: 'http://127.0.0.1:8080' } } });
const ROUNDS = 30;
const WARM = 4;
const USERNAME = 'rosa.lindgren@lakeshore.example';

/** Runs in the page: clicks a value's checkbox and resolves at the frame in which 'n of N' has changed. */
const CLICKED = `(index) => new Promise((resolve, reject) => {
  const count = () => /[\\d,]+ of [\\d,]+/.exec(document.querySelector('main').textContent)?.[0];
  const boxes = document.querySelectorAll('[aria-label="Filters"] input[type=checkbox]:not(:disabled)');
  const before = count();
  const start = performance.now();
  const observer = new MutationObserver(() => {
    if (count() === before) return;
    observer.disconnect();
    requestAnimationFrame(() => resolve(performance.now() - start));
  });
  observer.observe(document.body, { subtree: true, childList: true, characterData: true });
  setTimeout(() => reject(new Error('The count did not change')), 5000);
  boxes[index].click();
})`;

const browser = await chromium.launch({ executablePath: browserPath() });
try {
  const context = await browser.newContext({ baseURL: values.url, viewport: { width: 1440, height: 900 } });
  await context.request.post('/api/authenticate', {
    data: { username: USERNAME, password: 'tidings-demo' },
    headers: { origin: values.url },
  });
  const page = await context.newPage();
  await page.goto('/dashboard/patients/my-patients?showFilters=true');
  await page.getByRole('table', { name: 'Patients' }).getByRole('row').nth(1).waitFor();
  await page.getByRole('button', { name: /^Filter: / }).click();
  await page.getByRole('menuitemradio', { name: 'All Patients' }).click();
  await page.waitForTimeout(1000);
  const times: number[] = [];
  for (let n = 0; n < ROUNDS + WARM; n += 1) {
    // On and off in turns: every click changes the rows.
    const took = await page.evaluate<number>(`(${CLICKED})(${Math.floor(n / 2) % 4})`);
    if (n >= WARM) times.push(took);
    await page.waitForTimeout(400);
  }
  const [p50, p99] = [quantile(times, 0.5), quantile(times, 0.99)];
  console.log(
    `from a click on a value to its rows: p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms (${times.length} clicks)`,
  );
} finally {
  await browser.close();
}
