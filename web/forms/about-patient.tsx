import { Text } from '@mantine/core';
import { use } from 'react';
import type { Patient } from '#contract/patients.ts';
import { deathWord } from '../patient/identity-badges.tsx';
import { inWords, ShownPatient } from '../patient/shown-patient.ts';
import { formatDate } from '../ui/format/date.ts';
import { IconAlertOctagonFilled } from '../ui/icons.ts';
import { Notice } from '../ui/notice.tsx';
import { useNow } from '../ui/use-now.ts';

const Death = ({ patient }: { patient: Patient }) => (
  <Notice
    role="alert"
    color="critical"
    icon={<IconAlertOctagonFilled size={18} aria-hidden />}
    title={[deathWord(patient), patient.deceasedDate && formatDate(patient.deceasedDate)].filter(Boolean).join(' ')}
  >
    {patient.isDeathInDoubt
      ? 'Check with the facility before anyone contacts the patient or the family.'
      : 'Stop all outreach to the patient.'}
  </Notice>
);

/** Whom a form is about: the identity banner is beneath it. A death is read out also if it is reported while the form is open. */
export const AboutPatient = () => {
  const patient = use(ShownPatient);
  const now = useNow();
  if (!patient) return null;
  return (
    <div>
      <Text size="sm" fw={600} mb="xs">
        {inWords(patient, now)}
      </Text>
      {patient.deceased && <Death patient={patient} />}
    </div>
  );
};
