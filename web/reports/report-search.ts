/** The part of a report's state that is in the URL: filters by id or code, sort, page. A typed name is not. */
import { idIn, oneOf } from '../router/search-values.ts';

type Raw = Record<string, unknown>;

/** Returns the value if it is a day, YYYY-MM-DD. */
export const dayIn = (value: unknown): string | undefined =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value)) ? value : undefined;

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
