import { Badge } from '@mantine/core';
import type { Patient } from '#contract/patients.ts';
import { SimilarBadge } from '../inbox/badges.tsx';
import { born, memberId } from '../inbox/describe.ts';
import { longDate } from '../ui/format/date.ts';
import { groupedId } from '../ui/format/name.ts';
import { IconGrave2 } from '../ui/icons.ts';
import classes from './patients.module.css';

/** Born (age) · sex · id: what goes with each name in a list. */
export const IdentityFacts = ({ patient, now }: { patient: Patient; now: Date }) => {
  const id = memberId(patient);
  return (
    <span className={classes.dim}>
      <time
        dateTime={patient.dateOfBirth ?? undefined}
        title={patient.dateOfBirth ? longDate(patient.dateOfBirth) : undefined}
      >
        {born(patient.dateOfBirth, now)}
      </time>{' '}
      · {patient.gender}
      {id && (
        <>
          {' '}
          · <span className={classes.id}>{groupedId(id)}</span>
        </>
      )}
    </span>
  );
};

/** What to take care of before acting: somebody with a similar name, or a death. */
export const IdentityBadges = ({ patient, similar }: { patient: Patient; similar: boolean }) => (
  <>
    {patient.deceased && (
      <Badge component="span" color="gray" leftSection={<IconGrave2 size={14} stroke={1.75} aria-hidden />}>
        Died
      </Badge>
    )}
    {similar && <SimilarBadge />}
  </>
);
