/** Values of a URL's query, which anyone may have edited: what is invalid counts as absent. */

/** Returns the value if it is one of these, whatever type the query gave it. */
export const oneOf = <T extends string | number>(value: unknown, allowed: readonly T[]): T | undefined =>
  allowed.find((each) => String(each) === String(value));

/** Returns the value if it is an id. The router reads digits as a number. */
export const idIn = (value: unknown): string | undefined => {
  const text = typeof value === 'number' || typeof value === 'string' ? String(value) : '';
  return /^[1-9]\d{0,18}$/.test(text) ? text : undefined;
};

/** Returns the value if it is a whole number within these. */
export const wholeIn = (value: unknown, least = 1, most = Number.MAX_SAFE_INTEGER): number | undefined => {
  const number = Number(value);
  return Number.isInteger(number) && number >= least && number <= most ? number : undefined;
};

/** Returns the entries that have a value. */
export const definedEntries = <T extends object>(values: T): T =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T;
