import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { counted } from '#contract/counted.ts';
import { HELD_HOURS } from '#contract/pre-admit-words.ts';
import { born } from '../patient/phrases.ts';
import { Link } from '../router/link.tsx';
import { patientPath } from '../session/paths.ts';
import { useSession } from '../session/session.ts';
import { announce } from '../ui/announcer.tsx';
import { formatDateTime } from '../ui/format/date.ts';
import { familyFirst } from '../ui/format/name.ts';
import { heldAdmissionsQuery } from './held-queries.ts';
import classes from './pre-admit.module.css';

/** Announces admissions that come while the page is open. */
const useAnnouncedAdmissions = (count: number | undefined): void => {
  const last = useRef<number>(undefined);
  useEffect(() => {
    if (count === undefined) return;
    const more = count - (last.current ?? count);
    if (more > 0) announce(`${counted(more, 'held patient was', 'held patients were')} admitted.`);
    last.current = count;
  }, [count]);
};

/** Whose hold an admission has ended lately. Renders nothing if there is nobody. */
export const HeldAdmissions = ({ now }: { now: Date }) => {
  const { user, can } = useSession();
  const { data } = useQuery(heldAdmissionsQuery);
  useAnnouncedAdmissions(data?.length);
  if (!data || data.length === 0) return null;
  const mayOpen = can('canViewPatients') || can('canViewPings');
  return (
    <section className={classes.admitted} aria-labelledby="held-admitted">
      <h2 id="held-admitted">Admitted in the last {HELD_HOURS} hours</h2>
      <ul>
        {data.map((one) => (
          <li key={one.id}>
            {mayOpen && one.patientId ? (
              <Anchor component={Link} to={patientPath(user, one.patientId)}>
                {familyFirst(one)}
              </Anchor>
            ) : (
              <strong>{familyFirst(one)}</strong>
            )}{' '}
            <span className={classes.dim}>
              {born(one.dob, now)} ·{' '}
              {one.isCanceled
                ? `Admission at ${one.groupName} canceled. The hold ended ${formatDateTime(one.admittedDate)}. If you still expect the patient, hold them again.`
                : `Admitted at ${one.groupName}, hold ended ${formatDateTime(one.admittedDate)}`}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
};
