/**
 * Measures whether the server process grows: the complete server under mixed load, hospitals that send, coordinators who read and resolve, and a roster every
 * few minutes. Its resident memory at the end is compared with what it had once everything was in use.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { openSender } from '#demo/live-feed.ts';
import { ROSTER_GROUPS } from '#demo/world/rosters.ts';
import { streamRoster } from '#demo/world/world.ts';
import { openDatabase } from '#server/platform/database/pool.ts';
import type { RoleUrls } from '#server/platform/database/roles.ts';
import { sql } from '#server/platform/database/sql.ts';
import { note } from './figures.ts';
import { type Caller, type RegionProcess, startRegion } from './region-process.ts';
import { median, table } from './table.ts';

/** Of the groups of `ROSTER_GROUPS`, in their order. */
const USERS = [
  ['lakeshore-aco', 'care coordinator'],
  ['pines-plan', 'care coordinator'],
  ['harborview', 'clinician'],
] as const;
const SIZE = { people: 10_000, visits: 12_000 };
/** Of the run, in which everything is used for the first time. */
const WARM_UP = 1 / 6;
const MESSAGES_PER_SECOND = 15;
/** In milliseconds. */
const BETWEEN_PAGES = 1_000;
const BETWEEN_ROSTERS = 240_000;
const BETWEEN_SAMPLES = 5_000;

/** Megabytes of the process that are in memory. */
const residentOf = (pid: number): number =>
  Number((/^VmRSS:\s+(\d+) kB/mu.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [])[1]) / 1024;

async function call(url: string, { headers }: Caller, path: string, body?: object): Promise<unknown> {
  const json = { 'content-type': 'application/json' };
  const init = body ? { method: 'POST', headers: { ...headers, ...json }, body: JSON.stringify(body) } : { headers };
  const answer = await fetch(url + path, init);
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
}

/** Sends the hospitals' messages, evenly over time. Returns how many. */
async function send(region: RegionProcess, until: number): Promise<number> {
  const sender = await openSender('127.0.0.1', region.mllpPort);
  const start = performance.now();
  let sent = 0;
  for (const { bytes } of region.world.messages) {
    if (performance.now() > until) break;
    await sender.send(bytes);
    sent += 1;
    await sleep(Math.max(0, start + (sent * 1000) / MESSAGES_PER_SECOND - performance.now()));
  }
  sender.close();
  return sent;
}

interface Found {
  patients: { id: string }[];
}

/** Reads the inbox, searches and opens the stories of those who are listed there, as a team does all day. Returns how many pages were read. */
async function read(url: string, caller: Caller, until: number): Promise<number> {
  let pages = 0;
  while (performance.now() < until) {
    await call(url, caller, '/api/pings', {});
    const query = 'abcdefghijklmnoprstw'[pages % 20];
    const found = (await call(url, caller, '/api/patients/search', {
      userDefinedFacetPreferences: { preferenceMap: {}, query },
    })) as Found;
    const one = found.patients[pages % Math.max(1, found.patients.length)];
    if (one) await call(url, caller, `/api/patients/${one.id}/encounters?pageNumber=1&includeHHA=false`);
    pages += 3;
    await sleep(BETWEEN_PAGES);
  }
  return pages;
}

/** Lets everyone upload rosters. Administrators can't sign in with a password alone. */
async function letUpload(urls: RoleUrls): Promise<void> {
  const db = openDatabase(urls.pipeline, { max: 1 });
  await db.query(sql`update grants set added = array_append(added, 'canUploadRoster')`);
  await db.close();
}

/** Uploads the rosters by turns. Returns how many. */
async function upload(region: RegionProcess, teams: readonly Caller[], until: number): Promise<number> {
  let uploads = 0;
  while (performance.now() < until) {
    const group = ROSTER_GROUPS[uploads % ROSTER_GROUPS.length] as (typeof ROSTER_GROUPS)[number];
    const { headers } = teams[uploads % ROSTER_GROUPS.length] as Caller;
    const form = new FormData();
    form.append('file', new Blob([...streamRoster(region.world.options, group)]), 'roster.csv');
    const path = `/api/rosters/${region.groupId(group)}/uploads?relationship=COVERAGE&attested=true`;
    const answer = await fetch(region.url + path, { method: 'POST', headers, body: form });
    if (!answer.ok) throw new Error(`The roster was refused: ${answer.status} ${await answer.text()}`);
    uploads += 1;
    await sleep(Math.min(BETWEEN_ROSTERS, Math.max(0, until - performance.now())));
  }
  return uploads;
}

/** Runs the bench for so many minutes and prints a table. */
export async function benchMemory(adminUrl: string, urls: RoleUrls, minutes: number): Promise<void> {
  const region = await startRegion(adminUrl, urls, { seed: 'memory', ...SIZE });
  await letUpload(urls);
  const teams = await Promise.all(USERS.map(([group, role]) => region.signIn(group, role)));
  const start = performance.now();
  const until = start + minutes * 60_000;
  const samples: { minute: number; resident: number }[] = [];
  const sampling = setInterval(
    () => samples.push({ minute: (performance.now() - start) / 60_000, resident: residentOf(region.pid) }),
    BETWEEN_SAMPLES,
  );
  const [messages, uploads, ...pages] = await Promise.all([
    send(region, until),
    upload(region, teams, until),
    ...teams.map((caller) => read(region.url, caller, until)),
  ]);
  clearInterval(sampling);
  await region.stop();

  /** Median of a sixth of the run. */
  const during = (sixth: number): number => {
    const length = minutes * WARM_UP;
    const within = samples.filter(({ minute }) => minute >= sixth * length && minute < (sixth + 1) * length);
    return median(within.map(({ resident }) => resident));
  };
  const [early, late] = [during(1), during(5)];
  note({
    part: 'memory',
    what: `in memory at the end of ${minutes} minutes`,
    value: late,
    unit: 'MB',
    peer: { what: 'after a sixth of them', value: early },
    bar: { most: 1.1 },
  });
  table(
    `Memory of the server process over ${minutes} minutes: ${messages} messages, ${uploads} rosters, ${pages.reduce((sum, each) => sum + each, 0)} pages (MB, medians of a sixth each)`,
    ['1st', '2nd', '3rd', '4th', '5th', '6th', 'most'],
    [
      [...[0, 1, 2, 3, 4, 5].map(during), Math.max(...samples.map(({ resident }) => resident))].map((each) =>
        each.toFixed(0),
      ),
    ],
  );
}
