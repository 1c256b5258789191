import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { Patient } from '#contract/patients.ts';
import { useNavigate } from '../router/hooks.ts';
import { patientsPath } from '../session/paths.ts';
import { useSession } from '../session/session.ts';
import { onForget } from '../ui/forget.ts';
import { createStore } from '../ui/store.ts';
import { patientQuery } from './patient-query.ts';

export const REMOVED = 'Patient was removed because they have no more encounters at your facility.';

/** Whether a patient has just been removed, which the patients page says. */
export const vanished = createStore(false);
onForget(() => vanished.set(false));

/** Whether the visit was deleted and no group of the team lists the patient any more. */
export const isRemoved = ({ listings, currentPingEncounter }: Patient): boolean =>
  currentPingEncounter?.status === 'CANCELLED' && listings.every(({ leftAt }) => leftAt !== null);

/** Leads to the patients page if the patient is removed while shown, by this user or another. */
export const useVanished = (patientId: string): void => {
  const { user } = useSession();
  const navigate = useNavigate();
  // The page loads it; this only follows.
  const { data } = useQuery({ ...patientQuery(patientId), enabled: false });
  const wasShown = useRef<string | null>(null);
  useEffect(() => {
    if (!data) return;
    if (!isRemoved(data)) wasShown.current = patientId;
    else if (wasShown.current === patientId) {
      vanished.set(true);
      void navigate({ to: patientsPath(user) });
    }
  }, [data, patientId, navigate, user]);
};
