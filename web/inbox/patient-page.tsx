import { VisuallyHidden } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useLiveEvents } from '../api/use-live.ts';
import { hasDraft } from '../session/drafts.ts';
import { useLoaded } from '../ui/use-loaded.ts';
import { useTitle } from '../ui/use-title.ts';
import { patientQuery } from './inbox-queries.ts';
import { NO_LIST } from './inbox-search.ts';
import type { Panel } from './use-inbox.ts';
import { draftOf, useStatusChanges } from './use-status-changes.ts';

const loadDetail = () => import('./ping-detail.tsx').then((file) => file.PingDetail);

const One = ({ id }: { id: string }) => {
  const client = useQueryClient();
  const PingDetail = useLoaded(loadDetail, true);
  const changes = useStatusChanges(NO_LIST);
  const [panel, setPanel] = useState<Panel>(() => (hasDraft(draftOf(id)) ? 'resolve' : null));
  useLiveEvents((event) => {
    const here = event.kind === 'reload' || (event.kind === 'ping' && event.data.patientId === id);
    if (!here) return;
    const { queryKey } = patientQuery(id);
    // An answer that is under way may be from before, and would be joined.
    void client.cancelQueries({ queryKey }).then(() => client.invalidateQueries({ queryKey }));
  });
  if (!PingDetail) return null;
  return (
    <PingDetail
      id={id}
      row={undefined}
      panel={panel}
      setPanel={setPanel}
      unsaved={changes.unsaved.get(id) ?? null}
      reload={() => changes.reload(id)}
      send={(patient, ping, choice) => {
        setPanel(null);
        void changes.send(patient, ping, choice);
      }}
    />
  );
};

/** One patient with the newest ping: where a launch from an EHR leads. */
export const PatientPage = () => {
  useTitle('Patient');
  const { patientId = '' } = useParams({ strict: false });
  return (
    <div>
      <VisuallyHidden>
        <h1>Patient</h1>
      </VisuallyHidden>
      <One key={patientId} id={patientId} />
    </div>
  );
};
