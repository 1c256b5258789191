import { useState } from 'react';
import type { Patient } from '#contract/patients.ts';
import { hasDraft } from '../session/drafts.ts';
import { useLoaded } from '../ui/use-loaded.ts';
import { headlineOf } from './card.ts';
import { UNRESOLVED_LIST } from './inbox-search.ts';
import { resolutionDraft } from './status-change.ts';
import type { StatusControl } from './use-inbox.ts';
import { useStatusChanges } from './use-status-changes.ts';

const loadLead = () => import('./ping-lead.tsx').then((file) => file.PingLead);

/**
 * The headline of the visit that a patient's page was opened with, and what can be done about it: nothing if the team got no ping of it, as of a
 * stay at its own facility.
 */
export const CurrentPing = ({ patient }: { patient: Patient }) => {
  const { id } = patient;
  const ping = headlineOf(patient);
  const PingLead = useLoaded(loadLead, true);
  const changes = useStatusChanges(UNRESOLVED_LIST);
  const [statusControl, setStatusControl] = useState<StatusControl>(() =>
    hasDraft(resolutionDraft(id)) ? 'resolve' : null,
  );
  if (!ping || !PingLead) return null;
  return (
    <section aria-label={patient.card ? 'Latest ping' : 'Latest event'}>
      <PingLead
        patient={patient}
        ping={ping}
        statusControl={statusControl}
        setStatusControl={setStatusControl}
        unsaved={changes.unsaved.get(id) ?? null}
        takeTheirs={() => changes.takeTheirs(id)}
        keepMine={() => changes.keepMine(id)}
        noteUndo={changes.noteUndo}
        send={(change) => {
          setStatusControl(null);
          void changes.send(change);
        }}
      />
    </section>
  );
};
