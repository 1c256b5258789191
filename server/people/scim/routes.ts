import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '#server/config.ts';
import { bearerToken } from '#server/people/access/bearer-token.ts';
import { type RegisteredRoute, route } from '#server/people/access/route.ts';
import { hashOf } from '#server/people/accounts/token-hash.ts';
import type { Clock } from '#server/platform/calendar/clock.ts';
import type { Database } from '#server/platform/database/pool.ts';
import { Turns } from '#server/platform/database/turns.ts';
import { ApiError, orNotFound } from '#server/platform/http/api-error.ts';
import { resourceTypes, schemas, serviceProviderConfig } from './discovery.ts';
import { parseFilter } from './filter.ts';
import * as groupRows from './group-rows.ts';
import * as groups from './groups.ts';
import { changeAsProvider, type Provider, type ProviderCall, providerOfToken, readAsProvider } from './provision.ts';
import { groupResource, listOf, type Projection, pageOf, projected, userResource, wantsMembers } from './resources.ts';
import * as userRows from './user-rows.ts';
import * as users from './users.ts';

/** Calls of a connection that run at the same time. Its changes wait for each other anyway, and each would hold a connection to the database. */
const AT_ONCE = { most: 2, waiting: 200, patience: 30_000 };

interface ScimDeps {
  /** Connects with the app role. */
  db: Database;
  clock: Clock;
  config: Pick<Config, 'publicUrl'>;
}

/** SCIM 2.0 for the identity providers of connections (docs/decisions/0099). */
export function scimRoutes({ db, clock, config: { publicUrl } }: ScimDeps): RegisteredRoute[] {
  const base = `${publicUrl}/api/scim/v2`;
  const providers = new WeakMap<FastifyRequest, Provider>();
  const admit = async (request: FastifyRequest): Promise<void> => {
    providers.set(request, await providerOfToken(db, hashOf(bearerToken(request)), clock()));
  };
  const turns = new Turns(AT_ONCE);
  const inTurn =
    (run: typeof readAsProvider): Run =>
    async ({ request }, fn) => {
      const provider = providers.get(request);
      if (provider === undefined) throw new ApiError('NOT_SIGNED_IN');
      const end = await turns.take(provider.connectionId);
      if (end === null) throw new ApiError('TOO_MANY_REQUESTS');
      return run({ db, provider, requestId: request.id, now: clock() }, fn).finally(end);
    };
  const runners: Runners = { base, read: inTurn(readAsProvider), change: inTurn(changeAsProvider) };
  const all = [...discoveryRoutes(runners), ...userRoutes(runners), ...groupRoutes(runners)];
  return all.map((each) => ({ ...each, admit }));
}

/** How a call runs once its token is known. */
interface Runners {
  base: string;
  read: Run;
  change: Run;
}
type Run = <T>(context: { request: FastifyRequest }, fn: (call: ProviderCall) => Promise<T>) => Promise<T>;

const discoveryRoutes = ({ base, read }: Runners): RegisteredRoute[] => [
  route('GET /api/scim/v2/ServiceProviderConfig', (context) => read(context, async () => serviceProviderConfig(base))),
  ...(['ResourceTypes', 'Schemas'] as const).flatMap((kind) => {
    const all: { id: string }[] = kind === 'Schemas' ? schemas(base) : resourceTypes(base);
    return [
      route(`GET /api/scim/v2/${kind}`, (context) => read(context, async () => listOf(all, all.length))),
      route(`GET /api/scim/v2/${kind}/:id`, (context) =>
        read(context, async () => orNotFound(all.find(({ id }) => id === context.params.id))),
      ),
    ];
  }),
];

function userRoutes({ base, read, change }: Runners): RegisteredRoute[] {
  const answer = (row: userRows.UserRow, query: Projection) => projected(userResource(base, row), query);
  return [
    route('GET /api/scim/v2/Users', (context) =>
      read(context, async ({ tx, provider }) => {
        const page = pageOf(context.query);
        const { rows, total } = await userRows.findUsers(tx, provider, { ...page, filter: filterIn(context.query) });
        const resources = rows.map((row) => answer(row, context.query));
        return listOf(resources, total, page.offset);
      }),
    ),
    route('POST /api/scim/v2/Users', async (context) => {
      const row = await change(context, (call) => users.create(call, context.body));
      locate(context.reply, `${base}/Users/${row.id}`);
      return answer(row, context.query);
    }),
    route('GET /api/scim/v2/Users/:id', ({ params, query, ...context }) =>
      read(context, async ({ tx, provider }) =>
        answer(orNotFound(await userRows.findUser(tx, provider, params.id)), query),
      ),
    ),
    route('PUT /api/scim/v2/Users/:id', async ({ params, query, body, ...context }) =>
      answer(await change(context, (call) => users.replace(call, params.id, body)), query),
    ),
    route('PATCH /api/scim/v2/Users/:id', async ({ params, query, body, ...context }) =>
      answer(await change(context, (call) => users.patch(call, params.id, body.Operations)), query),
    ),
    route('DELETE /api/scim/v2/Users/:id', ({ params, ...context }) =>
      change(context, (call) => users.remove(call, params.id)),
    ),
  ];
}

function groupRoutes({ base, read, change }: Runners): RegisteredRoute[] {
  const answer = (row: groupRows.GroupRow, query: Projection) => projected(groupResource(base, row), query);
  return [
    route('GET /api/scim/v2/Groups', ({ query, ...context }) =>
      read(context, async ({ tx, provider }) => {
        const page = pageOf(query);
        const wanted = { ...page, ...membersOf(query), filter: filterIn(query) };
        const { rows, total } = await groupRows.findGroups(tx, provider, wanted);
        const resources = rows.map((row) => answer(row, query));
        return listOf(resources, total, page.offset);
      }),
    ),
    route('POST /api/scim/v2/Groups', async (context) => {
      const row = await change(context, (call) => groups.create(call, context.body, membersOf(context.query)));
      locate(context.reply, `${base}/Groups/${row.id}`);
      return answer(row, context.query);
    }),
    route('GET /api/scim/v2/Groups/:id', ({ params, query, ...context }) =>
      read(context, async ({ tx, provider }) => {
        const found = await groupRows.findGroup(tx, provider, params.id, membersOf(query));
        return answer(orNotFound(found), query);
      }),
    ),
    route('PUT /api/scim/v2/Groups/:id', async ({ params, query, body, ...context }) =>
      answer(await change(context, (call) => groups.replace(call, params.id, body, membersOf(query))), query),
    ),
    route('PATCH /api/scim/v2/Groups/:id', async ({ params, query, body, ...context }) =>
      answer(await change(context, (call) => groups.patch(call, params.id, body.Operations, membersOf(query))), query),
    ),
    route('DELETE /api/scim/v2/Groups/:id', ({ params, ...context }) =>
      change(context, (call) => groups.remove(call, params.id)),
    ),
  ];
}

const membersOf = (query: Projection) => ({ withMembers: wantsMembers(query) });

const locate = (reply: FastifyReply, address: string): void => void reply.header('location', address);

const filterIn = ({ filter }: { filter?: string | undefined }) => (filter?.trim() ? parseFilter(filter) : null);
