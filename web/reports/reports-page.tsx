import type { ComponentType } from 'react';
import { experienceBase } from '#contract/experiences.ts';
import type { Permission } from '#contract/permissions.ts';
import classes from '../admin/admin.module.css';
import { useLocation } from '../router/hooks.ts';
import { Link } from '../router/link.tsx';
import { Navigate } from '../router/navigate.tsx';
import { useSession } from '../session/session.ts';
import { AccessReview } from './access-review.tsx';
import { PageUse } from './page-use.tsx';
import { UserReport } from './user-report.tsx';

/** The reports by the end of their path. */
const REPORTS: readonly (readonly [path: string, label: string, permission: Permission, report: ComponentType])[] = [
  ['', 'Users', 'canManageUsers', UserReport],
  ['pages', 'Page use', 'canViewRouteAuditReport', PageUse],
  ['access', 'Access review', 'canManageUsers', AccessReview],
];

/** The reports for administrators, each for those who hold its permission. Who may see only some is led to the first of them. */
export const ReportsPage = () => {
  const { user, can } = useSession();
  const base = `${experienceBase(user.applicationExperience)}/user-report`;
  const report = useLocation({ select: ({ pathname }) => pathname.slice(base.length).replaceAll('/', '') });
  const pathOf = (path: string): string => (path === '' ? base : `${base}/${path}`);
  const permitted = REPORTS.filter(([, , permission]) => can(permission));
  const [, , , Shown] = permitted.find(([path]) => path === report) ?? [];
  if (!Shown) return <Navigate to={pathOf(permitted[0]?.[0] ?? '')} />;
  return (
    <div className={classes.frame}>
      <nav className={classes.tabs} aria-label="Reports">
        <ul>
          {permitted.map(([path, label]) => (
            <li key={path}>
              <Link to={pathOf(path)} className={classes.tab} exact>
                {label}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <Shown key={report} />
    </div>
  );
};
