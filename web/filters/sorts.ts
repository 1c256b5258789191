import { defaultSortOrder, type SortKey } from '#contract/sorts.ts';

const BY_DATE = { ASC: 'oldest first', DESC: 'newest first' };
const BY_NAME = { ASC: 'A to Z', DESC: 'Z to A' };
const BY_LENGTH = { ASC: 'shortest first', DESC: 'longest first' };
const BY_NUMBER = { ASC: 'fewest first', DESC: 'most first' };

/** The orders of lists in words; "current status" is that of the latest event. */
export const SORTS: Record<SortKey, { label: string; ASC: string; DESC: string }> = {
  PING_ENCOUNTER_DATE: { label: 'Date of current status', ...BY_DATE },
  MANAGEMENT_STATUS_DATE: { label: 'Date of last change', ...BY_DATE },
  LAST_NAME: { label: 'Last name', ...BY_NAME },
  FIRST_NAME: { label: 'First name', ...BY_NAME },
  VISIT_DURATION: { label: 'Visit duration', ...BY_LENGTH },
  LENGTH_OF_STAY: { label: 'Length of stay', ...BY_LENGTH },
  ROOM_AND_BED: { label: 'Room and bed', ASC: 'lowest first', DESC: 'highest first' },
  NUMBER_OF_ENCOUNTERS: { label: 'Encounters', ...BY_NUMBER },
  NUMBER_OF_OUTSIDE_ENCOUNTERS: { label: 'Outside encounters', ...BY_NUMBER },
  NUMBER_OF_PROGRAMS: { label: 'Programs', ...BY_NUMBER },
  NUMBER_OF_PRACTICES: { label: 'Practices', ...BY_NUMBER },
  RELEVANCE: { label: 'Relevance', ASC: 'worst match first', DESC: 'best match first' },
};

/** Both orders of each key, the default one first: the choices of a list's "Sort by". */
export const sortChoices = (keys: readonly SortKey[]): { value: string; label: string }[] =>
  keys.flatMap((key) => {
    const first = defaultSortOrder(key);
    return [first, first === 'ASC' ? 'DESC' : 'ASC'].map((order) => ({
      value: `${key} ${order}`,
      label: `${SORTS[key].label}, ${SORTS[key][order as 'ASC' | 'DESC']}`,
    }));
  });

/** A choice as its key and order. */
export const readSort = (choice: string): { sort: SortKey; order: 'ASC' | 'DESC' } => {
  const [sort, order] = choice.split(' ');
  return { sort: sort as SortKey, order: order === 'ASC' ? 'ASC' : 'DESC' };
};
