/**
 * `node bench/story-opening.ts --people 100000`: measures the time from a click on a link to a patient with 250 visits and 40 diagnoses each until the frame
 * that shows the first visits, and until the page has loaded all that it shows at once, in a region of that many people. Beside it an ordinary patient's
 * page in the same run. Everything is on this machine. Prints milliseconds.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Page } from '@playwright/test';
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { signInTo } from '../e2e/scene.ts';
import { DURABLE, runningServer } from '../e2e/start-server.ts';
import { note, saveRun } from './figures.ts';
import { fill, PASSWORD, USERNAMES } from './http/region.ts';
import { quantile, table } from './table.ts';
import { withBrowser } from './with-browser.ts';

const { values } = parseArgs({
  options: {
    people: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '40' },
    json: { type: 'boolean', default: false },
  },
});
const PEOPLE = Number(values.people);
const ROUNDS = Number(values.rounds);
const WARM_UP = 3;
/** In milliseconds. */
const PAUSE = 6000;
const PATIENCE = 120_000;

/** Milliseconds until a frame had the patient's name, one had visits, and one had everything that the page shows at once. */
type Opening = [banner: number, visits: number, all: number];

/** Runs in the page: goes to a path as a link does. */
const OPENING = `(path) => new Promise((resolve, reject) => {
  const start = performance.now();
  let banner, visits;
  const look = (now) => {
    const at = Math.max(now, performance.now()) - start;
    if (document.querySelector('header[class*=banner] h1')) banner ??= at;
    if (document.querySelector('section[aria-labelledby="story-visits"] li, section[aria-label^="20"] li')) visits ??= at;
    if (visits !== undefined && document.querySelector('[aria-labelledby="story-diagnoses"] li')) resolve([banner, visits, at]);
    else requestAnimationFrame(look);
  };
  history.pushState({}, '', path);
  dispatchEvent(new PopStateEvent('popstate'));
  requestAnimationFrame(look);
  setTimeout(() => reject(new Error('The page did not open')), 20_000);
})`;

/** Loads the inbox anew, so that nothing of the patient is known, and opens the patient from there. */
async function openOnce(page: Page, id: string): Promise<Opening> {
  await page.goto('/dashboard/home/inbox');
  await page.getByRole('list', { name: 'Pings' }).getByRole('link').first().waitFor();
  // Pages load their later parts in spare time.
  await sleep(PAUSE);
  return page.evaluate<Opening>(`(${OPENING})('/dashboard/patients/${id}')`);
}

/** Waits until PostgreSQL has analyzed the tables by itself, as it has in a database that is in use. */
async function untilAnalyzed(db: Queryable): Promise<void> {
  const tables = ['encounters', 'events', 'pings', 'persons', 'roster_patients', 'source_patients'];
  for (const until = Date.now() + 2 * PATIENCE; Date.now() < until; await sleep(2000)) {
    const { rows } = await db.query<{ count: number }>(sql`
      select count(*)::int as count from pg_stat_user_tables
      where schemaname = 'tidings' and relname = any(${tables}::text[]) and coalesce(last_analyze, last_autoanalyze) is not null`);
    if (rows[0]?.count === tables.length) return;
  }
  throw new Error('The tables were not analyzed');
}

await withBrowser(async ({ db, browser }) => {
  const { stories } = await fill(db, PEOPLE);
  await untilAnalyzed(db);
  const context = await browser.newContext({ baseURL: runningServer().url, viewport: { width: 1440, height: 900 } });
  await signInTo(context.request, USERNAMES[0] ?? '', PASSWORD);
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  const times: Record<keyof typeof stories, Opening[]> = { longest: [], ordinary: [] };
  for (let round = 0; round < ROUNDS + WARM_UP; round += 1)
    for (const which of ['longest', 'ordinary'] as const) times[which].push(await openOnce(page, stories[which]));
  const lines = (['longest', 'ordinary'] as const).flatMap((which) =>
    (['the name', 'visits', 'visits and diagnoses'] as const).map((what, at) => {
      const measured = times[which].slice(WARM_UP).map((each) => each[at] ?? Number.NaN);
      const [p50, p95, max] = [0.5, 0.95, 1].map((share) => quantile(measured, share).toFixed(0));
      const patient = which === 'longest' ? '250 visits' : 'an ordinary story';
      const figure = { part: 'story', unit: 'ms' };
      const isAll = what === 'visits and diagnoses';
      note({ ...figure, what: `${patient}, until ${what}, p50`, value: Number(p50) });
      note({
        ...figure,
        what: `${patient}, until ${what}, p95`,
        value: Number(p95),
        ...(isAll && { bar: { most: 300 } }),
      });
      return [patient, what, p50 ?? '', p95 ?? '', max ?? ''];
    }),
  );
  table(`A patient's page, ${PEOPLE} people, ${ROUNDS} openings, ms`, ['patient', 'until', 'p50', 'p95', 'max'], lines);
  if (values.json) saveRun();
}, DURABLE);
