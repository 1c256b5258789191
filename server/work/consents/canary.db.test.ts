/**
 * A diagnosis of a 42 CFR Part 2 facility, and that someone was there, is in no answer to others, no stream, no log and no mail without the patient's
 * consent. Every call of the contract that reads patients' data is made, so that a new one is covered too.
 */
import { expect, test, vi } from 'vitest';
import { z } from 'zod';
import { type Route, type RouteKey, routes } from '#contract/routes.ts';
import { TYPEAHEAD_KINDS } from '#contract/typeahead.ts';
import { sql } from '#server/platform/database/sql.ts';
import { createLog } from '#server/platform/http/log.ts';
import type { Client } from '#server/testing/app.ts';
import { request } from '#server/testing/client.ts';
import { CANARY, consentTo, endConsentOf, startPart2App } from '#server/testing/part2.ts';
import { sampleOf } from '#server/testing/schema-samples.ts';

const written: string[] = [];
const log = createLog('trace', { write: (line: string) => void written.push(line) });
const { db, scene } = await startPart2App({ log });

const FACILITY = 'Canaryhouse Recovery';
const reveals = (text: string): boolean =>
  [CANARY.code, ...CANARY.text.split(' '), 'Canaryhouse'].some((secret) => text.includes(secret));

/** Calls of this kind change nothing, so they can be made with any parameters. */
const READS = /^GET |search$|\/pings$|hashes$|counts$|names$|preview$|history$|typeahead/;
const READING = (Object.keys(routes) as RouteKey[]).filter((key) => {
  const { audit, kind } = routes[key] as Route;
  return audit !== undefined && READS.test(key) && kind !== 'stream';
});
/** Typeaheads are asked for values that contain the secret. */
const BODIES: Record<string, object> = {
  typeahead: { query: 'can' },
  search: { termFacetSizeOverride: 1000 },
  pings: { termFacetSizeOverride: 1000 },
};

/** Returns the answers of every reading call, by call and patient id. */
async function askAll(client: Client, patientIds: readonly string[], eventId = '1'): Promise<Map<string, string>> {
  const answers = new Map<string, string>();
  for (const key of READING) {
    const { body: schema } = routes[key] as Route;
    const named = Object.keys(BODIES).find((part) => key.includes(part));
    const body = schema && ((named && BODIES[named]) ?? sampleOf(z.toJSONSchema(schema, { io: 'input' })));
    const kinds = key.includes(':kind') ? [...TYPEAHEAD_KINDS, 'open'] : [''];
    for (const id of key.includes('/patients/:id') ? patientIds : ['1']) {
      for (const kind of kinds) {
        const params = {
          id,
          kind,
          jobId: '1',
          instructionId: '1',
          recordId: '1',
          consentId: '1',
          groupId: '1',
          eventId,
        };
        const query = (routes[key] as Route).kind === 'download' ? { teamId: client.teamId } : {};
        const response = await client.fetch(...request(key, { params, query, body }));
        answers.set(`${key} ${id} ${kind}`, `${response.status} ${await response.text()}`);
      }
    }
  }
  return answers;
}
const revealing = (answers: Map<string, string>): string[] =>
  [...answers].flatMap(([call, answer]) => (reveals(answer) ? [call.split(' ').slice(0, 2).join(' ')] : []));

/** Opens the stream of a user; returns all of its text so far. */
async function overhear(client: Client) {
  const abort = new AbortController();
  const response = await client.fetch(`/api/live?teamId=${client.teamId}`, { signal: abort.signal });
  let text = '';
  const reading = (async () => {
    for await (const chunk of response.body as ReadableStream<Uint8Array>) text += new TextDecoder().decode(chunk);
  })().catch(() => {});
  const end = () => {
    abort.abort();
    return reading;
  };
  return { heard: () => text, end };
}

async function treated() {
  const region = await scene();
  await db.query(
    sql`update groups set name = ${`${FACILITY} ${region.facility.groupId}`} where id = ${region.facility.groupId}`,
  );
  return region;
}

/** Returns the id of the facility's first event. */
async function eventOf(facilityId: string): Promise<string> {
  const { rows } = await db.query<{ id: string }>(sql`
    select min(v.id) as id from events v join encounters e on e.id = v.encounter_id where e.group_id = ${facilityId}`);
  return rows[0]?.id ?? '';
}

test('no answer, stream, log or mail reveals a Part 2 diagnosis or facility without consent', async () => {
  const { facility, program, send } = await treated();
  const { heard, end } = await overhear(program.client);
  const ids = [program.patientId, program.visitId, facility.patientId];
  const eventId = await eventOf(facility.groupId);
  expect(revealing(await askAll(program.client, ids, eventId))).toEqual([]);
  const consent = await consentTo(facility.client, facility.patientId, program.groupId);
  await endConsentOf(facility.client, facility.patientId, consent.id);
  await send('A03', '202611200930', { discharged: '202611200930' });
  expect(revealing(await askAll(program.client, ids, eventId))).toEqual([]);
  await vi.waitFor(() => expect(heard()).toContain('"hidden"'), 5000);
  expect(reveals(heard())).toBe(false);
  await end();
  expect(written.length).toBeGreaterThan(0);
  expect(written.filter(reveals)).toEqual([]);
  const { rows } = await db.query<{ mail: string }>(
    sql`select subject || ' ' || coalesce(body, '') as mail from outbox`,
  );
  expect(rows.filter(({ mail }) => reveals(mail))).toEqual([]);
});

test('with a consent the same calls show the diagnosis, so the test above looks in the right places', async () => {
  const { facility, program } = await treated();
  await consentTo(facility.client, facility.patientId, program.groupId);
  const ids = [program.patientId, program.visitId];
  await vi.waitFor(async () => {
    const found = new Set(revealing(await askAll(program.client, ids, await eventOf(facility.groupId))));
    for (const call of [
      'GET /api/patients/:id',
      'GET /api/patients/:id/events/:eventId/explanation',
      'GET /api/patients/:id/missing-pings',
      'POST /api/patients/search',
      'POST /api/pings',
      'POST /api/typeahead/:kind',
    ])
      expect(found).toContain(call);
  }, 20_000);
});
