import type { ComponentProps } from 'react';
import { LONGEST_LIST } from './long-lists.ts';
import { Select } from './select.tsx';
import { useLoaded } from './use-loaded.ts';

/** The first page has no field that searches. */
const loadSearch = () => import('./search-select.tsx').then((file) => file.SearchSelect);

/** A select in a row of tools; a field that searches where there are many choices. */
export const LongSelect = (
  props: Pick<ComponentProps<typeof Select>, 'aria-label' | 'data'> & {
    value: string;
    choose: (value: string) => void;
  },
) => {
  const { choose, ...select } = props;
  const Search = useLoaded(loadSearch, props.data.length > LONGEST_LIST, false);
  const Field = Search ?? Select;
  return <Field {...select} onChange={({ currentTarget }) => choose(currentTarget.value)} />;
};
