import { Link, Outlet } from '@tanstack/react-router';
import { experienceBase } from '#contract/experiences.ts';
import { useSession } from '../session/session.ts';
import { NotFoundPage } from '../shell/not-found-page.tsx';
import classes from './admin.module.css';

const PARTS = [
  ['users', 'Users'],
  ['teams', 'Teams'],
  ['groups', 'Groups'],
  ['roles', 'Roles'],
  ['single-sign-on', 'Single sign-on'],
  ['requests', 'Requests to join'],
] as const;

/** The parts of administration, and the one that is open. For who may not administer, it does not exist. */
export const AdminFrame = () => {
  const { user, can } = useSession();
  const base = experienceBase(user.applicationExperience);
  if (!can('canManageUsers')) return <NotFoundPage />;
  return (
    <div className={classes.frame}>
      <nav className={classes.tabs} aria-label="Administration">
        <ul>
          {PARTS.map(([path, label]) => (
            <li key={path}>
              <Link to={`${base}/admin/${path}`} className={classes.tab} activeOptions={{ includeSearch: false }}>
                {label}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <Outlet />
    </div>
  );
};
