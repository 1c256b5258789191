import type { ReactNode } from 'react';
import { Empty } from '../../ui/states.tsx';
import { ListCount, ListSearch } from './list-search.tsx';
import { PageFoot } from './page-foot.tsx';
import { ROWS } from './paged-search.ts';
import type { Paging } from './use-paging.ts';

interface Props {
  paging: Pick<Paging, 'page' | 'rows' | 'go' | 'resize' | 'text' | 'type' | 'query' | 'clear'>;
  /** Entries on all pages that match the search. */
  total: number;
  placeholder?: string;
  one: string;
  many: string;
  /** The entries of this page. */
  children: ReactNode;
}

/** A list with a search above it and a pager below it, both only where the list is longer than a page. */
export const PagedList = ({ paging, total, placeholder = 'Name', one, many, children }: Props) => {
  if (total <= ROWS[0] && paging.text === '' && !paging.query) return children;
  return (
    <>
      <ListSearch placeholder={placeholder} text={paging.text} type={paging.type} />
      <ListCount total={total} one={one} many={many} filters={paging.query ? 1 : 0} clear={paging.clear} />
      {total === 0 ? <Empty title={`No ${many} match.`}>Try fewer letters.</Empty> : children}
      <PageFoot paging={paging} total={total} />
    </>
  );
};
