import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useNavigate } from '../router/hooks.ts';
import { patientPath } from '../session/paths.ts';
import { useSession } from '../session/session.ts';
import { NotFound } from '../ui/not-found.tsx';
import { patientQuery } from './patient-query.ts';
import { PatientSteps } from './patient-steps.tsx';

/** Drops what was loaded about a patient who may no longer be read, also through other visits. That there is no such patient stays. */
const useDropped = (patientId: string): void => {
  const client = useQueryClient();
  useEffect(() => {
    const [listing] = patientId.split('_');
    const isOfPatient = (id: unknown): boolean => typeof id === 'string' && id.split('_')[0] === listing;
    client.removeQueries({
      predicate: ({ queryKey: [name, id, ...more] }) => isOfPatient(id) && (name !== 'patient' || more.length > 0),
    });
    client
      .getQueryCache()
      .find({ queryKey: patientQuery(patientId).queryKey })
      ?.setState({ data: undefined });
  }, [client, patientId]);
};

/**
 * For a patient, or a visit of one, that does not exist or that this user may not see, also no longer. If the patient is listed without the
 * visit, it goes on to them.
 */
export const PatientNotFound = ({ patientId, page = '' }: { patientId: string; page?: string }) => {
  const { user } = useSession();
  const navigate = useNavigate();
  const listed = `${patientId.split('_')[0]}_0`;
  const isVisit = /^\d+_/.test(patientId) && listed !== patientId;
  const { isSuccess, isError, isFetchedAfterMount } = useQuery({ ...patientQuery(listed), enabled: isVisit });
  const isListed = isSuccess && isFetchedAfterMount;
  useDropped(patientId);
  useEffect(() => {
    if (isListed) void navigate({ to: `${patientPath(user, listed)}${page}`, replace: true });
  }, [isListed, listed, page, user, navigate]);
  return (
    <div>
      <PatientSteps patientId={patientId} page={page} print={null} />
      {(!isVisit || isError) && (
        <NotFound title="Patient not found">This patient doesn't exist, or you don't have access.</NotFound>
      )}
    </div>
  );
};
