import { RowsLoading } from '../ui/states.tsx';

/** What stands in the page's place while its script loads. */
export const PageSkeleton = () => <RowsLoading rows={8} height={77} />;
