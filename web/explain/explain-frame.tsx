import { Button, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Patient } from '#contract/patients.ts';
import { Loaded } from '../forms/loaded.tsx';
import { PART2_NOTICE, showsPart2 } from '../patient/part2-notice.ts';
import { PatientNotFound } from '../patient/patient-not-found.tsx';
import { PatientPaper } from '../patient/patient-paper.tsx';
import { isNotFound, patientQuery } from '../patient/patient-query.ts';
import { useNavigate, useParams, useRouter } from '../router/hooks.ts';
import { patientPath } from '../session/paths.ts';
import { useSession } from '../session/session.ts';
import { useCommands } from '../ui/commands.ts';
import { useNow } from '../ui/use-now.ts';
import { useTitle } from '../ui/use-title.ts';
import classes from './explain.module.css';

/** A page about one event or day of a patient: who it is, a way back, and a button that prints it. */
export const ExplainFrame = ({
  title,
  print,
  children,
}: {
  title: string;
  print: string;
  children: (patient: Patient) => ReactNode;
}) => {
  useTitle(title);
  const { patientId = '' } = useParams();
  const { user } = useSession();
  const router = useRouter();
  const navigate = useNavigate();
  const now = useNow();
  const patient = useQuery(patientQuery(patientId));
  const back = (): void => {
    if (router.history.canGoBack()) router.history.back();
    else void navigate({ to: patientPath(user, patientId) });
  };
  useCommands({ 'list.back': back });
  if (isNotFound(patient.error)) return <PatientNotFound patientId={patientId} />;
  return (
    // One element: the frame limits the height of the last one, and the banner would stick to that.
    <div>
      <nav className={classes.steps} aria-label="Page" data-no-print>
        <Button size="compact-sm" variant="default" onClick={back}>
          Back
        </Button>
        <Button size="compact-sm" variant="default" onClick={() => window.print()}>
          {print}
        </Button>
      </nav>
      <Loaded query={patient} what="patient">
        {(shown) => (
          <PatientPaper patient={shown} now={now} heading="h2">
            {showsPart2(shown) && (
              <Text size="sm" mx="md" mt="xs">
                {PART2_NOTICE}
              </Text>
            )}
            <div className={classes.page}>
              <Title order={1}>{title}</Title>
              {children(shown)}
            </div>
          </PatientPaper>
        )}
      </Loaded>
    </div>
  );
};
