/**
 * Measures the read model over HTTP, with permissions: how long a scope takes to load, how fast a search is and how soon it shows a commit,
 * alone and while other changes go in.
 */
import { PART_HEADER, TEAM_HEADER } from '#contract/constants.ts';
import { Snapshot } from '#server/platform/changes/change-log.ts';
import { type Database, openDatabase } from '#server/platform/database/pool.ts';
import type { RoleUrls } from '#server/platform/database/roles.ts';
import { sql } from '#server/platform/database/sql.ts';
import { ScopeStore } from '#server/work/search/scope-store.ts';
import { note } from './figures.ts';
import type { Blocks } from './http/blocks.ts';
import { fill, PASSWORD, USERNAMES } from './http/region.ts';
import { startServer } from './http/server-process.ts';
import { quantile, table } from './table.ts';

/** Rounds per query, and how many of them are warm-up. */
const ROUNDS = 100;
const WARM = 20;
const CHANGES_PER_SECOND = 300;

const spread = (times: number[]): string[] => [
  `p50 ${quantile(times, 0.5).toFixed(1)} ms`,
  `p95 ${quantile(times, 0.95).toFixed(1)}, p99 ${quantile(times, 0.99).toFixed(1)}, max ${Math.max(...times).toFixed(1)} ms`,
];

/** Changes persons and pings one at a time, each in its own transaction, until stopped. */
function startChanges(db: Database, people: number): { stop: () => Promise<number> } {
  const underWay = new Set<Promise<unknown>>();
  const start = performance.now();
  let count = 0;
  const change = (n: number) => {
    const id = String(1 + ((n * 7919) % people));
    const statement =
      n % 2 === 0
        ? sql`update roster_patients set zip = ${String(10_000 + (n % 500))} where id = ${id}`
        : sql`update pings set management_status = case management_status when 'NEW' then 'RESOLVED' else 'NEW' end where id = ${id}`;
    const done = db.query(statement).finally(() => underWay.delete(done));
    underWay.add(done);
  };
  const timer = setInterval(() => {
    const due = ((performance.now() - start) / 1000) * CHANGES_PER_SECOND;
    while (count < due) change(count++);
  }, 5);
  return {
    stop: async () => {
      clearInterval(timer);
      await Promise.all(underWay);
      return count;
    },
  };
}

type Question = [name: string, path: string, body: unknown];
/** Without a body, it is a GET. */
type Ask = (
  path: string,
  body?: unknown,
  more?: Record<string, string>,
) => Promise<[result: { total: number }, milliseconds: number]>;

const SEARCH = '/api/patients/search';
const preferences = (preferenceMap: unknown, more = {}) => ({
  userDefinedFacetPreferences: { preferenceMap, ...more },
});
const value = (field: string, each: string, negated = false) => ({ [field]: [{ field, value: each, negated }] });

const WIDE: Question = ['patients, one wide filter', SEARCH, preferences(value('gender', 'Female'))];
const QUESTIONS: readonly Question[] = [
  ['patients, unfiltered', SEARCH, {}],
  WIDE,
  [
    'patients, three facets',
    SEARCH,
    preferences({ ...value('program', 'Program 3'), ...value('setting', 'SNF'), ...value('city', 'City 3') }),
  ],
  ['patients, name prefix', SEARCH, preferences({}, { query: 'last1' })],
  ['patients, multi-valued negated', SEARCH, preferences(value('careGaps', 'Eye exam', true))],
  ['patients, 50 values per facet', SEARCH, { termFacetSizeOverride: 50 }],
  ['pings, NEW', '/api/pings', {}],
  [
    'pings, resolved and a range',
    '/api/pings',
    preferences({ ...value('managementStatus', 'RESOLVED'), eventDate: [{ field: 'eventDaysAgo', value: '0:90' }] }),
  ],
  ['patients, without the filter panel', SEARCH, { termFacetSizeOverride: 0 }],
];

/** Signs in as each user, and returns a function that sends requests as these users by turns: none of them alone may ask as often. */
async function openClient(url: string, teamId: string): Promise<Ask> {
  const common: Record<string, string> = { 'content-type': 'application/json', origin: url, [TEAM_HEADER]: teamId };
  const clients = await Promise.all(
    USERNAMES.map(async (username) => {
      const signIn = await fetch(`${url}/api/authenticate`, {
        method: 'POST',
        headers: common,
        body: JSON.stringify({ username, password: PASSWORD }),
      });
      return { ...common, cookie: (signIn.headers.getSetCookie()[0] ?? '').split(';')[0] ?? '' };
    }),
  );
  let asked = 0;
  return async (path, body, more = {}) => {
    const headers = { ...(clients[asked++ % clients.length] ?? common), ...more };
    const start = performance.now();
    const answer = await fetch(
      url + path,
      body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers },
    );
    const result = (await answer.json()) as { total: number };
    if (!answer.ok) throw new Error(JSON.stringify(result));
    return [result, performance.now() - start];
  };
}

async function timed(ask: Ask, [name, path, body]: Question): Promise<string[]> {
  const times: number[] = [];
  let total = 0;
  for (let n = 0; n < ROUNDS; n += 1) {
    const [result, took] = await ask(path, body);
    if (n >= WARM) times.push(took);
    total = result.total;
  }
  return [name, String(total), ...spread(times)];
}

/** What a patient's page asks for at once. */
const STORY = ['', '/encounters?pageNumber=1&includeHHA=false', '/hha-coverage?pageNumber=1', '/diagnosis-summary'];

/** Measures until a patient's page has everything that it asks for. */
async function timedStory(ask: Ask, name: string, id: string): Promise<string[]> {
  const times: number[] = [];
  for (let n = 0; n < ROUNDS; n += 1) {
    const start = performance.now();
    await Promise.all(STORY.map((path) => ask(`/api/patients/${id}${path}`)));
    if (n >= WARM) times.push(performance.now() - start);
  }
  return [name, '', ...spread(times)];
}

let lastTown = 0;

/** Measures the time from a commit to the first response that includes it. */
async function timeUntilSeen(ask: Ask, db: Database, times: number): Promise<string[]> {
  const waits: number[] = [];
  for (let n = 0; n < times; n += 1) {
    const town = `Newtown ${lastTown++}`;
    await db.query(sql`update roster_patients set city = ${town} where id = ${String(1 + n * 7)}`);
    const start = performance.now();
    const body = { ...preferences(value('city', town)), termFacetSizeOverride: 0 };
    while ((await ask(SEARCH, body))[0].total === 0);
    waits.push(performance.now() - start);
  }
  return spread(waits);
}

/** Measures the first search, which loads the scope. */
async function timeFirstSearch(ask: Ask, people: number): Promise<string[]> {
  const [[{ total }, first], [, whole]] = await Promise.all([
    ask('/api/pings', {}, { [PART_HEADER]: '1' }),
    ask('/api/pings', {}),
  ]);
  note({ part: 'http', what: FIRST, value: first, unit: 'ms', bar: { most: 1000 } });
  const part = `the first page after ${first.toFixed(0)} ms, of ${total} rows`;
  return ['first search, which loads the scope', String(people), `${(whole / 1000).toFixed(1)} s`, part];
}

const FIRST = 'first page of a list that is still being loaded';
const VISIBLE = 'a commit is visible after';
const LONG_STORY = 'a story of 250 visits with 40 diagnoses each';
const BLOCK = 'longest block of the thread that serves HTTP, without waiting for a processor';
const WITH_WAIT = 'the same, waiting for one of the machine’s processors included';
const LOADS = 3;

/** Measures a scope's load alone, in this thread, the way a search thread does it and without HTTP. */
async function timeScopeLoads(url: string, groupId: string): Promise<string[][]> {
  const db = openDatabase(url, { max: 4 });
  const lines: string[][] = [];
  for (let round = 1; round <= LOADS; round += 1) {
    const store = new ScopeStore({ teamId: '0', groupIds: [groupId], partialGrants: {} }, new Snapshot('1:1:'), {
      db,
      now: Date.now,
      log: () => {},
    });
    const before = process.cpuUsage();
    const start = performance.now();
    const { table: pings } = await store.table('PINGS');
    const took = performance.now() - start;
    const { user, system } = process.cpuUsage(before);
    const rows = store.size + pings.size;
    const each = `${((took * 1000) / rows).toFixed(1)} µs per row, ${(store.bytes / 1e6).toFixed(0)} MB`;
    const cpuTime = `${((user + system) / 1e6).toFixed(1)} s of CPU time, without PostgreSQL`;
    lines.push([`the scope alone, load ${round}`, String(rows), `${(took / 1000).toFixed(1)} s: ${each}`, cpuTime]);
    store.close();
  }
  await db.close();
  return lines;
}

/** Notes the figures of lines with spreads. */
function noteLines(lines: readonly (readonly string[])[], { held, elapsed }: Blocks): void {
  const noteTime = (what: string, value: number, most: number | undefined): void =>
    note({ part: 'http', what, value, unit: 'ms', ...(most !== undefined && { bar: { most } }) });
  const isSearch = (what: string): boolean => QUESTIONS.some(([name]) => name === what);
  for (const [what = '', , ...spreads] of lines)
    for (const [, of, value] of spreads.join(' ').matchAll(/(p50|p95|p99) ([\d.]+)/g)) {
      if (of === 'p50') noteTime(`${what}, p50`, Number(value), isSearch(what) ? 15 : undefined);
      if (of === 'p95' && what === LONG_STORY) noteTime(`${what}, p95`, Number(value), 300);
      if (of === 'p99' && what === VISIBLE) noteTime(`${what}, p99`, Number(value), 1000);
    }
  noteTime(BLOCK, held, 20);
  noteTime(WITH_WAIT, elapsed, undefined);
}

/** Runs the bench and prints a table. `adminUrl` is on the server whose empty database `urls` lead to. */
export async function benchHttp(adminUrl: string, urls: RoleUrls, people: number): Promise<void> {
  const db = openDatabase(urls.pipeline, { max: 4 });
  const { teamId, groupId, stories } = await fill(db, people);
  const owner = openDatabase(urls.owner, { max: 1 });
  // Only the owner can analyze. A database that has been in use for a while has statistics.
  await owner.query('analyze');
  await owner.close();
  const lines = await timeScopeLoads(urls.app, groupId);
  const server = await startServer(adminUrl, urls);
  const ask = await openClient(server.url, teamId);
  lines.push(await timeFirstSearch(ask, people));
  for (const question of QUESTIONS) lines.push(await timed(ask, question));
  lines.push(await timedStory(ask, "a patient's story", stories.ordinary));
  lines.push(await timedStory(ask, LONG_STORY, stories.longest));
  lines.push([VISIBLE, '50', ...(await timeUntilSeen(ask, db, 50))]);
  const changes = startChanges(db, people);
  lines.push([
    `the same, with ${CHANGES_PER_SECOND} changes per second`,
    '200',
    ...(await timeUntilSeen(ask, db, 200)),
  ]);
  const [, ...amid] = await timed(ask, WIDE);
  lines.push(['one wide filter, during these changes', ...amid]);
  const blocks = await server.longestBlocks();
  noteLines(lines, blocks);
  lines.push(['changes made', String(await changes.stop()), '', '']);
  lines.push([BLOCK, '', '', `${blocks.held.toFixed(0)} ms`], [WITH_WAIT, '', '', `${blocks.elapsed.toFixed(0)} ms`]);
  table(`The read model over HTTP, ${people} people of one team`, ['measurement', 'rows', 'time', ''], lines);
  await server.stop();
  await db.close();
}
