import { LOG_KINDS, type LogKind } from '#contract/audit-log-kinds.ts';
import { oneOf, wholeIn } from '../../router/search-values.ts';

/** What limits the audit log, in the URL: ids of accounts, never names. */
export interface ChangesFilter {
  /** The account that entries are about. */
  user?: number;
  /** The user who acted. */
  by?: number;
  kind?: LogKind;
  /** Days, YYYY-MM-DD. */
  from?: string;
  to?: string;
}
/** The part of the audit log's state that is in the URL: its filters and the page. */
export interface ChangesSearch extends ChangesFilter {
  p?: number;
}

/** Years with two or three digits are ones that are still being typed. */
const DAY = /^[12]\d{3}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;
export const isDay = (text: string): boolean =>
  DAY.test(text) && new Date(`${text}T00:00:00Z`).toISOString().startsWith(text);

const day = (value: unknown): string | undefined => (typeof value === 'string' && isDay(value) ? value : undefined);

type Loose<T> = { [K in keyof T]: T[K] | undefined };
export type FilterPart = Loose<ChangesFilter>;

/** Returns the search without what is not set. */
export const only = ({ user, by, kind, from, to, p = 1 }: Loose<ChangesSearch>): ChangesSearch => ({
  ...(user ? { user } : {}),
  ...(by ? { by } : {}),
  ...(kind ? { kind } : {}),
  ...(from ? { from } : {}),
  ...(to ? { to } : {}),
  ...(p > 1 ? { p } : {}),
});

/** Reads the state from a URL, ignoring what is invalid. */
export const changesSearch = (search: Record<string, unknown>): ChangesSearch => {
  const kind = oneOf(search['kind'], LOG_KINDS);
  const read = { user: wholeIn(search['user']), by: wholeIn(search['by']), kind, p: wholeIn(search['p']) };
  return only({ ...read, from: day(search['from']), to: day(search['to']) });
};

/** Returns the filters as the API takes them. */
export const filtersOf = ({ user, by, kind, from, to }: ChangesFilter) => ({
  ...(user ? { userId: String(user) } : {}),
  ...(by ? { byId: String(by) } : {}),
  ...(kind ? { kind } : {}),
  ...(from ? { from } : {}),
  ...(to ? { to } : {}),
});
