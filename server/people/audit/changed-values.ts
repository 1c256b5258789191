import { isDeepStrictEqual } from 'node:util';

/** What a value was and became; null where there was or is none. */
export type ChangedValue = [before: unknown, after: unknown];

/** Returns the values that differ, by field, for an entry's detail. Name no field that holds a secret. */
export function changedValues<T extends object>(
  before: T,
  after: { readonly [K in keyof T]?: unknown },
  fields: readonly (keyof T & string)[],
): Record<string, ChangedValue> {
  const pairs = fields.map((field): [string, ChangedValue] => [field, [before[field] ?? null, after[field] ?? null]]);
  return Object.fromEntries(pairs.filter(([, [was, is]]) => !isDeepStrictEqual(was, is)));
}
