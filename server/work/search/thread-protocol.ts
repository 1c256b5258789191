/** What goes between the process and its search threads. */
import type { SearchContext } from '#contract/facets.ts';
import type { AccessScope } from './access-scope.ts';
import type { Median } from './columns/median.ts';
import type { Answer, Condition, Query, ValueCount } from './columns/table.ts';

/** `values`: of a facet's column, for what somebody types; with `byDescription` codes are found by what they mean. */
export type Question =
  | { kind: 'search'; query: Query }
  | { kind: 'count'; condition: Condition }
  | { kind: 'median'; number: string; condition: Condition }
  | { kind: 'values'; facet: string; text: string; condition: Condition; limit: number; byDescription: boolean };

/** `descriptions`: what codes of diagnoses in the answer mean. */
export interface AnswerTo {
  search: { answer: Answer; descriptions: Record<string, string> };
  count: { total: number };
  median: Median;
  values: { values: ValueCount[]; descriptions: Record<string, string> };
}

export interface Request {
  id: number;
  scope: AccessScope;
  context: SearchContext;
  ask: Question;
  /** A transaction that the answer has to know of; 'now': all that have ended. */
  after: string | null;
  /** The process's clock, in milliseconds. */
  now: number;
}

export type Reply =
  | { kind: 'answer'; id: number; result: unknown }
  | { kind: 'failure'; id: number; message: string; isUnavailable: boolean }
  | { kind: 'log'; level: 'info' | 'warn'; fields: Record<string, unknown>; message: string };

/** Of a thread. */
export interface ThreadData {
  /** The app role's. */
  url: string;
  /** In bytes. */
  memory: number;
}
