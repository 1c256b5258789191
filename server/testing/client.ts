import { AFTER_HEADER, TEAM_HEADER, WRITTEN_HEADER } from '#contract/constants.ts';
import type { ErrorBody } from '#contract/errors.ts';
import { type RouteAnswer, type RouteInput, type RouteKey, routes } from '#contract/routes.ts';
import { TEST_PASSWORD } from './factories.ts';

/** A call was not answered with 2xx. */
export class CallError extends Error {
  override name = 'CallError';
  readonly status: number;
  readonly body: ErrorBody;

  constructor(key: string, status: number, body: ErrorBody) {
    super(`${key} answered ${status} ${body.errorKey}`);
    this.status = status;
    this.body = body;
  }
}

/** A user's browser: keeps cookies, sends the selected team, and makes typed calls. */
export interface Client {
  /** The selected team, or null. */
  teamId: string | null;
  readonly cookies: Map<string, string>;
  /** Calls a route that answers JSON or nothing; throws CallError. */
  call<K extends RouteKey>(key: K, input: RouteInput<K>): Promise<RouteAnswer<K>>;
  /** Makes any request, with the cookies and the team header. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
}

/** Returns a client that is not signed in. */
export function anonymous(app: { url: string }): Client {
  const cookies = new Map<string, string>();
  let written: string | null = null;
  const client: Client = {
    teamId: null,
    cookies,
    async call(key, input) {
      const response = await client.fetch(...request(key, input));
      const text = await response.text();
      if (!response.ok) throw new CallError(key, response.status, JSON.parse(text) as ErrorBody);
      return (text === '' ? undefined : JSON.parse(text)) as never;
    },
    async fetch(path, init = {}) {
      const headers = new Headers(init.headers);
      headers.set('cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '));
      if (client.teamId !== null && !headers.has(TEAM_HEADER)) headers.set(TEAM_HEADER, client.teamId);
      if (written !== null && !headers.has(AFTER_HEADER)) headers.set(AFTER_HEADER, written);
      const response = await fetch(app.url + path, { ...init, headers, redirect: 'manual' });
      written = response.headers.get(WRITTEN_HEADER) ?? written;
      for (const line of response.headers.getSetCookie()) keep(cookies, line);
      return response;
    },
  };
  return client;
}

/** Signs in and selects the user's default team. */
export async function signIn(app: { url: string }, username: string, password = TEST_PASSWORD): Promise<Client> {
  const client = anonymous(app);
  await client.call('POST /api/authenticate', { body: { username, password } });
  client.teamId = (await client.call('GET /api/me', {})).defaultTeam;
  return client;
}

/** Returns the path with its query, and the method, headers and body of a call. */
export function request(key: RouteKey, input: unknown): [path: string, init: RequestInit] {
  const [method = '', pattern = ''] = key.split(' ');
  const {
    params,
    query = {},
    body,
  } = (input ?? {}) as {
    params?: Record<string, string>;
    query?: Record<string, string | number | string[] | undefined>;
    body?: unknown;
  };
  const path = pattern.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params?.[name] ?? ''));
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) =>
      [value].flat().flatMap((each) => (each === undefined ? [] : [[name, String(each)] as [string, string]])),
    ),
  ).toString();
  const json = 'body' in routes[key] && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  return [search ? `${path}?${search}` : path, { method, ...json }];
}

function keep(cookies: Map<string, string>, line: string): void {
  const [pair = '', ...attributes] = line.split(';');
  const [name = '', value = ''] = pair.split('=');
  const isGone = attributes.some((attribute) => /^\s*max-age=0$/i.test(attribute)) || value === '';
  if (isGone) cookies.delete(name);
  else cookies.set(name, value);
}
