import { useLocation } from '../router/hooks.ts';
import { isInEhr } from '../session/ehr-frame.ts';
import { RowsLoading } from '../ui/states.tsx';
import classes from './skeletons.module.css';

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
const useHasSkeleton = (): boolean => PATHS.has(useLocation({ select: ({ pathname }) => pathname }).replace(/\/$/, ''));

/** In place of the page, beside the navigation. */
export const PageSkeleton = () => (useHasSkeleton() ? <RowsLoading rows={8} height={77} /> : null);

/** On the first render, for the whole screen. */
export const FullSkeleton = () =>
  useHasSkeleton() ? (
    <div className={classes.screen} data-embedded={isInEhr() || undefined}>
      <div className={classes.header} />
      <div className={classes.nav} />
      <RowsLoading rows={8} height={77} />
    </div>
  ) : null;
