/**
 * Puts hostile values into every field of every call, as an operator who may call everything. Whatever is sent, the answer is not a
 * server error and arrives in time. The fields come from the contract, so a new call is attacked without a new test.
 */
import { expect, test } from 'vitest';
import { z } from 'zod';
import { TEAM_HEADER } from '#contract/constants.ts';
import { type Route, type RouteKey, routes } from '#contract/routes.ts';
import { createSession } from '#server/people/accounts/sessions/sessions.ts';
import { startApp } from '#server/testing/app.ts';
import { request } from '#server/testing/client.ts';
import { HOSTILE_VALUES, WRONG_KINDS } from '#server/testing/hostile.ts';
import { leavesOf, sampleOf, withValue } from '#server/testing/schema-samples.ts';

/** In milliseconds. Far above what any of these calls needs, even on a busy machine; the attacks that are known took minutes. */
const LIMIT = 20_000;

const app = await startApp();
const team = await app.make.team();

type Parts = Record<'params' | 'query' | 'body', unknown>;

const schemaOf = (key: RouteKey, part: keyof Parts): unknown => {
  const schema = (routes[key] as Route)[part];
  return schema && z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
};

function sampleCall(key: RouteKey): Parts {
  const part = (name: keyof Parts) => sampleOf(schemaOf(key, name));
  return { params: part('params'), query: part('query'), body: part('body') };
}

/** Sends a call as an operator, and returns the status. */
async function statusOf(key: RouteKey, parts: Parts, token: string): Promise<number> {
  const [path, init] = request(key, parts);
  const headers = new Headers(init.headers);
  headers.set('cookie', `tidings_session=${token}`);
  headers.set(TEAM_HEADER, team.id);
  const response = await fetch(app.url + path, {
    ...init,
    headers,
    redirect: 'manual',
    signal: AbortSignal.timeout(LIMIT),
  });
  await response.body?.cancel();
  return response.status;
}

/** The calls to attack: each with a copy for every field and hostile value. Uploads and forms have tests of their own. */
const attacked = (Object.keys(routes) as RouteKey[])
  .filter((key) => !['multipart', 'form'].includes((routes[key] as Route).kind ?? ''))
  .map((key) => [key, variantsOf(sampleCall(key))] as const)
  .filter(([, variants]) => variants.length > 0);

function variantsOf(sample: Parts): unknown[] {
  const texts = leavesOf(sample, 'string').flatMap((path) =>
    HOSTILE_VALUES.map((value) => withValue(sample, path, path[0] === 'params' ? value.toWellFormed() : value)),
  );
  const kinds = leavesOf({ body: sample.body }, 'any').flatMap((path) =>
    WRONG_KINDS.map((value) => withValue(sample, path, value)),
  );
  return [...texts, ...kinds];
}

test.each(attacked)('%s answers whatever its fields hold', { timeout: 300_000 }, async (key, variants) => {
  expect(await failuresOf(key, variants)).toEqual([]);
});

/** Makes the calls, and returns those that failed with a server error: status and the call, shortened. */
async function failuresOf(key: RouteKey, calls: readonly unknown[]): Promise<string[]> {
  const { id } = await app.make.user({ team, role: 'administrator', isOperator: true });
  const failures: string[] = [];
  let token: string | null = null;
  for (const call of calls) {
    token ??= await createSession(app.database.pipeline, id, app.clock.now());
    const status = await statusOf(key, call as Parts, token);
    // Whatever is not refused for its content may end its session.
    if (status !== 400) token = null;
    if (status >= 500) failures.push(`${status} ${JSON.stringify(call).slice(0, 200)}`);
  }
  return failures;
}
