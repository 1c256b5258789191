/** Roster uploads over HTTP for tests: a team with one group, and an administrator who uploads files for it. */
import { beforeEach, expect } from 'vitest';
import type { Database } from '#server/platform/database/pool.ts';
import { sql } from '#server/platform/database/sql.ts';
import { rosterPageRoutes } from '#server/work/rosters/page-routes.ts';
import { processUpload } from '#server/work/rosters/process.ts';
import { type RosterDeps, rosterRoutes } from '#server/work/rosters/routes.ts';
import { CallError, type Client, signIn, startApp } from './app.ts';

export const HEADER = 'Member ID,First Name,Last Name,Date of Birth,Address 1,ZIP,Gender';

interface Cells {
  first: string;
  last: string;
  born: string;
  street: string;
  zip: string;
  sex: string;
}

/** Returns a line of a roster file. */
export function line(id: string, over: Partial<Cells> = {}): string {
  const {
    first = 'Ama',
    last = `Osei${id}`,
    born = '3/14/1941',
    street = '12 Heron Lane',
    zip = '14601',
    sex = 'F',
  } = over;
  return [id, first, last, born, street, zip, sex].join(',');
}

/** Returns a roster file with these lines. */
export const fileOf = (...lines: string[]): string => [HEADER, ...lines].join('\n');

export interface Listed {
  id: string;
  memberId: string;
  personId: string;
  lastName: string;
  leftAt: string | null;
}

/** What an uploader attests, as a query. */
export const ATTESTED = '?relationship=COVERAGE&attested=true';

/** Starts an app. Each test of the file gets a new team and group, and no persons from earlier tests. */
export async function startRosterApp({ slowest }: Pick<RosterDeps, 'slowest'> = {}) {
  const app = await startApp({
    routes: ({ database, clock }) => {
      const deps = { db: database.app, clock: clock.now, slowest };
      return [...rosterRoutes(deps), ...rosterPageRoutes(deps)];
    },
  });
  const { make, clock, database } = app;
  await database.pipeline.query("select ensure_partitions('2026-11-01', '2026-12-31')");
  const deps = { clock: clock.now };
  const current = { client: null as unknown as Client, groupId: '', userId: '' };

  beforeEach(async () => {
    await database.owner.query(
      'truncate persons, blocking_keys, blocking_entries, person_links, match_reviews cascade',
    );
    const team = await make.team();
    const user = await make.user({ team, role: 'administrator' });
    const client = await signIn(app, user.username);
    client.teamId = team.id;
    Object.assign(current, { client, groupId: team.groupIds[0] ?? '', userId: user.id });
  });

  async function post(
    content: string | Blob,
    { group = current.groupId, field = 'file', as = current.client, query = ATTESTED } = {},
  ): Promise<Response> {
    const form = new FormData();
    form.set(field, new Blob([content]), 'C:\\Users\\rosa\\March roster.csv');
    return as.fetch(`/api/rosters/${group}/uploads${query}`, { method: 'POST', body: form });
  }

  /** Uploads a file with these lines; returns the job's id. */
  async function upload(...lines: string[]): Promise<string> {
    const response = await post(fileOf(...lines));
    expect(response.status).toBe(202);
    return ((await response.json()) as { jobId: string }).jobId;
  }

  /** Begins an upload and sends the file only as far as given. Returns the response, and how to send more and to break off. */
  function beginUpload(content: string, { group = current.groupId, as = current.client } = {}) {
    const boundary = 'b';
    let stream: ReadableStreamDefaultController<Uint8Array> | undefined;
    const send = (text: string) => stream?.enqueue(new TextEncoder().encode(text));
    const body = new ReadableStream<Uint8Array>({ start: (controller) => void (stream = controller) });
    send(`--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="r.csv"\r\n\r\n${content}`);
    const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` };
    const init = { method: 'POST', body, duplex: 'half', headers } as RequestInit;
    const response = as.fetch(`/api/rosters/${group}/uploads${ATTESTED}`, init);
    response.catch(() => {});
    const finish = () => {
      send(`\r\n--${boundary}--\r\n`);
      stream?.close();
    };
    return { response, send, finish, breakOff: () => stream?.error(new Error('gone')) };
  }

  const jobOf = (jobId: string) => current.client.call('GET /api/rosters/uploads/:jobId', { params: { jobId } });

  /** Uploads a file and processes it. */
  async function apply(...lines: string[]) {
    const jobId = await upload(...lines);
    await processUpload(database.pipeline, jobId, deps);
    return jobOf(jobId);
  }

  async function roster(): Promise<Listed[]> {
    const { rows } = await database.owner.query<Listed>(sql`
      select id, member_id as "memberId", person_id as "personId", last_name as "lastName", left_at as "leftAt"
      from roster_patients where group_id = ${current.groupId} order by member_id`);
    return rows;
  }

  /** Returns the member ids of the patients on the roster. */
  const active = async (): Promise<string[]> =>
    (await roster()).filter(({ leftAt }) => leftAt === null).map(({ memberId }) => memberId);

  return { ...app, deps, current, post, upload, beginUpload, jobOf, apply, roster, active };
}

export async function errorKey(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  return error instanceof CallError ? error.body.errorKey : 'no CallError';
}

/** Returns a line about a different person for each number, who have as little in common as people of one roster do. */
export const lineOf = (id: string, n: number): string =>
  line(id, {
    first: lettersOf(n, 1),
    last: lettersOf(n, 2),
    street: `${n} Heron Lane`,
    zip: String(10_000 + ((n * 61) % 80_000)),
    born: `${(n % 12) + 1}/${(n % 28) + 1}/${1930 + (n % 61)}`,
  });

/** Returns eight letters that look random, and are the same for the same numbers. */
function lettersOf(n: number, salt: number): string {
  let state = Math.imul(n + 1, 2_654_435_761) ^ Math.imul(salt, 40_503);
  return Array.from({ length: 8 }, () => {
    state = Math.imul(state ^ (state >>> 15), 2_246_822_519) + 1;
    return String.fromCharCode(97 + ((state >>> 16) % 26));
  }).join('');
}

/** A database whose transactions fail, as when the process is killed, after this many statements together. */
export function dyingAfter(database: Database, statements: number): Database {
  let done = 0;
  return {
    ...database,
    transaction: (fn, options) =>
      database.transaction(
        (tx) =>
          fn({
            ...tx,
            query: ((...args: [string]) => {
              done += 1;
              if (done > statements) throw Object.assign(new Error('killed'), { code: '40001' });
              return tx.query(...args);
            }) as typeof tx.query,
          }),
        { ...options, retries: 0 },
      ),
  };
}
