import { Text, Title } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Patient } from '#contract/patients.ts';
import { ApiError } from '../api/error.ts';
import { useLiveEvents } from '../api/use-live.ts';
import { Loaded } from '../forms/loaded.tsx';
import { ehrShowsBanner } from '../patient/ehr-shows-banner.ts';
import { PART2_NOTICE, showsPart2 } from '../patient/part2-notice.ts';
import { PatientBanner } from '../patient/patient-banner.tsx';
import { PatientLinks } from '../patient/patient-links.tsx';
import { patientQuery } from '../patient/patient-query.ts';
import { SimilarPatients } from '../patient/similar-patients.tsx';
import { useVanished } from '../patient/vanished.ts';
import { useSession } from '../session/session.ts';
import { Empty } from '../ui/states.tsx';
import { useNow } from '../ui/use-now.ts';
import { useTitle } from '../ui/use-title.ts';
import classes from './care.module.css';

/** A page about a patient's care: who the patient is, links to the other pages, and the content, which follows changes by others. */
export const CareFrame = ({
  title,
  liveKeys,
  children,
}: {
  title: string;
  /** The names of the queries to load again when something about a patient changed. */
  liveKeys: readonly string[];
  children: (patient: Patient) => ReactNode;
}) => {
  useTitle(title);
  const { patientId = '' } = useParams({ strict: false });
  const { user } = useSession();
  const now = useNow();
  const client = useQueryClient();
  const patient = useQuery(patientQuery(patientId));
  useVanished(patientId);
  useLiveEvents((event) => {
    if (event.kind !== 'rows' && event.kind !== 'reload') return;
    for (const key of ['patient', ...liveKeys]) void client.invalidateQueries({ queryKey: [key, patientId] });
  });
  if (patient.error instanceof ApiError && (patient.error.status === 404 || patient.error.status === 400))
    return <Empty title="Patient not found">This patient doesn't exist, or you don't have access.</Empty>;
  return (
    <Loaded query={patient} what="patient">
      {(shown) => (
        <>
          {!ehrShowsBanner(user, shown.id) && <PatientBanner patient={shown} now={now} />}
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
        </>
      )}
    </Loaded>
  );
};
