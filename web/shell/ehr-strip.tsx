import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Me } from '#contract/accounts.ts';
import { countsQuery } from '../inbox/counts.ts';
import { Link } from '../router/link.tsx';
import { inboxPath } from '../session/paths.ts';
import { useSession } from '../session/session.ts';
import { Banner } from '../ui/banner.tsx';
import { IconExternalLink } from '../ui/icons.ts';
import classes from './ehr-strip.module.css';
import { LaunchGuard } from './launch-guard.tsx';

/** Says why the pages aren't about the patient who is open in the EHR: otherwise the first one in a list could be taken for them. */
const PatientNotFound = ({ recordNumber }: { recordNumber: string }) => {
  const { can } = useSession();
  return (
    <div className={classes.notice}>
      <Banner kind="WARNING" title="Your EHR’s patient isn’t shown here.">
        {can('canViewPatients')
          ? `No match on your team’s lists for record number ${recordNumber} and the birth date in your EHR.`
          : 'You don’t have access to patients’ pages. An administrator in your organization can give you access.'}
      </Banner>
    </div>
  );
};

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
      {user.ehrPatientIdentifier && !user.patientId && <PatientNotFound recordNumber={user.ehrPatientIdentifier} />}
      <LaunchGuard me={me} />
    </div>
  );
};
