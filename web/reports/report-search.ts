/** The part of a report's state that is in the URL: filters by id or code, sort, page. A typed name is not. */
import { idIn, oneOf } from '../router/search-values.ts';

type Raw = Record<string, unknown>;

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
