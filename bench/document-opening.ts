/**
 * `node bench/document-opening.ts`: measures the time from a click on a clinical document of one megabyte, in the list of a patient's
 * documents, to the frame that shows its text, and until its last section is there. Everything is on this machine. Prints milliseconds.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from '@playwright/test';
import { openSender } from '#demo/live-feed.ts';
import type { Queryable } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { mdm } from '#server/testing/documents.ts';
import type { TestPerson } from '#server/testing/hospital.ts';
import { largeDocument } from '#server/testing/large-document.ts';
import type { Person } from '../e2e/people.ts';
import { makeScene, type Scene, signInTo } from '../e2e/scene.ts';
import { DURABLE, runningServer } from '../e2e/start-server.ts';
import { note, saveRun } from './figures.ts';
import { quantile } from './table.ts';
import { withBrowser } from './with-browser.ts';

const BYTES = 1_000_000;
const ROUNDS = 12;
const TITLE = 'Summary of care';
/** Milliseconds from the click until the document was asked for, the answer began and was there, a frame had text, and one had the last section. */
type Opening = [asked: number, begun: number, answered: number, first: number, all: number];
/** In milliseconds. */
const PATIENCE = 60_000;

/** Runs in the page: from the next click, the milliseconds until a frame with the first section, and with the last one. */
const OPENING = `() => new Promise((resolve) => {
  document.addEventListener('click', () => {
    const start = performance.now();
    let first = null;
    const look = () => {
      const sections = document.querySelectorAll('article section[id^="section-"]');
      if (sections.length > 0) first ??= performance.now() - start;
      const outline = document.querySelectorAll('nav[aria-label="Sections"] a').length;
      if (sections.length === 0 || sections.length < outline) requestAnimationFrame(look);
      else requestAnimationFrame(() => {
        const call = performance.getEntriesByType('resource').filter(({ name }) => /[/]documents[/][0-9a-f-]{36}$/.test(name)).at(-1);
        resolve([call.startTime - start, call.responseStart - start, call.responseEnd - start, first, performance.now() - start]);
      });
    };
    requestAnimationFrame(look);
  }, { once: true, capture: true });
})`;

/** Sends a large document about a patient of the scene, and returns the patient's id once it is there. */
async function sendDocument(db: Queryable, { hospital, group, team }: Scene, person: Person): Promise<string> {
  await hospital.send('A01', person);
  const code = team.name.replace('Lakeside Team ', '');
  const about = { ...person, sex: person.sex.slice(0, 1), zip: person.zip } as TestPerson;
  const content = largeDocument(BYTES, about, { record: person.recordNumber });
  const parts = {
    facility: code,
    record: person.recordNumber,
    person: about,
    visit: `V${person.recordNumber}`,
    content,
  };
  const sender = await openSender('127.0.0.1', runningServer().mllpPort);
  await sender.send(Buffer.from(mdm('T02', parts).replace('TESTADT', `ODILE_${code}`)));
  sender.close();
  for (const until = Date.now() + PATIENCE; Date.now() < until; await sleep(200)) {
    const { rows } = await db.query<{ id: string }>(sql`
      select r.id || '_0' as id from documents d join roster_patients r on r.person_id = d.person_id where r.group_id = ${group.id}`);
    if (rows[0]) return rows[0].id;
  }
  throw new Error('The document did not arrive');
}

async function openOnce(page: Page, id: string): Promise<Opening> {
  await page.goto(`/dashboard/patients/${id}/attachments`);
  const link = page.getByRole('link', { name: TITLE });
  await link.waitFor();
  await sleep(500);
  const opened = page.evaluate<Opening>(`(${OPENING})()`);
  await link.click();
  return opened;
}

await withBrowser(async ({ db, request, browser }) => {
  const scene = await makeScene(db, request, 0);
  const id = await sendDocument(db, scene, scene.people[0] as Person);
  const context = await browser.newContext({ baseURL: runningServer().url, viewport: { width: 1440, height: 900 } });
  await signInTo(context.request, (await scene.user('clinician')).username);
  const page = await context.newPage();
  const times: Opening[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) times.push(await openOnce(page, id));
  for (const [name, at] of [
    ['document asked for', 0],
    ['answer begun', 1],
    ['answer received', 2],
    ['text on the screen', 3],
    ['last section there', 4],
  ] as const) {
    const measured = times.slice(1).map((each) => each[at]);
    const [p50, max] = [quantile(measured, 0.5), quantile(measured, 1)].map((time) => time.toFixed(0));
    if (at === 3)
      note({
        part: 'document',
        what: `${name}, longest of ${ROUNDS}`,
        value: Number(max),
        unit: 'ms',
        bar: { most: 300 },
      });
    console.log(`${name.padEnd(24)} p50 ${p50} ms  max ${max} ms (${ROUNDS} openings, ${BYTES / 1e6} MB)`);
  }
  if (process.argv.includes('--json')) saveRun();
  scene.close();
}, DURABLE);
