/** The part of a report's state that is in the URL: filters by id or code, sort, page. A typed name is not. */

type Raw = Record<string, unknown>;

/** Returns the parameter if it is one of these, whatever type the URL gave it. */
export const oneOf = <T extends string | number>(value: unknown, allowed: readonly T[]): T | undefined =>
  allowed.find((each) => String(each) === String(value));

/** Returns the parameter if it is an id. */
export const idIn = (value: unknown): string | undefined => {
  const text = typeof value === 'number' || typeof value === 'string' ? String(value) : '';
  return /^[1-9]\d{0,18}$/.test(text) ? text : undefined;
};

/** Returns the parameter if it is a day. */
export const dayIn = (value: unknown): string | undefined =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value)) ? value : undefined;

/** Returns the object without what is undefined. */
export const compact = <T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never;

/** Reads the sort of a report. */
export const sortIn = <C extends string>({ sort, order }: Raw, columns: Record<C, string>) => ({
  sort: oneOf(sort, Object.keys(columns) as C[]),
  order: oneOf(order, ['asc', 'desc'] as const),
});

/** Reads the filters that the reports about users share. */
export const ofUserIn = ({ team, group, role, status }: Raw, statuses: readonly string[]) => ({
  ofTeamId: idIn(team),
  groupId: idIn(group),
  roleId: idIn(role),
  status: oneOf(status, statuses),
});
