import { expect, test } from 'vitest';
import { FORM_MAX_BYTES } from '#contract/care-limits.ts';
import { sql } from '#server/platform/database/sql.ts';
import type { Client } from '#server/testing/app.ts';
import { errorOf } from '#server/testing/calls.ts';
import { startCareApp } from '#server/testing/care.ts';

const { app, scene } = await startCareApp();
const { pipeline } = app.database;

const add = (client: Client, id: string, instruction: string, kind: 'ADMIT' | 'DISCHARGE' = 'ADMIT') =>
  client.call('POST /api/patients/:id/instructions', { params: { id }, body: { kind, instruction } });
const list = (client: Client, id: string) => client.call('GET /api/patients/:id/instructions', { params: { id } });
const admitTexts = async (client: Client, id: string) =>
  (await list(client, id)).admitInstructions.map(
    ({ instruction, instructionOrder }) => `${instructionOrder} ${instruction}`,
  );
const formPath = (id: string, instructionId: string) => `/api/patients/${id}/instructions/${instructionId}/form`;
const upload = (
  client: Client,
  path: string,
  bytes: Uint8Array<ArrayBuffer>,
  name = 'form.pdf',
  type = 'application/pdf',
) => {
  const body = new FormData();
  body.set('file', new Blob([bytes], { type }), name);
  return client.fetch(path, { method: 'POST', body });
};
const pdf = (length: number) => {
  const bytes = new Uint8Array(length).map((_, at) => (at * 31) % 251);
  bytes.set(Buffer.from('%PDF-1.7\n'));
  return bytes;
};
const download = (client: Client, path: string) => client.fetch(`${path}?teamId=${client.teamId}`);

test('instructions for admission and discharge keep the order that the group gives them', async () => {
  const { client, id } = (await scene()).ours;
  const [first, second] = [await add(client, id, 'Call us\nwithin 2 hours.'), await add(client, id, 'B')];
  await add(client, id, 'C');
  await add(client, id, 'Send the summary.', 'DISCHARGE');
  expect(await admitTexts(client, id)).toEqual(['1 Call us\nwithin 2 hours.', '2 B', '3 C']);
  const { dischargeInstructions } = await list(client, id);
  expect(dischargeInstructions).toMatchObject([{ instruction: 'Send the summary.', instructionOrder: 1, form: null }]);
  const change = (instructionId: string, body: { instruction: string; instructionOrder?: number; version?: string }) =>
    client.call('PUT /api/patients/:id/instructions/:instructionId', { params: { id, instructionId }, body });
  await change(first.id, { instruction: 'A', instructionOrder: 3, version: '1' });
  expect(await admitTexts(client, id)).toEqual(['1 B', '2 C', '3 A']);
  await change(second.id, { instruction: 'B', instructionOrder: 50 });
  expect(await admitTexts(client, id)).toEqual(['1 C', '2 A', '3 B']);
  const late = { params: { id, instructionId: first.id }, body: { instruction: 'X', version: '1' } };
  const refused = await errorOf(client, 'PUT /api/patients/:id/instructions/:instructionId', late);
  expect([refused.errorKey, refused.standing?.version]).toEqual(['CHANGED_BY_OTHER', '2']);
  await client.call('DELETE /api/patients/:id/instructions/:instructionId', {
    params: { id, instructionId: first.id },
  });
  expect(await admitTexts(client, id)).toEqual(['1 C', '2 B']);
  const atOnce = await Promise.all(['D', 'E', 'F'].map((text) => add(client, id, text)));
  expect(atOnce.map(({ instructionOrder }) => instructionOrder).toSorted((a, b) => a - b)).toEqual([3, 4, 5]);
});

test('instructions are shared with other teams that list the person, to read', async () => {
  const { ours, theirs } = await scene();
  const { id: instructionId } = await add(ours.client, ours.id, 'Call us.');
  const { admitInstructions } = await list(theirs.client, theirs.id);
  expect(admitInstructions).toMatchObject([
    { instruction: 'Call us.', organizationName: ours.organizationName, editable: false },
  ]);
  const params = { id: theirs.id, instructionId };
  expect(
    (await errorOf(theirs.client, 'DELETE /api/patients/:id/instructions/:instructionId', { params })).errorKey,
  ).toBe('NOT_FOUND');
  const theirUpload = await upload(theirs.client, formPath(theirs.id, instructionId), pdf(20));
  expect(theirUpload.status).toBe(404);
  await upload(ours.client, formPath(ours.id, instructionId), pdf(20));
  expect((await download(theirs.client, formPath(theirs.id, instructionId))).status).toBe(200);
  const viewer = await ours.member('viewer');
  expect((await errorOf(viewer, 'GET /api/patients/:id/instructions', { params: { id: ours.id } })).errorKey).toBe(
    'NOT_PERMITTED',
  );
  await pipeline.query(sql`update roster_patients set left_at = ${app.clock.now()} where id = ${theirs.listing.id}`);
  expect(await admitTexts(theirs.client, theirs.id)).toEqual([]);
  expect((await download(theirs.client, formPath(theirs.id, instructionId))).status).toBe(404);
});

test('what a Part 2 facility instructs, with its form, is never shared', async () => {
  const { ours, theirs } = await scene({ type: 'HOS', facilityType: 'HOS', isPart2Facility: true });
  const { id: instructionId } = await add(theirs.client, theirs.id, 'Canary');
  await upload(theirs.client, formPath(theirs.id, instructionId), pdf(20));
  expect(await admitTexts(ours.client, ours.id)).toEqual([]);
  expect((await download(ours.client, formPath(ours.id, instructionId))).status).toBe(404);
});

test('a PDF that runs a script is refused with the reason', async () => {
  const { client, id } = (await scene()).ours;
  const { id: instructionId } = await add(client, id, 'Fill in the form.');
  const script = new Uint8Array(
    Buffer.from('%PDF-1.7\n1 0 obj<</Type/Catalog/OpenAction<</S/Java#53cript/JS(x)>>>>endobj'),
  );
  const answer = await upload(client, formPath(id, instructionId), script);
  expect(answer.status).toBe(400);
  expect(((await answer.json()) as { message: string }).message).toContain('contains scripts or attached files');
});

test('a form comes back byte by byte, as a file to save and not to show', async () => {
  const { client, id } = (await scene()).ours;
  const { id: instructionId } = await add(client, id, 'Fill in the form.');
  const path = formPath(id, instructionId);
  // More than two chunks.
  const bytes = pdf(700_000);
  const uploaded = await upload(client, path, bytes, 'C:\\forms\\Aufnahme für „Ada“.exe', 'text/html');
  expect(uploaded.status).toBe(200);
  const [{ form } = { form: null }] = (await list(client, id)).admitInstructions;
  expect(form).toEqual({
    documentKey: expect.any(String) as string,
    fileName: 'Aufnahme für „Ada“.exe.pdf',
    contentType: 'application/pdf',
    size: 700_000,
  });
  const saved = await download(client, path);
  expect(Buffer.from(await saved.arrayBuffer()).equals(Buffer.from(bytes))).toBe(true);
  const headers = ['content-type', 'x-content-type-options', 'content-security-policy', 'cache-control'];
  expect(headers.map((name) => saved.headers.get(name))).toEqual([
    'application/pdf',
    'nosniff',
    "default-src 'none'; sandbox",
    'no-store',
  ]);
  expect(saved.headers.get('content-disposition')).toBe(
    `attachment; filename="Aufnahme f_r _Ada_.exe.pdf"; filename*=UTF-8''${encodeURIComponent('Aufnahme für „Ada“.exe.pdf')}`,
  );
  const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1]);
  await upload(client, path, png, 'scan.png');
  expect(Buffer.from(await (await download(client, path)).arrayBuffer())).toEqual(Buffer.from(png));
  const { rows } = await pipeline.query(
    sql`select count(*)::int as n from care_files where instruction_id = ${instructionId}`,
  );
  expect(rows).toEqual([{ n: 1 }]);
  await client.call('DELETE /api/patients/:id/instructions/:instructionId/form', { params: { id, instructionId } });
  expect((await download(client, path)).status).toBe(404);
  const { rows: entries } = await pipeline.query<{ action: string }>(sql`
    select action from audit_entries where detail ->> 'instructionId' = ${instructionId} and action like 'care-form.%' order by id`);
  expect(entries.map(({ action }) => action.slice('care-form.'.length))).toEqual([
    'upload',
    'view',
    'upload',
    'view',
    'remove',
  ]);
});

test('a file of another type, an empty one and one over 10 MB are refused, and the form that was there stays', async () => {
  const { client, id } = (await scene()).ours;
  const { id: instructionId } = await add(client, id, 'Fill in the form.');
  const path = formPath(id, instructionId);
  await upload(client, path, pdf(20));
  const refusal = async (bytes: Uint8Array<ArrayBuffer>) => {
    const answer = await upload(client, path, bytes);
    return [answer.status, ((await answer.json()) as { errorKey: string }).errorKey];
  };
  expect(await refusal(new TextEncoder().encode('<html><script>alert(1)</script>'))).toEqual([400, 'BAD_REQUEST']);
  expect(await refusal(new TextEncoder().encode('MZ%PDF-1.7'))).toEqual([400, 'BAD_REQUEST']);
  expect(await refusal(new Uint8Array(0))).toEqual([400, 'BAD_REQUEST']);
  expect(await refusal(pdf(FORM_MAX_BYTES + 1))).toEqual([413, 'TOO_LARGE']);
  expect((await client.fetch(path, { method: 'POST' })).status).toBe(400);
  expect((await list(client, id)).admitInstructions[0]?.form?.size).toBe(20);
  expect((await upload(client, path, pdf(FORM_MAX_BYTES))).status).toBe(200);
});

test.each(['multipart/form-data', 'multipart/form-data; boundary=x'])(
  'a body of %s that is no form is refused',
  async (type) => {
    const { client, id } = (await scene()).ours;
    const { id: instructionId } = await add(client, id, 'Fill in the form.');
    const body = { method: 'POST', body: 'abc', headers: { 'content-type': type } };
    expect((await client.fetch(formPath(id, instructionId), body)).status).toBe(400);
  },
);
