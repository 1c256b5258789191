import type { Patient } from '#contract/patients.ts';
import { IconAlertTriangle, IconGrave2 } from '../ui/icons.ts';
import { Badge } from '../ui/plain/text.tsx';

/** Warns that another patient has a similar name. */
export const SimilarNameBadge = () => (
  <Badge
    color="caution"
    // Sits inside a line of text.
    style={{ verticalAlign: 'middle' }}
    title="Another patient has a similar name. Check identifiers before you act."
    icon={<IconAlertTriangle size={14} stroke={1.75} aria-hidden />}
  >
    Similar name
  </Badge>
);

type Death = Pick<Patient, 'deceased' | 'isDeathInDoubt'>;

/** Returns "Died", or less where something puts the death in doubt; "" of the living. */
export const deathWord = ({ deceased, isDeathInDoubt }: Death): string =>
  deceased ? (isDeathInDoubt ? 'Death reported' : 'Died') : '';

/** The patient has died, or was reported so. */
export const DiedBadge = ({ patient }: { patient: Death }) => (
  <Badge color="gray" style={{ verticalAlign: 'middle' }} icon={<IconGrave2 size={14} stroke={1.75} aria-hidden />}>
    {deathWord(patient)}
  </Badge>
);

/** What to know about an identity before acting: a death, or another patient with a similar name. */
export const IdentityBadges = ({ patient, similar }: { patient: Patient; similar: boolean }) => (
  <>
    {patient.deceased && <DiedBadge patient={patient} />}
    {similar && <SimilarNameBadge />}
  </>
);
