import { LIST_EXPORT_ROWS } from '#contract/export-fields.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { orderOf } from '#server/work/search/row-order.ts';
import { prepare, type Search, type SearchDeps } from '#server/work/search/search.ts';

/** Returns the rows of a list that match, in its order. Errors: EXPORT_TOO_MANY_ROWS, and as `prepare`. */
export async function listKeys(deps: SearchDeps, of: Search): Promise<readonly number[]> {
  const { scope, condition } = await prepare(deps, of);
  const page = { offset: 0, limit: LIST_EXPORT_ROWS, facets: [], facetSize: 0 };
  const query = { ...condition, sort: orderOf(of.parameters, of.context, of.now), ...page };
  const { answer } = await deps.pool.ask<'search'>(scope, of.context, { kind: 'search', query }, of);
  if (answer.total > LIST_EXPORT_ROWS) throw new ApiError('EXPORT_TOO_MANY_ROWS');
  return answer.keys;
}
