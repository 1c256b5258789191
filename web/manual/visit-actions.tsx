import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { EVENT_LABELS } from '#contract/event-codes.ts';
import type { Ping } from '#contract/pings.ts';
import type { StoryEncounter } from '#contract/story.ts';
import { call } from '../api/call.ts';
import { Confirm } from '../forms/confirm.tsx';
import { SavedBanner } from '../forms/saved-banner.tsx';
import { patientQuery } from '../patient/patient-query.ts';
import { useNavigate } from '../router/hooks.ts';
import { patientPath } from '../session/paths.ts';
import { useSession } from '../session/session.ts';
import { eventTime } from '../ui/format/date.ts';
import { useNow } from '../ui/use-now.ts';
import { ErrorModal } from './error-modal.tsx';
import { type Changed, EventDrawer } from './event-drawer.tsx';
import classes from './manual.module.css';
import { manualGroups } from './manual-groups.ts';
import { EditPatientDrawer } from './patient-drawer.tsx';
import { WaiverDrawer, waiverButton } from './waiver-drawer.tsx';

type Open = 'patient' | 'status' | 'delete' | 'waiver' | Ping | null;

/** What the user may do with a visit that staff enter by hand. */
const rightsOf = (encounter: StoryEncounter, isManual: boolean) => {
  const active = encounter.events.filter(({ state }) => state !== 'CANCELLED');
  const hasAll = active.length > 0 && active.every(({ editable }) => editable);
  const isCanceled = encounter.status === 'CANCELLED';
  return {
    editable: isManual ? active.filter(({ editable }) => editable) : [],
    mayUpdate: isManual && !isCanceled,
    mayEditPatient: isManual && active.some(({ editable }) => editable),
    mayDelete: isManual && !isCanceled && hasAll,
    hasWaiver: encounter.setting === 'SNF' && !isCanceled,
  };
};

/** The modal that is open. */
const Opened = ({
  open,
  params,
  encounter,
  saved,
  close,
}: {
  open: Exclude<Open, null>;
  params: { id: string; encounterId: string };
  encounter: StoryEncounter;
  saved: (message: string, changed?: Changed) => void;
  close: () => void;
}) => {
  const { data: patient, error, refetch } = useQuery({ ...patientQuery(params.id), enabled: open === 'patient' });
  const [taken, take] = useState(0);
  if (open === 'waiver') return <WaiverDrawer params={params} saved={saved} close={close} />;
  if (open === 'patient') {
    if (error && !patient)
      return <ErrorModal title="Couldn't load the patient." error={error} retry={() => void refetch()} close={close} />;
    return patient ? (
      <EditPatientDrawer
        key={taken}
        patient={patient}
        takeTheirs={async () => {
          await refetch({ throwOnError: true });
          take(taken + 1);
        }}
        saved={(patientId) => saved('The patient was saved.', { patientId })}
        close={close}
      />
    ) : null;
  }
  if (open === 'delete') return <DeleteVisit params={params} encounter={encounter} saved={saved} close={close} />;
  return (
    <EventDrawer
      patientId={params.id}
      event={open === 'status' ? null : open}
      facility={encounter.admittingFacility}
      isOver={encounter.status === 'FINISHED'}
      saved={saved}
      close={close}
    />
  );
};

const DeleteVisit = ({
  params,
  encounter,
  saved,
  close,
}: {
  params: { id: string; encounterId: string };
  encounter: StoryEncounter;
  saved: (message: string, changed?: Changed) => void;
  close: () => void;
}) => {
  return (
    <Confirm
      title={`Delete this visit at ${encounter.admittingFacility.name}?`}
      word="Delete visit"
      act={() => call('DELETE /api/patients/:id/encounters/:encounterId', { params })}
      done={() => saved('The visit was deleted.')}
      close={close}
    >
      Its events are canceled for everyone who was notified, and stay in the history. A patient without another visit
      leaves your list.
    </Confirm>
  );
};

/** What can be done by hand about a visit: a new status, corrections, its deletion, and its three-day waiver. */
export const VisitActions = ({ patientId, encounter }: { patientId: string; encounter: StoryEncounter }) => {
  const { team, user } = useSession();
  const client = useQueryClient();
  const navigate = useNavigate();
  const now = useNow();
  // The page may be about another visit of the patient.
  const id = `${patientId.split('_')[0]}_${encounter.id}`;
  const [open, setOpen] = useState<Open>(null);
  const [message, say] = useState<string | null>(null);
  const isManual = manualGroups(team).some((group) => group.id === encounter.admittingFacility.id);
  const { editable, mayUpdate, mayEditPatient, mayDelete, hasWaiver } = rightsOf(encounter, isManual);
  const saved = (done: string, { patientId: to }: Changed = { patientId: id }): void => {
    setOpen(null);
    say(done);
    for (const queryKey of [['patient'], ['visits'], ['patients'], ['three-day-waiver']])
      void client.invalidateQueries({ queryKey });
    if (to !== id) void navigate({ to: patientPath(user, to) });
  };
  const opener = (what: Open) => () => {
    say(null);
    setOpen(what);
  };
  if (!mayUpdate && !mayEditPatient && !hasWaiver && message === null) return null;
  return (
    <section aria-label="Visit actions">
      <SavedBanner message={message} close={() => say(null)} />
      <div className={classes.actions}>
        {mayUpdate && (
          <Button size="xs" onClick={opener('status')}>
            Update status
          </Button>
        )}
        {mayEditPatient && (
          <Button size="xs" variant="default" onClick={opener('patient')}>
            Edit patient
          </Button>
        )}
        {hasWaiver && (
          <Button size="xs" variant="default" onClick={opener('waiver')}>
            {waiverButton(encounter)}
          </Button>
        )}
        {mayDelete && (
          <Button size="xs" variant="default" onClick={opener('delete')}>
            Delete visit…
          </Button>
        )}
        {editable.length > 0 && (
          <ul className={classes.entries} aria-label="Entered by hand">
            {editable.map((event) => (
              <li key={event.id}>
                {EVENT_LABELS[event.status]}
                <time className={classes.dim} dateTime={event.eventDate}>
                  {eventTime(event.eventDate, event.facility.timeZone, now)}
                </time>
                <Button
                  size="compact-xs"
                  variant="default"
                  aria-label={`Edit ${EVENT_LABELS[event.status]}`}
                  onClick={opener(event)}
                >
                  Edit
                </Button>
              </li>
            ))}
          </ul>
        )}
      </div>
      {open !== null && (
        <Opened
          open={open}
          params={{ id, encounterId: encounter.id }}
          encounter={encounter}
          saved={saved}
          close={() => setOpen(null)}
        />
      )}
    </section>
  );
};
