import { Badge } from '@mantine/core';
import type { Patient } from '#contract/patients.ts';
import { SimilarBadge } from '../inbox/badges.tsx';
import { IconGrave2 } from '../ui/icons.ts';

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
