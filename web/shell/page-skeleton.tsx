import { useLocation } from '../router/hooks.ts';
import { RowsLoading } from '../ui/states.tsx';

/** The paths that show a skeleton while their script loads. */
const PATHS = new Set([
  '/hospital',
  '/hospital/home/inbox',
  '/dashboard',
  '/dashboard/home/inbox',
  '/dashboard/patients/my-patients',
  '/ehr',
  '/ehr/inbox',
]);

/** In place of the page, beside the navigation. */
export const PageSkeleton = () => {
  const path = useLocation({ select: ({ pathname }) => pathname });
  return PATHS.has(path.replace(/\/$/, '')) ? <RowsLoading rows={8} height={77} /> : null;
};
