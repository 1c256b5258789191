import classes from './pager.module.css';
import { Button } from './plain/button.tsx';

/** Goes one page back or forward, or to either end. Renders nothing for a single page. */
export const Pager = ({ page, pages, go }: { page: number; pages: number; go: (page: number) => void }) => {
  if (pages <= 1) return null;
  const step = (label: string, to: number, end = false) => (
    <Button
      className={end ? classes.end : undefined}
      size="compact-xs"
      variant="default"
      disabled={to < 1 || to > pages || to === page}
      onClick={() => go(to)}
    >
      {label}
    </Button>
  );
  return (
    <nav className={classes.pager} aria-label="Pagination">
      {step('First', 1, true)}
      {step('Previous', page - 1)}
      <span>
        {page.toLocaleString('en-US')} of {pages.toLocaleString('en-US')}
      </span>
      {step('Next', page + 1)}
      {step('Last', pages, true)}
    </nav>
  );
};
