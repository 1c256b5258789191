import { useLocation } from '@tanstack/react-router';
import { isInEhr } from '../session/ehr-frame.ts';
import { RowsLoading } from '../ui/states.tsx';
import classes from './skeletons.module.css';

/** Where something of the page's shape stands while its script loads; elsewhere nothing does. */
const PATHS = new Set([
  '/hospital',
  '/hospital/home/inbox',
  '/dashboard',
  '/dashboard/home/inbox',
  '/dashboard/patients/my-patients',
  '/ehr',
  '/ehr/inbox',
]);
const useShaped = (): boolean => PATHS.has(useLocation({ select: ({ pathname }) => pathname }).replace(/\/$/, ''));

/** In the page's place, at the right of the navigation. */
export const PageSkeleton = () => (useShaped() ? <RowsLoading rows={8} height={77} /> : null);

/** On the first render: the whole screen. */
export const FullSkeleton = () =>
  useShaped() ? (
    <div className={classes.screen} data-bare={isInEhr() || undefined}>
      <div className={classes.header} />
      <div className={classes.nav} />
      <RowsLoading rows={8} height={77} />
    </div>
  ) : null;
