/** Measures a region of many people: its rosters, its messages in the pipeline, and the resulting inbox. Beside them, plain statements write the same rows. */
import { searchParameters } from '#contract/search.ts';
import { streamMessages, type WorldOptions } from '#demo/world/world.ts';
import { createLog } from '#server/platform/http/log.ts';
import { search } from '#server/work/search/search.ts';
import { SearchPool } from '#server/work/search/search-threads.ts';
import { note } from './figures.ts';
import {
  actorOf,
  openRegion,
  optionsOf,
  processMessages,
  type Region,
  storeMessages,
  uploaderOf,
} from './processing/region.ts';
import { rosterFiles, type Uploaded, uploadAll, withChanges } from './processing/rosters.ts';
import { type Cost, SameRows } from './processing/same-rows.ts';
import { quantile, table } from './table.ts';

const WORKERS = 2;
/** Messages of which the plain statements write all rows in a transaction. */
const PER_TRANSACTION = 500;
/** Of the rows of a file, one in so many is changed. */
const ONE_IN = 100;

async function timed<T>(work: () => Promise<T>): Promise<[T, seconds: number]> {
  const start = performance.now();
  const result = await work();
  return [result, (performance.now() - start) / 1000];
}

/** Measures rosters, messages and the inbox for `people` people of the region and at most `limit` of a year's messages. */
export async function benchProcessing(
  db: Region['db'],
  urls: { app: string; admin: string },
  { people, limit }: { people: number; limit: number },
): Promise<void> {
  const options = optionsOf(people);
  const bench = await openRegion(db, options);
  const plain = await SameRows.open(urls.admin);
  const rosters = await measureRosters(bench, options, plain);
  const messages = await measureMessages(bench, plain, { options, limit });
  await plain.close();
  const inbox = await readInbox(bench, urls.app);
  noteRosters(rosters);
  noteMessages(messages);
  show(`A region of ${people} people`, rosters, messages, inbox);
}

function show(title: string, { first, copy, again }: Rosters, messages: Processed, inbox: Inbox): void {
  const inSeconds = (took: number) => `${took.toFixed(1)} s`;
  const row = (what: string, count: number, took: number, ratio?: number) => [
    what,
    String(count),
    inSeconds(took),
    `${(count / took).toFixed(0)}/s`,
    ratio?.toFixed(2) ?? '',
  ];
  const { insert } = messages;
  table(
    `${title}; memory of the process with its rosters at most ${first.memory.toFixed(0)} MB more than before`,
    ['measurement', 'count', 'time', 'rate', 'ratio'],
    [
      row('roster rows received', first.rows, first.received),
      row('roster rows applied and identified', first.rows, first.applied, first.applied / copy.seconds),
      row(`COPY of the rows in ${copy.tables} tables that are left`, copy.rows, copy.seconds),
      row('the same files with 1 % changed', again.rows, secondsOf(again), secondsOf(again) / secondsOf(first)),
      row(
        `messages processed (${WORKERS} workers)`,
        messages.count,
        messages.seconds,
        messages.seconds / insert.seconds,
      ),
      row(`INSERT of the rows in ${insert.tables} tables that are left`, insert.rows, insert.seconds),
      ['first page of a team, which loads its rows', '1', inSeconds(inbox.firstSeconds), '', ''],
      [
        `inbox page with filter panel, ${inbox.total} rows match`,
        '30',
        `p50 ${quantile(inbox.times, 0.5).toFixed(0)} ms`,
        `p99 ${quantile(inbox.times, 0.99).toFixed(0)} ms`,
        '',
      ],
    ],
  );
}

interface Rosters {
  first: Uploaded;
  copy: Cost;
  again: Uploaded;
}

/** Uploads the rosters, copies the rows that they left, and uploads them again with some rows changed. */
async function measureRosters(bench: Region, options: WorldOptions, plain: SameRows): Promise<Rosters> {
  const uploader = uploaderOf(bench);
  const files = rosterFiles(options);
  const mark = await plain.mark();
  const first = await uploadAll(files, uploader);
  const copy = await plain.copy(mark);
  const again = await uploadAll(
    files.map((file) => withChanges(file, ONE_IN)),
    uploader,
  );
  return { first, copy, again };
}

const secondsOf = ({ received, applied }: Uploaded): number => received + applied;

function noteRosters({ first, copy, again }: Rosters): void {
  const figure = { part: 'processing', unit: 's' };
  const seconds = secondsOf(first);
  const rate = { value: first.rows / seconds, unit: 'rows/s', bar: { least: 8000 } };
  const peer = { what: 'COPY of the same rows', value: copy.seconds };
  note({ ...figure, what: 'roster rows received, applied and identified', ...rate });
  note({ ...figure, what: 'rosters applied and identified', value: first.applied, peer, bar: { most: 2.5 } });
  note({
    ...figure,
    what: 'the same rosters with 1 % changed',
    value: secondsOf(again),
    peer: { what: 'the first time', value: seconds },
    bar: { most: 0.1 },
  });
  note({ ...figure, what: 'memory for rosters at most', value: first.memory, unit: 'MB', bar: { most: 200 } });
}

interface Processed {
  count: number;
  seconds: number;
  insert: Cost;
}

/** Stores and processes messages, and inserts the rows that processing left. */
async function measureMessages(
  bench: Region,
  plain: SameRows,
  { options, limit }: { options: WorldOptions; limit: number },
): Promise<Processed> {
  const count = await storeMessages(bench, streamMessages(options), limit);
  const mark = await plain.mark();
  const [, seconds] = await timed(() => processMessages(bench, WORKERS));
  return { count, seconds, insert: await plain.insert(mark, Math.ceil(count / PER_TRANSACTION)) };
}

function noteMessages({ count, seconds, insert }: Processed): void {
  const figure = { part: 'processing' };
  const what = `messages processed by ${WORKERS} workers`;
  note({ ...figure, what, value: count / seconds, unit: 'messages/s', bar: { least: 1500 } });
  const peer = { what: 'INSERT of the same rows', value: insert.seconds };
  note({ ...figure, what, value: seconds, unit: 's', peer, bar: { most: 3 } });
}

interface Inbox {
  total: number;
  firstSeconds: number;
  times: number[];
}

/** Loads the ACO team's inbox, and returns the milliseconds of each load after the first. */
async function readInbox(bench: Region, url: string): Promise<Inbox> {
  const { db, region, to: now } = bench;
  const team = region.teams.find(({ groups }) => groups.includes('lakeshore-aco'));
  const user = region.users.find(({ grants }) => grants.some((grant) => grant.team === team?.key));
  if (!team || !user) throw new Error('The ACO has no team with a user');
  const actor = await actorOf(bench, user, team.key);
  const parameters = searchParameters.parse({});
  const pool = new SearchPool({ url, log: createLog('info') });
  const ask = () => search({ db: db.app, pool }, { actor, context: 'PINGS', parameters, now, after: null });
  const [{ total }, firstSeconds] = await timed(ask);
  const times: number[] = [];
  for (let n = 0; n < 30; n += 1) times.push((await timed(ask))[1] * 1000);
  await pool.close();
  return { total, firstSeconds, times };
}
