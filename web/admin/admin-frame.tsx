import { Link, Outlet } from '@tanstack/react-router';
import { experienceBase } from '#contract/experiences.ts';
import { useSession } from '../session/session.ts';
import classes from './admin.module.css';

const PARTS = [
  ['users', 'Users'],
  ['teams', 'Teams'],
  ['groups', 'Groups'],
  ['roles', 'Roles'],
  ['single-sign-on', 'Single sign-on'],
  ['requests', 'Requests to join'],
  ['changes', 'Changes'],
] as const;

/** The parts of administration, and the one that is open. */
export const AdminFrame = () => {
  const { user } = useSession();
  const base = experienceBase(user.applicationExperience);
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
