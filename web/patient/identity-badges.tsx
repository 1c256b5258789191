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

/** The patient has died. */
export const DiedBadge = () => (
  <Badge color="gray" style={{ verticalAlign: 'middle' }} icon={<IconGrave2 size={14} stroke={1.75} aria-hidden />}>
    Died
  </Badge>
);

/** What to know about an identity before acting: a death, or another patient with a similar name. */
export const IdentityBadges = ({ patient, similar }: { patient: Patient; similar: boolean }) => (
  <>
    {patient.deceased && <DiedBadge />}
    {similar && <SimilarNameBadge />}
  </>
);
