/** Uploads while the client is still sending, or has stopped. */
import { expect, test } from 'vitest';
import { sql } from '#server/platform/database/sql.ts';
import { signIn } from '#server/testing/app.ts';
import { ATTESTED, fileOf, line, startRosterApp } from '#server/testing/rosters.ts';
import { removeBrokenUploads } from './upload.ts';

const app = await startRosterApp({ slowest: { bytes: 1024, milliseconds: 3000 } });
const { make, database, clock, current, post, upload, beginUpload } = app;

async function uploads(groupId = current.groupId): Promise<string[]> {
  const { rows } = await database.owner.query<{ status: string }>(
    sql`select status from roster_uploads where group_id = ${groupId} order by id`,
  );
  return rows.map(({ status }) => status);
}

/** Stores an upload as a process leaves it that died while receiving it. */
async function leaveBehind(minutes: number): Promise<void> {
  const until = new Date(clock.now().getTime() + minutes * 60_000);
  const { rows } = await database.owner.query<{ id: string }>(sql`
    insert into roster_uploads (group_id, status, username, file_name, created_at, receiving_until)
    values (${current.groupId}, 'RECEIVING', 'u', 'f', ${clock.now()}, ${until}) returning id`);
  await database.owner.query(sql`
    insert into roster_upload_rows (upload_id, row_number, member_id, cells) values (${rows[0]?.id ?? ''}, 2, 'A1', '{}')`);
}

const latest = () =>
  current.client.call('GET /api/rosters/:groupId/uploads/latest', { params: { groupId: current.groupId } });

test('half-sent uploads hold no database connection, and others work', async () => {
  const senders = [];
  for (let user = 0; user < 6; user += 1) {
    const team = await make.team();
    const { username } = await make.user({ team, role: 'administrator' });
    const client = await signIn(app, username);
    client.teamId = team.id;
    senders.push({ group: team.groupIds[0] ?? '', as: client });
  }
  const sending = senders.map((sender) => beginUpload(fileOf(line('A1'), line('A2')), sender));
  for (const { group } of senders) await expect.poll(() => uploads(group)).toEqual(['RECEIVING']);
  const { rows } = await database.owner.query(
    `select from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`,
  );
  expect(rows).toEqual([]);
  expect((await current.client.fetch('/api/me')).status).toBe(200);
  for (const { finish } of sending) finish();
  for (const { response } of sending) expect((await response).status).toBe(202);
});

test('an upload that is being sent is not shown, and keeps others of its group out', async () => {
  const first = beginUpload(fileOf(line('A1')));
  await expect.poll(() => uploads()).toEqual(['RECEIVING']);
  expect(await latest()).toBeNull();
  expect(await (await post(fileOf(line('A2')))).json()).toMatchObject({ errorKey: 'ROSTER_UPLOAD_RUNNING' });
  first.finish();
  expect(await (await first.response).json()).toMatchObject({ status: 'RECEIVED' });
  expect(await latest()).toMatchObject({ status: 'RECEIVED' });
});

test('an upload that has been arriving for two minutes is replaced by a newer one, and both are answered', async () => {
  const slow = beginUpload(fileOf(line('A1')));
  await expect.poll(() => uploads()).toEqual(['RECEIVING']);
  const refused = await (await post(fileOf(line('A2')))).json();
  expect(refused).toMatchObject({ message: expect.stringContaining('Try again in two minutes') });
  clock.advance(2 * 60_000);
  await upload(line('A2'));
  expect(await uploads()).toEqual(['RECEIVED']);
  slow.finish();
  const replaced = await slow.response;
  expect([replaced.status, await replaced.json()]).toMatchObject([
    409,
    { errorKey: 'ROSTER_UPLOAD_RUNNING', message: expect.stringContaining('A newer file was uploaded') },
  ]);
  expect(await uploads()).toEqual(['RECEIVED']);
});

test('an upload that stops arriving is refused and removed, and the group is free again', async () => {
  const stalled = beginUpload(fileOf(line('A1')));
  const response = await stalled.response;
  expect([response.status, await response.json()]).toMatchObject([408, { errorKey: 'UPLOAD_STALLED' }]);
  await expect.poll(() => uploads()).toEqual([]);
  await upload(line('A2'));
});

test('a request that never gets to its file is refused too', async () => {
  const body = new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode('--b\r\n')) });
  const headers = { 'content-type': 'multipart/form-data; boundary=b' };
  const response = await current.client.fetch(`/api/rosters/${current.groupId}/uploads${ATTESTED}`, {
    method: 'POST',
    body,
    duplex: 'half',
    headers,
  });
  expect(response.status).toBe(408);
});

test('one person sends at most two files at a time', async () => {
  const organizationId = (await make.organization()).id;
  const groups = await Promise.all([1, 2, 3].map(() => make.group({ organizationId })));
  const team = await make.team({ organizationId, groupIds: groups.map(({ id }) => id) });
  const client = await signIn(app, (await make.user({ team, role: 'administrator' })).username);
  client.teamId = team.id;
  const [a = '', b = '', c = ''] = team.groupIds;
  const sending = [a, b].map((group) => beginUpload(fileOf(line('A1')), { group, as: client }));
  for (const group of [a, b]) await expect.poll(() => uploads(group)).toEqual(['RECEIVING']);
  const third = await post(fileOf(line('A1')), { group: c, as: client });
  expect([third.status, await third.json()]).toMatchObject([
    429,
    { errorKey: 'TOO_MANY_REQUESTS', message: expect.stringContaining('already uploading two files') },
  ]);
  for (const { finish } of sending) finish();
  for (const { response } of sending) expect((await response).status).toBe(202);
  expect((await post(fileOf(line('A1')), { group: c, as: client })).status).toBe(202);
});

test('what a dead process left behind is removed by the next upload, once it was not renewed for a while', async () => {
  await leaveBehind(1);
  expect((await post(fileOf(line('A1')))).status).toBe(409);
  expect(await latest()).toBeNull();
  await database.owner.query(sql`
    update roster_uploads set receiving_until = ${new Date(clock.now().getTime() - 1)} where group_id = ${current.groupId}`);
  await upload(line('A1'));
  expect(await uploads()).toEqual(['RECEIVED']);
});

test('the clean-up removes what dead processes left behind, and nothing else', async () => {
  await leaveBehind(-1);
  expect(await removeBrokenUploads(database.pipeline, clock.now())).toBe(1);
  await leaveBehind(1);
  expect(await removeBrokenUploads(database.pipeline, clock.now())).toBe(0);
  expect(await uploads()).toEqual(['RECEIVING']);
});

test('an upload that was taken for dead stores nothing more', async () => {
  const slow = beginUpload(fileOf(line('A1')));
  await expect.poll(() => uploads()).toEqual(['RECEIVING']);
  await database.owner.query(sql`delete from roster_uploads where group_id = ${current.groupId}`);
  slow.finish();
  expect(await (await slow.response).json()).toMatchObject({ errorKey: 'ROSTER_UPLOAD_RUNNING' });
  expect(await uploads()).toEqual([]);
});

test('the app removes no upload that was received', async () => {
  await upload(line('A1'));
  const removed = await database.app.transaction(
    (tx) => tx.query(sql`delete from roster_uploads where group_id = ${current.groupId}`),
    { settings: { 'tidings.group_ids': `{${current.groupId}}` } },
  );
  expect(removed.rowCount).toBe(0);
  expect(await uploads()).toEqual(['RECEIVED']);
});

test('the answer about an unusable file comes although the rest of it is still being sent', async () => {
  const part = beginUpload(`No header at all\n${'x'.repeat(70_000)}`);
  expect(await (await part.response).json()).toMatchObject({ status: 'FAILED' });
});
