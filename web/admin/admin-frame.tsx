import { useEffect, useRef } from 'react';
import { experienceBase } from '#contract/experiences.ts';
import { useShownPath } from '../router/hooks.ts';
import { Link } from '../router/link.tsx';
import { Outlet } from '../router/outlet.tsx';
import { useSession } from '../session/session.ts';
import classes from './admin.module.css';

const TABS = [
  ['users', 'Users'],
  ['teams', 'Teams'],
  ['groups', 'Groups'],
  ['roles', 'Roles'],
  ['hl7-programs', 'HL7 programs'],
  ['single-sign-on', 'Single sign-on'],
  ['requests', 'Access requests'],
  ['changes', 'Audit log'],
  ['accesses', 'Patient access'],
] as const;

/** Tabs of the administration pages, with the open page below. */
export const AdminFrame = () => {
  const { user } = useSession();
  const base = experienceBase(user.applicationExperience);
  const tabs = useRef<HTMLElement>(null);
  const path = useShownPath();
  // On a phone the tabs scroll, and the open one may be out of sight.
  useEffect(() => {
    for (const tab of tabs.current?.querySelectorAll('a') ?? [])
      if (tab.pathname === path) tab.scrollIntoView?.({ block: 'nearest', inline: 'nearest' });
  }, [path]);
  return (
    <div className={classes.frame}>
      <nav ref={tabs} className={classes.tabs} aria-label="Administration">
        <ul>
          {TABS.map(([path, label]) => (
            <li key={path}>
              <Link to={`${base}/admin/${path}`} className={classes.tab}>
                {label}
              </Link>
            </li>
          ))}
          {base !== '/ehr' && (
            <li>
              <Link to={`${base}/user-report`} className={classes.tab}>
                Reports
              </Link>
            </li>
          )}
        </ul>
      </nav>
      <Outlet />
    </div>
  );
};
