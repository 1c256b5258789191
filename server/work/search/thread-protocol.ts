/** The messages between the web process and its search threads. */
import type { SearchContext } from '#contract/facets.ts';
import type { AccessScope } from './access-scope.ts';
import type { Median } from './columns/median.ts';
import type { Answer, Condition, Query, ValueCount } from './columns/table.ts';

/** `values`: values of a facet that match typed text. `byDescription`: codes also match by their descriptions. */
export type Question =
  | { kind: 'search'; query: Query }
  | { kind: 'count'; condition: Condition }
  | { kind: 'median'; number: string; condition: Condition }
  | { kind: 'values'; facet: string; text: string; condition: Condition; limit: number; byDescription: boolean };

/** The answer to each kind of question. `descriptions`: what the diagnosis codes in the answer mean. */
export interface AnswerTo {
  search: {
    answer: Answer;
    descriptions: Record<string, string>;
    /** False if the list is still being loaded, and the answer is from a part of it. */
    isWhole: boolean;
  };
  count: { total: number };
  median: Median;
  values: { values: ValueCount[]; descriptions: Record<string, string> };
}

export interface SearchRequest {
  id: number;
  scope: AccessScope;
  context: SearchContext;
  question: Question;
  /** A transaction whose changes the answer must include; 'now': all committed transactions. */
  after: string | null;
  /** Whether the caller takes an answer from a part of the list while the rest is being loaded. */
  takesPart: boolean;
  /** The time of the process's clock, in milliseconds. */
  now: number;
}

export type SearchReply =
  | { kind: 'answer'; id: number; result: unknown }
  | { kind: 'failure'; id: number; message: string; isUnavailable: boolean }
  /** Why the replica is out of use; null if rows are read from it. */
  | { kind: 'replica'; reason: string | null }
  | { kind: 'log'; level: 'info' | 'warn' | 'error'; fields: Record<string, unknown>; message: string };

export interface ThreadData {
  /** The database URL of the app role. */
  url: string;
  /** The app role's URL of the hot standby that rows are read from; null without one. */
  replicaUrl: string | null;
  /** The memory limit of the thread's stores, in bytes. */
  memory: number;
}
