import { Button, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { EVENT_LABELS } from '#contract/event-codes.ts';
import { isOpen, type Resolution } from '#contract/management-status.ts';
import type { Patient } from '#contract/patients.ts';
import type { Ping } from '#contract/pings.ts';
import { hasDraft } from '../session/drafts.ts';
import { formatTime } from '../ui/format/date.ts';
import { IconAlertTriangle } from '../ui/icons.ts';
import { Notice } from '../ui/notice.tsx';
import { useLoaded } from '../ui/use-loaded.ts';
import { pingsOf } from './card.ts';
import { withoutLater } from './changed-stay.ts';
import { type Choice, resolutionDraft, type Shown } from './status-change.ts';
import type { StatusControl } from './use-inbox.ts';

const loadResolvePanel = () => import('./resolve-panel.tsx').then((file) => file.ResolvePanel);

interface FormProps {
  patient: Patient;
  ping: Ping;
  /** Whether everything that a resolution would be about was retracted. */
  retracted?: boolean;
  control: StatusControl;
  setControl: (control: StatusControl) => void;
  /** Whether the reader chose this ping out of the stay. */
  single: boolean;
  /** Whether the user may change the ping. An administrator can change that while the form is open. */
  mayChange: boolean;
  /** Says which pings a resolution of what the user knows is about. */
  scope: (seen: Shown) => ReactNode;
  /** The reasons for resolving it that the user can choose from. */
  reasons: readonly Resolution[];
  /** `seen`: as it was when the form opened. What somebody else has changed since, the server has to refuse. */
  choose: (choice: Choice, seen: Shown) => void;
}

/** The form for a resolution, while it is open. */
export const ResolutionForm = (props: FormProps) => {
  const { patient, ping, single, mayChange, control, setControl } = props;
  const ResolvePanel = useLoaded(loadResolvePanel, mayChange);
  if (control !== 'resolve') return null;
  if (!mayChange) return hasDraft(resolutionDraft(patient.id)) && <Withdrawn close={() => setControl(null)} />;
  if (!ResolvePanel) return null;
  // What arrives for the stay leaves the form as it is.
  return <OpenForm key={single ? ping.eventIdentifier : 'stay'} {...props} Panel={ResolvePanel} />;
};

interface NewsProps {
  title: string;
  children: ReactNode;
}

/** What happened while someone types: their text is kept, and says less than they know now. */
const News = ({ title, children }: NewsProps) => (
  <Notice role="alert" color="caution" icon={<IconAlertTriangle size={18} aria-hidden />} title={title}>
    {children}
  </Notice>
);

interface SinceProps {
  /** The open pings that the user didn't know of when they began. */
  arrived: readonly Ping[];
  retracted: boolean;
  include: () => void;
}

/** What happened to the stay while the form was open. */
const Since = ({ arrived, retracted, include }: SinceProps) => {
  if (retracted)
    return (
      <News title="The sender retracted this event.">
        It can't be resolved, only dismissed. Your text stays here until you cancel.
      </News>
    );
  if (arrived.length === 0) return null;
  const [what, them] = arrived.length > 1 ? ['New events', 'them'] : ['A new event', 'it'];
  return (
    <News title={`${what} arrived: ${arrived.map(({ status }) => EVENT_LABELS[status]).join(', ')}.`}>
      <Text size="sm">Not included in what you're resolving. Your text is kept.</Text>
      <Button size="xs" variant="default" mt="xs" onClick={include}>
        Resolve {them} too
      </Button>
    </News>
  );
};

/** In place of a form that its user may no longer send. */
const Withdrawn = ({ close }: { close: () => void }) => {
  const [since] = useState(() => new Date().toISOString());
  return (
    <News title={`Your access changed at ${formatTime(since)}.`}>
      <Text size="sm">You can't change this ping now. What you entered is kept, in case you get access again.</Text>
      <Button size="xs" variant="default" mt="xs" onClick={close}>
        Close
      </Button>
    </News>
  );
};

const openPings = (patient: Patient): Ping[] =>
  pingsOf(patient).filter((ping) => isOpen(ping.currentManagementStatus.status));

const OpenForm = ({
  patient,
  ping,
  single,
  retracted = ping.state === 'CANCELLED',
  scope,
  reasons,
  setControl,
  choose,
  Panel,
}: FormProps & { Panel: Awaited<ReturnType<typeof loadResolvePanel>> }) => {
  const [seen, see] = useState({ patient, ping });
  const [wasRetracted] = useState(retracted);
  if (wasRetracted && retracted) return null;
  const about = (known: readonly string[], include: () => void) => (
    <>
      {scope(withoutLater(seen, known))}
      <Since
        arrived={single ? [] : openPings(patient).filter(({ eventIdentifier }) => !known.includes(eventIdentifier))}
        retracted={retracted}
        include={() => {
          see({ patient, ping });
          include();
        }}
      />
    </>
  );
  return (
    <Panel
      patientId={patient.id}
      scope={single ? ping.eventIdentifier : 'stay'}
      events={pingsOf(patient).map(({ eventIdentifier }) => eventIdentifier)}
      retracted={retracted}
      offered={reasons}
      about={about}
      cancel={() => setControl(null)}
      choose={(choice, known) => choose(choice, withoutLater(seen, known))}
    />
  );
};
