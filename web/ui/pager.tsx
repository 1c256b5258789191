import { Button, NativeSelect } from '@mantine/core';
import classes from './pager.module.css';

/** One page back, one on, or straight to a page. Nothing where there is but one. */
export const Pager = ({ page, pages, go }: { page: number; pages: number; go: (page: number) => void }) =>
  pages > 1 ? (
    <nav className={classes.pager} aria-label="Pages of the list">
      <Button size="compact-xs" variant="default" disabled={page <= 1} onClick={() => go(page - 1)}>
        Previous
      </Button>
      <NativeSelect
        size="xs"
        aria-label="Page"
        value={String(page)}
        onChange={({ currentTarget }) => go(Number(currentTarget.value))}
        data={Array.from({ length: pages }, (_, index) => ({
          value: String(index + 1),
          label: `${index + 1} of ${pages}`,
        }))}
      />
      <Button size="compact-xs" variant="default" disabled={page >= pages} onClick={() => go(page + 1)}>
        Next
      </Button>
    </nav>
  ) : null;
