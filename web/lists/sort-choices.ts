import { defaultSortOrder, SORT_LABELS, type SortKey } from '#contract/sorts.ts';

const BY_DATE = { ASC: 'oldest first', DESC: 'newest first' };
const BY_NAME = { ASC: 'A to Z', DESC: 'Z to A' };
const BY_LENGTH = { ASC: 'shortest first', DESC: 'longest first' };
const BY_NUMBER = { ASC: 'fewest first', DESC: 'most first' };

/** The two orders of each key in words. Relevance has only one. */
const ORDERS: Record<Exclude<SortKey, 'RELEVANCE'>, { ASC: string; DESC: string }> = {
  PING_ENCOUNTER_DATE: BY_DATE,
  MANAGEMENT_STATUS_DATE: BY_DATE,
  LAST_NAME: BY_NAME,
  FIRST_NAME: BY_NAME,
  VISIT_DURATION: BY_LENGTH,
  LENGTH_OF_STAY: BY_LENGTH,
  ROOM_AND_BED: { ASC: 'lowest first', DESC: 'highest first' },
  NUMBER_OF_ENCOUNTERS: BY_NUMBER,
  NUMBER_OF_OUTSIDE_ENCOUNTERS: BY_NUMBER,
  NUMBER_OF_PROGRAMS: BY_NUMBER,
  NUMBER_OF_PRACTICES: BY_NUMBER,
  URGENCY: { ASC: 'least urgent first', DESC: 'most urgent first' },
  DUE_DATE: { ASC: 'earliest first', DESC: 'latest first' },
};

/** Returns an order in words: "Last name, A to Z". */
export const sortWords = (key: SortKey, order: 'ASC' | 'DESC'): string =>
  `${SORT_LABELS[key]}, ${key === 'RELEVANCE' ? 'best match first' : ORDERS[key][order]}`;

/** Returns the choices of "Sort by": both orders of each key, the default one first. */
export const sortChoices = (keys: readonly SortKey[]): { value: string; label: string }[] =>
  keys.flatMap((key) => {
    const first = defaultSortOrder(key);
    const orders = key === 'RELEVANCE' ? [first] : [first, first === 'ASC' ? ('DESC' as const) : ('ASC' as const)];
    return orders.map((order) => ({ value: `${key} ${order}`, label: sortWords(key, order) }));
  });

/** Returns the key and order of a choice. */
export const readSort = (choice: string): { sort: SortKey; order: 'ASC' | 'DESC' } => {
  const [sort, order] = choice.split(' ');
  return { sort: sort as SortKey, order: order === 'ASC' ? 'ASC' : 'DESC' };
};
