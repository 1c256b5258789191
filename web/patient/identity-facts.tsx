import type { Patient } from '#contract/patients.ts';
import { longDate } from '../ui/format/date.ts';
import { groupedId } from '../ui/format/name.ts';
import classes from './identity-facts.module.css';
import { bornOf, memberId } from './phrases.ts';

/** Birth date (age) · gender · member ID: what goes with each name in a list. */
export const IdentityFacts = ({ patient, now }: { patient: Patient; now: Date }) => {
  const id = memberId(patient);
  return (
    <span className={classes.facts}>
      {/* A dot stays at the end of a line. */}
      <span className={classes.whole}>
        <time
          dateTime={patient.dateOfBirth ?? undefined}
          title={patient.dateOfBirth ? longDate(patient.dateOfBirth) : undefined}
        >
          {bornOf(patient, now)}
        </time>{' '}
        ·
      </span>{' '}
      {id ? (
        <>
          <span className={classes.whole}>{patient.gender} ·</span>{' '}
          <span className={classes.whole}>{groupedId(id)}</span>
        </>
      ) : (
        patient.gender
      )}
    </span>
  );
};
