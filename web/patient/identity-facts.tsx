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
      <time
        dateTime={patient.dateOfBirth ?? undefined}
        title={patient.dateOfBirth ? longDate(patient.dateOfBirth) : undefined}
      >
        {bornOf(patient, now)}
      </time>
      {/* The dot stays at the end of a line. */}
      {'\u00a0'}· {patient.gender}
      {id && (
        <>
          {'\u00a0'}· <span className={classes.id}>{groupedId(id)}</span>
        </>
      )}
    </span>
  );
};
