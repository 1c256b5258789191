/** Saved filters over HTTP for tests, with the search replaced by fixed counts. */
import { Writable } from 'node:stream';
import type { Permission } from '#contract/permissions.ts';
import type { SavedFilter, SavedFilterFields } from '#contract/saved-filters.ts';
import type { SearchParameters } from '#contract/search.ts';
import type { Actor } from '#server/people/access/actor.ts';
import { createLog } from '#server/platform/http/log.ts';
import { savedFilterRoutes } from '#server/work/saved-filters/routes.ts';
import { type Client, signIn, startApp } from './app.ts';
import { errorOf } from './calls.ts';

export const PATH = '/api/patient-search-params';
export const NOT_FOUND = { status: 404, errorKey: 'NOT_FOUND' };

export const create = (client: Client, name: string, over: Partial<SavedFilterFields> = {}): Promise<SavedFilter> =>
  client.call(`POST ${PATH}`, { body: { name, ...over } });
export const save = (client: Client, id: string, body: SavedFilterFields) =>
  client.call(`PUT ${PATH}/:id`, { params: { id }, body });
export const remove = (client: Client, id: string) => client.call(`DELETE ${PATH}/:id`, { params: { id } });
export const list = (client: Client) => client.call(`GET ${PATH}`, {});
/** Returns the filters in order, as '1 Name'. */
export const order = async (client: Client) => (await list(client)).map(({ name, orderNum }) => `${orderNum} ${name}`);
export const refusalOf = (client: Client, body: SavedFilterFields) => errorOf(client, `POST ${PATH}`, { body });

/** Returns preferences with these values by facet. */
export const preferences = (
  map: Record<string, readonly string[]>,
  over: Partial<SavedFilterFields['userDefinedFacetPreferences']> = {},
) => ({
  userDefinedFacetPreferences: {
    preferenceMap: Object.fromEntries(
      Object.entries(map).map(([facet, values]) => [facet, values.map((value) => ({ field: facet, value }))]),
    ),
    ...over,
  },
});

/** Starts an app. `lines`: the log. `asked`: what previews asked the search to count. */
export async function startSavedFilterApp() {
  const lines: string[] = [];
  const destination = new Writable({
    write(chunk: Buffer, _, done) {
      lines.push(chunk.toString());
      done();
    },
  });
  const asked: { actor: Actor; parameters: SearchParameters; createdSince: Date }[] = [];
  const app = await startApp({
    log: createLog('trace', destination),
    routes: ({ database, clock }) =>
      savedFilterRoutes({
        db: database.app,
        clock: clock.now,
        countEvents: async (actor, parameters, createdSince) => {
          asked.push({ actor, parameters, createdSince });
          return { pings: 12, patients: 7 };
        },
        countFound: async (_, { userDefinedFacetPreferences: { openPatientsOnly } }) => (openPatientsOnly ? 5 : null),
      }),
  });
  const { make, database } = app;

  async function coordinator(over: { removed?: Permission[] } = {}) {
    const team = await make.team();
    const user = await make.user({ team, ...over });
    return { team, user, client: await signIn(app, user.username) };
  }

  const rows = async <R extends object>(text: string, values: unknown[] = []) =>
    (await database.pipeline.query<R>(text, values)).rows;

  return { app, lines, asked, coordinator, rows };
}
