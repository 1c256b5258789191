import type { Patient } from '#contract/patients.ts';
import { Banner } from '../ui/banner.tsx';
import { groupedId } from '../ui/format/name.ts';
import { idLabel } from './patient-banner.tsx';
import { born } from './phrases.ts';
import classes from './similar-patients.module.css';

/** Returns whether two birth dates (YYYY-MM-DD) differ in at most one of year, month and day. */
const isNear = (a: string | null, b: string | null): boolean => {
  const parts = b?.split('-') ?? [];
  return a !== null && a.split('-').filter((part, at) => part !== parts[at]).length <= 1;
};

/** Warns that other patients have a similar name; in red where the birth date does not tell them apart either. */
export const SimilarPatients = ({ patient, now }: { patient: Patient; now: Date }) => {
  const similar = patient.similarPatients;
  if (similar.length === 0) return null;
  const near = similar.some(({ dateOfBirth }) => isNear(dateOfBirth, patient.dateOfBirth));
  return (
    <div className={classes.similar}>
      <Banner
        kind={near ? 'PATIENT_SAFETY' : 'WARNING'}
        title={`Another patient has a similar name${near ? ' and birth date' : ''}`}
      >
        {similar.slice(0, 2).map(({ id, name, dateOfBirth, memberId, groupType }) => (
          <p key={id}>
            {name} · Born {born(dateOfBirth, now)}
            {memberId && ` · ${idLabel({ groupType })} ${groupedId(memberId)}`}
          </p>
        ))}
        {similar.length > 2 && <p>+{similar.length - 2} more</p>}
        <p>Check identifiers before you act.</p>
      </Banner>
    </div>
  );
};
