/** Facts of one patient on their way into visits: their keys, and the time that a group of them covers. */
import type { Fact } from './fold-input.ts';

export type Level = 'visit' | 'account' | 'alternate' | 'day' | 'none';

export interface Keyed {
  fact: Fact;
  record: string;
  visit: string | null;
  account: string | null;
  alternate: string | null;
  day: string | null;
  level: Level;
  /** Event time and PV1-44, in milliseconds. */
  at: number;
  admitted: number | null;
}

export interface Cluster {
  key: string;
  record: string;
  visit: string | null;
  members: Keyed[];
}

export interface Span {
  cluster: Cluster;
  start: number;
  end: number;
}

/** Returns the time from the first fact to the discharge, open-ended without a discharge or after its cancel. */
export function spanOf(cluster: Cluster): Span {
  const times = cluster.members.flatMap(({ at, admitted }) => (admitted === null ? [at] : [at, admitted]));
  const latest = (ends: Keyed[]) => Math.max(Number.NEGATIVE_INFINITY, ...ends.map(({ at }) => at));
  const ended = latest(cluster.members.filter(({ fact }) => endsVisit(fact)));
  const reopened = latest(cluster.members.filter(({ fact }) => fact.adt.trigger === 'A13'));
  const end = reopened >= ended ? Number.POSITIVE_INFINITY : ended;
  return { cluster, start: Math.min(...times), end };
}

export const endsVisit = ({ adt, manualCode }: Fact): boolean =>
  adt.trigger === 'A03' || manualCode === 'DISCHARGE' || manualCode === 'DECEASED' || manualCode === 'ENDED_SERVICES';

export const latestFirst = (a: Span, b: Span): number => b.start - a.start || (a.cluster.key < b.cluster.key ? -1 : 1);
