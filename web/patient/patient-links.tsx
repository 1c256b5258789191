import { Anchor } from '@mantine/core';
import { Link, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { patientPath } from '../session/paths.ts';
import { type Session, useSession } from '../session/session.ts';
import { indexOf, listIndexOf } from './list-index.ts';
import classes from './patient-links.module.css';

/** A page below another one doesn't mark that too. */
const EXACT = { exact: true };

/** Returns the pages of a patient that the user may open, as paths below the story. */
export const patientPages = (can: Session['can']): (readonly [path: string, label: string])[] => [
  ['', 'Story'],
  ['/care-team', 'Care team'],
  ...(can('canViewCarePlans')
    ? ([
        ['/case-management', 'Case management'],
        ['/attachments', 'Attachments'],
      ] as const)
    : []),
];

/** Links between a patient's pages. The page that is open is marked. */
export const PatientLinks = ({
  patientId,
  isOnList = false,
}: {
  patientId: string;
  /** The links stand beside the list of patients. */
  isOnList?: boolean;
}) => {
  const { user, can } = useSession();
  const { history } = useRouter();
  // The list stays where it was when these links appeared on it, whatever is being opened by now.
  const [ownIndex] = useState(indexOf(history));
  const state = (): { listIndex: number } => ({ listIndex: isOnList ? ownIndex : listIndexOf(history) });
  const story = patientPath(user, patientId);
  return (
    <nav className={classes.links} aria-label="Patient" data-no-print>
      {patientPages(can).map(([path, label]) => (
        <Anchor
          key={path}
          component={Link}
          to={`${story}${path}`}
          state={state as never}
          activeOptions={EXACT}
          preload="intent"
        >
          {label}
        </Anchor>
      ))}
    </nav>
  );
};
