import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { EmergencyAccess } from '../consents/emergency-access.tsx';
import { patientQuery } from '../patient/patient-query.ts';
import { patientPath } from '../session/paths.ts';
import { useSession } from '../session/session.ts';
import { EXCHANGES, type Exchange } from './exchanges.ts';
import classes from './patient-links-out.module.css';

/** Buttons that open the patient at the exchanges that know the patient, each in a tab of its own. */
const LinksOut = ({ patientId }: { patientId: string }) => {
  const { user } = useSession();
  // The page has asked for the patient already.
  const { data: patient } = useQuery({ ...patientQuery(patientId), staleTime: Number.POSITIVE_INFINITY });
  const shown: Exchange[] = [
    ...(patient?.wishinPulseEnabled ? ['pulse' as const] : []),
    ...(patient?.hasVynca ? ['vynca' as const] : []),
  ];
  if (shown.length === 0) return null;
  return (
    <nav className={classes.links} aria-label="Exchanges">
      {shown.map((exchange) => (
        <Button
          key={exchange}
          component="a"
          href={`${patientPath(user, patientId)}/open/${exchange}`}
          target="_blank"
          rel="noopener noreferrer"
          size="xs"
          variant="default"
        >
          {EXCHANGES[exchange].action} (new tab)
        </Button>
      ))}
    </nav>
  );
};

/** What can be done about the patient besides working on pings. In a chunk of its own, so that the first page stays small. */
export const PatientActions = ({ patientId }: { patientId: string }) => (
  <>
    <LinksOut patientId={patientId} />
    <EmergencyAccess key={patientId} patientId={patientId} />
  </>
);
