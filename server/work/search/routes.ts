import type { FastifyRequest } from 'fastify';
import { AFTER_HEADER, PART_HEADER } from '#contract/constants.ts';
import type { SearchContext } from '#contract/facets.ts';
import { isOpen, MANAGEMENT_STATUSES } from '#contract/management-status.ts';
import type { SearchParameters } from '#contract/search.ts';
import type { Actor } from '#server/people/access/actor.ts';
import { type RegisteredRoute, route } from '#server/people/access/route.ts';
import type { Clock } from '#server/platform/calendar/clock.ts';
import { assertMayList } from './access-scope.ts';
import {
  countInbox,
  countRanges,
  countRows,
  DEFAULT_PARAMETERS,
  expectedStays,
  hashesOf,
  resultHashes,
  type SearchDeps,
  search,
} from './search.ts';
import { completePatient, completeValue } from './typeahead.ts';

export function searchRoutes({ clock, ...deps }: SearchDeps & { clock: Clock }): RegisteredRoute[] {
  const caller = (actor: Actor, request: FastifyRequest) => ({ actor, now: clock(), after: afterOf(request) });
  const list = (
    context: SearchContext,
    { actor, body, request }: { actor: Actor; body: SearchParameters; request: FastifyRequest },
  ) => {
    const takesPart = request.headers[PART_HEADER] === '1';
    return search(deps, { ...caller(actor, request), takesPart, context, parameters: body });
  };
  return [
    route('POST /api/pings', async (call) => {
      const results = await list('PINGS', call);
      return { ...results, hash: hashesOf(results).hash };
    }),
    route('POST /api/patients/search', (call) => {
      assertMayList(call.actor, call.body.searchContext);
      return list(call.body.searchContext, call);
    }),
    route('POST /api/events/search', (call) => list('EVENTS', call)),
    route('GET /api/pings/count/:kind', async ({ actor, params, request }) => {
      const { byStatus } = await countInbox(deps, caller(actor, request));
      const statuses = MANAGEMENT_STATUSES.filter((status) => isOpen(status) === (params.kind === 'open'));
      return { count: statuses.reduce((sum, status) => sum + byStatus[status], 0) };
    }),
    route('GET /api/patients/count', async ({ actor, request }) => ({
      count: await countRows(deps, { ...caller(actor, request), context: 'ALL', parameters: DEFAULT_PARAMETERS }),
    })),
    route('POST /api/patients/range-counts', async ({ actor, body, request }) => {
      const of = { ...caller(actor, request), context: 'ALL', ...body } as const;
      const [counts, expected] = await Promise.all([
        countRanges(deps, of),
        body.facet === 'lengthOfStay' ? expectedStays(deps, of) : null,
      ]);
      return { counts, expected };
    }),
    route('POST /api/pings-result-hashes', ({ actor, body, request }) =>
      resultHashes(deps, { ...caller(actor, request), context: 'PINGS', parameters: body }),
    ),
    route('POST /api/typeahead/patients', ({ actor, body, request }) =>
      completePatient(deps, { ...caller(actor, request), typed: body }),
    ),
    route('POST /api/typeahead/:kind', ({ actor, params, body, request }) =>
      completeValue(deps, params.kind, { ...caller(actor, request), typed: body }),
    ),
  ];
}

/** Returns the transaction whose changes the caller wants to see, 'now' for all committed ones, or null. */
function afterOf(request: FastifyRequest): string | null {
  const header = request.headers[AFTER_HEADER];
  return typeof header === 'string' && /^(now|\d{1,19})$/.test(header) ? header : null;
}
