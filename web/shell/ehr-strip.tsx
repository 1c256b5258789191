import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Me } from '#contract/accounts.ts';
import { countsQuery } from '../inbox/counts.ts';
import { Link } from '../router/link.tsx';
import { inboxPath } from '../session/paths.ts';
import { useSession } from '../session/session.ts';
import { IconExternalLink } from '../ui/icons.ts';
import classes from './ehr-strip.module.css';
import { LaunchGuard } from './launch-guard.tsx';

/** The bar above a page inside an EHR: its pages, the team, and a link to the full application. */
export const EhrStrip = ({ me }: { me: Me }) => {
  const { user, team, can } = useSession();
  const { data: counts } = useQuery({ ...countsQuery, enabled: can('canViewPings') });
  return (
    <div className={classes.strip}>
      <nav aria-label="Pages">
        <ul>
          {user.patientId && (
            <li>
              <Link to={`/ehr/patients/${encodeURIComponent(user.patientId)}`} className={classes.tab}>
                Patient
              </Link>
            </li>
          )}
          {can('canViewPings') && (
            <li>
              <Link to={inboxPath(user)} className={classes.tab}>
                Pings{counts ? ` ${counts.new}` : ''}
              </Link>
            </li>
          )}
        </ul>
      </nav>
      <span className={classes.team} title={team.name}>
        {team.name}
      </span>
      <Anchor href="/?fullApp=1" target="_blank" rel="noopener" size="sm" underline="always" className={classes.full}>
        Open full app <IconExternalLink size={14} stroke={1.75} role="img" aria-label="in a new window" />
      </Anchor>
      <LaunchGuard me={me} />
    </div>
  );
};
