import { Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Patient } from '#contract/patients.ts';
import { Loaded } from '../forms/loaded.tsx';
import { PART2_NOTICE, showsPart2 } from '../patient/part2-notice.ts';
import { PatientLinks } from '../patient/patient-links.tsx';
import { PatientNotFound } from '../patient/patient-not-found.tsx';
import { PatientPaper } from '../patient/patient-paper.tsx';
import { isNotFound, patientQuery } from '../patient/patient-query.ts';
import { PatientSteps } from '../patient/patient-steps.tsx';
import { SimilarPatients } from '../patient/similar-patients.tsx';
import { useFollowPatient } from '../patient/use-follow-patient.ts';
import { useVanished } from '../patient/vanished.ts';
import { useParams } from '../router/hooks.ts';
import { useNow } from '../ui/use-now.ts';
import { useTitle } from '../ui/use-title.ts';
import classes from './care.module.css';

/** A page about a patient's care: who the patient is, links to the other pages, and the content, which follows changes by others. */
export const CareFrame = ({
  title,
  page,
  liveKeys,
  children,
}: {
  title: string;
  /** The page's path below the patient's story. */
  page: string;
  /** The names of the queries to load again when something about a patient changed. */
  liveKeys: readonly string[];
  children: (patient: Patient) => ReactNode;
}) => {
  useTitle(title);
  const { patientId = '' } = useParams();
  const now = useNow();
  const patient = useQuery(patientQuery(patientId));
  useVanished(patientId);
  useFollowPatient(patientId, ['patient', ...liveKeys]);
  if (isNotFound(patient.error)) return <PatientNotFound patientId={patientId} page={page} />;
  return (
    // One element: the frame limits the height of the last one, and the banner would stick to that.
    <div>
      <PatientSteps patientId={patientId} page={page} print={`Print ${title.toLowerCase()}`} />
      <Loaded query={patient} what="patient">
        {(shown) => (
          <PatientPaper patient={shown} now={now} heading="h2">
            <SimilarPatients patient={shown} now={now} />
            <PatientLinks patientId={patientId} />
            {showsPart2(shown) && (
              <Text size="xs" c="dimmed" mx="md" mt="xs">
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
