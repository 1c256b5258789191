import { Anchor } from '@mantine/core';
import { useState } from 'react';
import { useRouter } from '../router/hooks.ts';
import { Link } from '../router/link.tsx';
import { patientPath } from '../session/paths.ts';
import { type Session, useSession } from '../session/session.ts';
import { indexOf, listIndexOf } from './list-index.ts';
import classes from './patient-links.module.css';

/** A page of a patient, as its path below the story. */
export type PatientPage = '' | '/care-team' | '/case-management' | '/attachments';

/** Whether discharge summaries can be shown to the user at all. */
export const mayHaveSummaries = (can: Session['can']): boolean =>
  can('canViewCcds') && can('canViewCcdDischargeInfo') && can('canViewDischargeSummaries');

/** Returns the pages of a patient that the user may open, as paths below the story. */
export const patientPages = (can: Session['can']): (readonly [path: PatientPage, label: string])[] => [
  ['', 'Story'],
  ['/care-team', 'Care team'],
  ...(can('canViewCarePlans') || mayHaveSummaries(can) ? ([['/case-management', 'Case management']] as const) : []),
  ...(can('canViewCarePlans') || can('canViewCcds') ? ([['/attachments', 'Attachments']] as const) : []),
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
        <Anchor key={path} component={Link} to={`${story}${path}`} state={state} exact preload="intent">
          {label}
        </Anchor>
      ))}
    </nav>
  );
};
