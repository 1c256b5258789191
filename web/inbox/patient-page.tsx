import { Anchor, VisuallyHidden } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useLiveEvents } from '../api/use-live.ts';
import { loadChunk } from '../errors/load-chunk.ts';
import { patientQuery } from '../patient/patient-query.ts';
import { hasDraft } from '../session/drafts.ts';
import { adminPath } from '../session/paths.ts';
import { useSession } from '../session/session.ts';
import { useLoaded } from '../ui/use-loaded.ts';
import { useTitle } from '../ui/use-title.ts';
import { UNRESOLVED_LIST } from './inbox-search.ts';
import { resolutionDraft } from './status-change.ts';
import type { StatusControl } from './use-inbox.ts';
import { useStatusChanges } from './use-status-changes.ts';

const loadDetail = () => import('./ping-detail.tsx').then((file) => file.PingDetail);

const loadVisitActions = () =>
  loadChunk('visit-actions', () => import('../manual/visit-actions.tsx')).then((file) => file.VisitActions);

/** What the user may do by hand about the visit. */
const ByHand = ({ id }: { id: string }) => {
  const VisitActions = useLoaded(loadVisitActions, true);
  const stay = useQuery({ ...patientQuery(id), enabled: false }).data?.currentPingEncounter;
  return VisitActions && stay ? <VisitActions patientId={id} encounter={stay} /> : null;
};

const PatientDetail = ({ id }: { id: string }) => {
  const client = useQueryClient();
  const PingDetail = useLoaded(loadDetail, true);
  const changes = useStatusChanges(UNRESOLVED_LIST);
  const [statusControl, setStatusControl] = useState<StatusControl>(() =>
    hasDraft(resolutionDraft(id)) ? 'resolve' : null,
  );
  useLiveEvents((event) => {
    // A facility's own patient has no pings.
    const concerned =
      event.kind === 'reload' || event.kind === 'rows' || (event.kind === 'ping' && event.data.patientId === id);
    if (!concerned) return;
    const { queryKey } = patientQuery(id);
    // A request under way may have been answered before the change, and would be joined.
    void client.cancelQueries({ queryKey }).then(() => client.invalidateQueries({ queryKey }));
  });
  if (!PingDetail) return null;
  return (
    <PingDetail
      id={id}
      row={undefined}
      statusControl={statusControl}
      setStatusControl={setStatusControl}
      unsaved={changes.unsaved.get(id) ?? null}
      takeTheirs={() => changes.takeTheirs(id)}
      keepMine={() => changes.keepMine(id)}
      send={(patient, ping, choice) => {
        setStatusControl(null);
        void changes.send(patient, ping, choice);
      }}
    />
  );
};

/** One patient with the newest ping. A launch from an EHR opens it. */
export const PatientPage = () => {
  useTitle('Patient');
  const { patientId = '' } = useParams({ strict: false });
  const { user, can } = useSession();
  return (
    <div>
      <VisuallyHidden>
        <h1>Patient</h1>
      </VisuallyHidden>
      <PatientDetail key={patientId} id={patientId} />
      <ByHand key={`by-hand ${patientId}`} id={patientId} />
      {can('canManageUsers') && (
        <Anchor
          component={Link}
          to={`${adminPath(user)}/accesses`}
          search={{ patient: patientId } as never}
          size="sm"
          ml="md"
        >
          View who has seen this patient
        </Anchor>
      )}
    </div>
  );
};
