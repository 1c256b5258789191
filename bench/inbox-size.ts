/**
 * `node bench/inbox-size.ts --pings 20000`: measures what a user does in an inbox with that many open pings, beside one with 80 in the same run: from
 * the key or click until the frame that shows its result. Everything is on this machine. Prints milliseconds.
 */
import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Browser, BrowserContext, Page } from '@playwright/test';
import { TEAM_HEADER } from '#contract/constants.ts';
import { connectHospital } from '../e2e/hospital.ts';
import { type Person, personOf } from '../e2e/people.ts';
import { makeScene, type Scene, signInTo } from '../e2e/scene.ts';
import { runningServer } from '../e2e/start-server.ts';
import { note, saveRun } from './figures.ts';
import { quantile, table } from './table.ts';
import { withBrowser } from './with-browser.ts';

const { values } = parseArgs({
  options: {
    pings: { type: 'string', default: '20000' },
    rounds: { type: 'string', default: '20' },
    /** Minutes after which it measures with the pings that are there, and says how many. */
    within: { type: 'string', default: '30' },
    json: { type: 'boolean', default: false },
  },
});
const MANY = Number(values.pings);
const FEW = 80;
const ROUNDS = Number(values.rounds);
const WARM_UP = 3;
/** Connections that fill the large inbox. */
const ENGINES = 8;
/** Milliseconds that a page may take: the server may still be busy with what filled the inbox. */
const PATIENCE = 120_000;
/** Milliseconds between two rounds, so that background work of one doesn't count for the next. */
const PAUSE = 300;

/** Returns the person of a number. Names are random letters, so that matching compares few people: it isn't what is measured. */
const person = (number: number): Person => {
  const letters = hash('sha256', String(number)).replace(/[0-9]/g, (digit) => 'ghklmnprst'[Number(digit)] ?? 'z');
  return {
    ...personOf(number % 10_000),
    family: `Q${letters.slice(0, 9)}`,
    given: `D${letters.slice(9, 16)}`,
    memberId: `MB${200_000 + number}`,
    recordNumber: `R${700_000 + number}`,
    street: `${number} Harbor Lane`,
    phone: `585-${500 + Math.floor(number / 10_000)}-${String(number % 10_000).padStart(4, '0')}`,
  };
};

const ROWS = `document.querySelectorAll('[aria-label="Pings"] a[id^="ping-"]')`;
/** Whether the open ping is that of the row: its heading has the row's name. */
const IS_OPEN = `(row) => {
  const name = row.getAttribute('aria-label').replace(/^Unread[.] /, '').split(', born')[0].toLowerCase();
  return document.querySelector('[aria-label="Open ping"] h2')?.textContent.toLowerCase() === name;
}`;
const COUNT = `/[\\d,]+ of [\\d,]+/.exec(document.querySelector('[aria-label="Pings"]')?.closest('[data-scroller="pane"]')?.textContent ?? '')?.[0]`;

/** Runs in the page: the milliseconds from the next event of the type until a frame in which `done()` is true. `ready` prepares `done`. */
const timed = ({ name, type, ready, done }: Interaction): string => `new Promise((resolve, reject) => {
  ${ready};
  document.addEventListener('${type}', ({ timeStamp }) => {
    const look = () => (${done}) ? requestAnimationFrame((now) => resolve(now - timeStamp)) : requestAnimationFrame(look);
    requestAnimationFrame(look);
  }, { once: true, capture: true });
  setTimeout(() => reject(new Error('No result: ${name}')), 20_000);
})`;

/** What is measured: what prepares it, the event, and what the page shows afterwards. */
interface Interaction {
  name: string;
  prepare?: (page: Page, round: number) => Promise<void>;
  type: 'keydown' | 'click';
  ready: string;
  done: string;
  act: (page: Page, round: number) => Promise<void>;
}

const row = (page: Page, index: number) => page.getByRole('list', { name: 'Pings' }).getByRole('link').nth(index);
/** Closes the open ping: a click on its row would only move the focus. */
const closed = async (page: Page): Promise<void> => {
  if (new URL(page.url()).searchParams.has('sel')) await page.keyboard.press('Escape');
  await page.getByText('No ping selected.').waitFor();
};
const pager = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Pagination' }).getByRole('button', { name, exact: true });

const INTERACTIONS: Interaction[] = [
  {
    name: 'open a row',
    type: 'click',
    ready: `const isOpen = ${IS_OPEN}; let row; document.addEventListener('click', ({ target }) => { row = target.closest('a'); }, { once: true, capture: true })`,
    done: 'isOpen(row)',
    act: (page, round) => row(page, 2 + (round % 5)).click(),
  },
  {
    name: 'J',
    type: 'keydown',
    prepare: async (page, round) => {
      await closed(page);
      await row(page, 1 + (round % 5)).click();
    },
    ready: `const isOpen = ${IS_OPEN}; const before = document.activeElement`,
    done: 'document.activeElement !== before && isOpen(document.activeElement)',
    act: (page) => page.keyboard.press('j'),
  },
  {
    name: 'resolve',
    type: 'keydown',
    prepare: async (page) => {
      await closed(page);
      // A page is filled again when it is empty: not in between, so that nothing moves.
      if ((await row(page, 2).count()) === 0) await page.getByRole('button', { name: /^Refresh/ }).click();
      await row(page, 2).waitFor();
      await row(page, 1).click();
      await page.keyboard.press('e');
      await page.getByRole('form').getByLabel('No action needed').focus();
      await page.keyboard.press('Space');
    },
    ready: `const id = new URLSearchParams(location.search).get('sel'); const isOpen = ${IS_OPEN}`,
    done: `!document.getElementById('ping-' + id) && document.activeElement.matches('a[id^="ping-"]') && isOpen(document.activeElement)`,
    act: (page) => page.keyboard.press('Enter'),
  },
  {
    name: 'turn the page',
    type: 'click',
    ready: `const first = ${ROWS}[0].id`,
    done: `${ROWS}[0] && ${ROWS}[0].id !== first`,
    act: (page, round) => pager(page, round % 2 === 0 ? 'Next' : 'Previous').click(),
  },
  {
    name: 'filter',
    type: 'click',
    prepare: async (page) => {
      if (!new URL(page.url()).searchParams.has('showFilters'))
        await page.getByRole('button', { name: /^Filters/ }).click();
      await page.locator('[aria-label="Filters"] input[type=checkbox]').first().waitFor();
      await page.evaluate(OPEN_GENDER);
      await sleep(PAUSE);
    },
    ready: `const before = ${COUNT}`,
    done: `${COUNT} !== before`,
    act: (page) =>
      page
        .locator('[aria-label="Filters"]')
        .getByLabel(/^Female/)
        .click(),
  },
];
/** Opens the group of values for the gender, if it is closed. */
const OPEN_GENDER = `[...document.querySelectorAll('[aria-label="Filters"] button[aria-expanded="false"]')].find(({ textContent }) => textContent.startsWith('Gender'))?.click()`;

async function measure(page: Page, of: Interaction, round: number): Promise<number> {
  await of.prepare?.(page, round);
  await sleep(PAUSE);
  // The page listens before the key is pressed.
  await page.evaluate(`window.benchTime = ${timed(of)}; 0`);
  await of.act(page, round);
  return page.evaluate<number>('window.benchTime');
}

/** Lists people and sends an admission of each, the latest first in the inbox. */
async function fill(scene: Scene, people: readonly Person[]): Promise<void> {
  await scene.list(people);
  const now = Date.now();
  const { name, groupId } = scene.hospital;
  const of = { name, groupId, application: `ODILE_${scene.team.name.replace('Lakeside Team ', '')}` };
  const identifier = of.application.replace('ODILE_', '');
  let next = 0;
  await Promise.all(
    Array.from({ length: ENGINES }, async () => {
      const engine = await connectHospital({ ...of, identifier });
      for (let at = next++; at < people.length; at = next++)
        await engine.send('A01', people[at] as Person, { at: new Date(now - 60_000 - at * 3000) });
      engine.close();
    }),
  );
}

/** Signs in as a user of the scene, and waits until their inbox has that many open pings. Returns how many it has, too. */
async function waitFor(browser: Browser, scene: Scene, pings: number) {
  const context = await browser.newContext({ baseURL: runningServer().url, viewport: { width: 1440, height: 900 } });
  await signInTo(context.request, (await scene.user('care coordinator')).username);
  const headers = { [TEAM_HEADER]: scene.team.id };
  const count = async () =>
    ((await (await context.request.get('/api/pings/count/open', { headers })).json()) as { count: number }).count;
  const end = Date.now() + Number(values.within) * 60_000;
  let open = await count();
  while (open < pings && Date.now() < end) {
    await sleep(5000);
    open = await count();
    process.stderr.write(`${open} open pings\n`);
  }
  return { context, open };
}

async function openInbox(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  await page.goto('/dashboard/home/inbox');
  await row(page, 6).waitFor();
  return page;
}

await withBrowser(async ({ db, request, browser }) => {
  const few = await makeScene(db, request, 0);
  await fill(
    few,
    Array.from({ length: FEW }, (_, index) => person(90_000 + index)),
  );
  const many = await makeScene(db, request, 1);
  await fill(
    many,
    Array.from({ length: MANY }, (_, index) => person(index)),
  );
  const inboxes = [await waitFor(browser, few, FEW), await waitFor(browser, many, MANY)] as const;
  const pages = [await openInbox(inboxes[0].context), await openInbox(inboxes[1].context)] as const;
  const [small, large] = inboxes.map(({ open }) => open.toLocaleString('en-US'));
  const lines: string[][] = [];
  for (const interaction of INTERACTIONS) {
    const times: [number[], number[]] = [[], []];
    for (let round = 0; round < ROUNDS + WARM_UP; round += 1)
      for (const which of [0, 1] as const) {
        const time = await measure(pages[which], interaction, round);
        if (round >= WARM_UP) times[which].push(time);
      }
    const [few, many] = times.map((each) => [quantile(each, 0.5), quantile(each, 0.95)]) as [number[], number[]];
    const value = many[1] ?? Number.NaN;
    note({
      part: 'inbox',
      what: `${interaction.name}, p95 with ${large} pings`,
      value,
      unit: 'ms',
      bar: { most: 100 },
    });
    const peer = { what: `with ${small}`, value: few[0] ?? Number.NaN };
    note({
      part: 'inbox',
      what: `${interaction.name}, p50 with ${large} pings`,
      value: many[0] ?? Number.NaN,
      unit: 'ms',
      peer,
    });
    lines.push([
      interaction.name,
      ...[...few, ...many].map((time) => time.toFixed(0)),
      ((many[0] ?? 0) / (few[0] ?? 1)).toFixed(2),
    ]);
  }
  table(
    `An inbox with ${large} open pings beside one with ${small} (${ROUNDS} rounds, ms)`,
    ['', `p50 of ${small}`, 'p95', `p50 of ${large}`, 'p95', 'times'],
    lines,
  );
  if (values.json) saveRun();
  few.close();
  many.close();
});
