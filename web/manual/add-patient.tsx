import { Button } from '@mantine/core';
import { useState } from 'react';
import { loadChunk } from '../errors/load-chunk.ts';
import { useNavigate } from '../router/hooks.ts';
import { patientPath } from '../session/paths.ts';
import { useSession } from '../session/session.ts';
import { useLoaded } from '../ui/use-loaded.ts';
import { manualGroups } from './manual-groups.ts';

const loadDrawer = () =>
  loadChunk('add-patient', () => import('./patient-drawer.tsx')).then((file) => file.AddPatientDrawer);

/** Adds a patient at a facility whose staff enter stays by hand; nothing for a team without one. */
export const AddPatient = () => {
  const { team, user } = useSession();
  const navigate = useNavigate();
  const [adding, add] = useState(false);
  const Drawer = useLoaded(loadDrawer, adding);
  const groups = manualGroups(team);
  if (groups.length === 0) return null;
  return (
    <>
      <Button size="xs" onClick={() => add(true)}>
        Add patient
      </Button>
      {adding && Drawer && (
        <Drawer
          groups={groups}
          saved={(patientId) => {
            add(false);
            void navigate({ to: patientPath(user, patientId) });
          }}
          close={() => add(false)}
        />
      )}
    </>
  );
};
