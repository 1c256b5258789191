import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { patientPath } from '../session/paths.ts';
import { useSession } from '../session/session.ts';
import classes from './patient-links.module.css';

/** A page below another one doesn't mark that too. */
const EXACT = { exact: true };

/** Links between a patient's pages. The page that is open is marked. */
export const PatientLinks = ({ patientId }: { patientId: string }) => {
  const { user, can } = useSession();
  const story = patientPath(user, patientId);
  const pages = [
    [story, 'Story'],
    [`${story}/care-team`, 'Care team'],
    ...(can('canViewCarePlans') ? [[`${story}/case-management`, 'Case management'] as const] : []),
  ] as const;
  return (
    <nav className={classes.links} aria-label="Patient">
      {pages.map(([path, label]) => (
        <Anchor key={path} component={Link} to={path} activeOptions={EXACT}>
          {label}
        </Anchor>
      ))}
    </nav>
  );
};
