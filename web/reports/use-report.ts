import { usePaging } from '../admin/paging/use-paging.ts';
import { useLocation } from '../router/hooks.ts';
import { definedEntries } from '../router/search-values.ts';

type Raw = Record<string, unknown>;
const STATE = ['p', 'rows', 'sort', 'order'];

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';

/** Filters, sort and page of a report. `read` makes the call's parameters from those of the URL, whose names are `Key`. */
export const useReport = <Key extends string, Filters extends object>(
  keys: readonly Key[],
  read: (raw: Raw) => Filters,
) => {
  const paging = usePaging();
  const raw = useLocation({ select: ({ search }) => search });
  const filters = definedEntries(read(raw));
  const kept = Object.fromEntries(
    Object.entries(raw).filter(([key]) => [...STATE, ...keys].includes(key) && key !== 'p'),
  );
  return {
    paging,
    filters,
    /** For the call: the filters, the typed text and the page. */
    parameters: { ...filters, ...paging.filters },
    /** What is in the URL, for the fields. */
    text: (key: Key | 'sort' | 'order'): string => textOf(raw[key]),
    /** Changes parameters of the URL and shows the first page. An empty one is removed. */
    set: (changes: Partial<Record<Key | 'sort' | 'order', string>>): void =>
      paging.limit(
        definedEntries({
          ...kept,
          // The router writes a text of digits with quotation marks.
          ...Object.fromEntries(
            Object.entries<string | undefined>(changes).map(([key, value]) => [
              key,
              value ? (/^\d{1,15}$/.test(value) ? Number(value) : value) : undefined,
            ]),
          ),
        }),
      ),
    filterCount: Number(paging.query !== '') + keys.filter((key) => raw[key] !== undefined).length,
  };
};

export type Report<Key extends string> = Pick<
  ReturnType<typeof useReport<Key, object>>,
  'paging' | 'text' | 'set' | 'filterCount'
>;
