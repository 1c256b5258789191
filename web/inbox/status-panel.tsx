import { Button, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { EVENT_LABELS } from '#contract/event-codes.ts';
import {
  isOpen,
  MANAGEMENT_STATUS_LABELS,
  MANAGEMENT_STATUSES,
  type ManagementStatus,
  type Resolution,
} from '#contract/management-status.ts';
import type { Patient } from '#contract/patients.ts';
import type { Ping } from '#contract/pings.ts';
import { hasDraft } from '../session/drafts.ts';
import { useCommands } from '../ui/commands.ts';
import { formatTime } from '../ui/format/date.ts';
import { IconAlertTriangle, IconChevronDown } from '../ui/icons.ts';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { Notice } from '../ui/notice.tsx';
import { useLoaded } from '../ui/use-loaded.ts';
import { pingsOf } from './card.ts';
import { withoutLater } from './changed-stay.ts';
import { type Choice, resolutionDraft, SAVING, type Shown } from './status-change.ts';
import classes from './status-panel.module.css';
import type { StatusControl } from './use-inbox.ts';

interface Props {
  ping: Ping;
  /** Whether everything that a change would be about was retracted. */
  retracted?: boolean;
  control: StatusControl;
  setControl: (control: StatusControl) => void;
  choose: (choice: Choice) => void;
}

const loadResolvePanel = () => import('./resolve-panel.tsx').then((file) => file.ResolvePanel);

/** An event that was retracted, or is someone else's, leaves only one status to choose. `ping` may be another one of the stay, which still holds. */
const RetractedActions = ({ ping, choose }: Pick<Props, 'ping' | 'choose'>) => {
  const { status, id } = ping.currentManagementStatus;
  return (
    <div className={classes.actions}>
      <Text c="dimmed" size="sm">
        {ping.reason?.code === 'UNMATCHED'
          ? 'This visit is no longer matched to this patient.'
          : ping.state === 'CANCELLED'
            ? 'The sender retracted this event.'
            : 'The sender retracted what is still open.'}{' '}
        {isOpen(status) && "It can't be resolved, only dismissed."}
      </Text>
      {isOpen(status) && (
        <Button size="xs" disabled={id === SAVING} onClick={() => choose({ status: 'DISMISSED' })}>
          Dismiss
        </Button>
      )}
    </div>
  );
};

interface StatusMenuProps extends Omit<Props, 'ping' | 'retracted'> {
  status: ManagementStatus;
  disabled: boolean;
}

/** Every status to choose from. Resolving asks for reasons first. */
const StatusMenu = ({ status, disabled, control, setControl, choose }: StatusMenuProps) => (
  <Menu
    label="Status"
    opened={control === 'menu'}
    onToggle={(opened) => setControl(opened ? 'menu' : control === 'menu' ? null : control)}
    trigger={(button) => (
      <Button
        {...button}
        size="xs"
        variant="default"
        disabled={disabled}
        rightSection={<IconChevronDown size={16} stroke={1.75} aria-hidden />}
      >
        Status
      </Button>
    )}
  >
    {MANAGEMENT_STATUSES.map((code) => (
      <MenuItem
        key={code}
        checked={code === status}
        choose={() => {
          if (code === 'RESOLVED' && code !== status) setControl('resolve');
          else if (code !== status) choose({ status: code });
        }}
      >
        {MANAGEMENT_STATUS_LABELS[code]}
        {code === 'RESOLVED' && code !== status && '…'}
      </MenuItem>
    ))}
  </Menu>
);

/** What can be done with a ping: the next step, and every other status. */
export const StatusActions = ({
  ping,
  retracted: isRetracted = ping.state === 'CANCELLED',
  control,
  setControl,
  choose,
}: Props) => {
  const { status, id } = ping.currentManagementStatus;
  const saving = id === SAVING;
  const resolving = control === 'resolve';
  const change = (to: ManagementStatus, possible: boolean) =>
    possible && !saving ? () => choose({ status: to }) : null;
  useCommands({
    'ping.progress': change('IN_PROGRESS', status === 'NEW' && !isRetracted),
    'ping.dismiss': change('DISMISSED', isOpen(status)),
    'ping.reopen': change('NEW', !isOpen(status) && !isRetracted),
  });
  if (isRetracted) return <RetractedActions ping={ping} choose={choose} />;
  return (
    <div className={classes.actions}>
      {isOpen(status) && !resolving && (
        <Button size="xs" disabled={saving} onClick={() => setControl('resolve')}>
          Resolve
        </Button>
      )}
      {!isOpen(status) && (
        <Button size="xs" disabled={saving} onClick={() => choose({ status: 'NEW' })}>
          Reopen
        </Button>
      )}
      {status === 'NEW' && !resolving && (
        <Button size="xs" variant="default" disabled={saving} onClick={() => choose({ status: 'IN_PROGRESS' })}>
          Mark in progress
        </Button>
      )}
      <StatusMenu status={status} disabled={saving} control={control} setControl={setControl} choose={choose} />
      {saving && (
        <Text size="xs" c="dimmed" role="status">
          Saving…
        </Text>
      )}
    </div>
  );
};

interface FormProps extends Omit<Props, 'choose'> {
  patient: Patient;
  /** Whether the reader chose this ping out of the stay. */
  single: boolean;
  /** Whether the user may change the ping. An administrator can change that while the form is open. */
  mayChange: boolean;
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

const OpenForm = ({
  patient,
  ping,
  single,
  retracted = ping.state === 'CANCELLED',
  reasons,
  setControl,
  choose,
  Panel,
}: FormProps & { Panel: Awaited<ReturnType<typeof loadResolvePanel>> }) => {
  const [seen, see] = useState({ patient, ping });
  const [wasRetracted] = useState(retracted);
  if (wasRetracted && retracted) return null;
  const openPings = pingsOf(patient).filter((one) => isOpen(one.currentManagementStatus.status));
  return (
    <Panel
      patientId={patient.id}
      scope={single ? ping.eventIdentifier : 'stay'}
      events={pingsOf(patient).map(({ eventIdentifier }) => eventIdentifier)}
      retracted={retracted}
      offered={reasons}
      news={(known, include) => {
        if (retracted)
          return (
            <News title="The sender retracted this event.">
              It can't be resolved, only dismissed. Your text stays here until you cancel.
            </News>
          );
        const arrived = openPings.filter(({ eventIdentifier }) => !known.includes(eventIdentifier));
        const [first] = arrived;
        if (single || !first) return null;
        const names = arrived.map(({ status }) => EVENT_LABELS[status]).join(', ');
        return (
          <News title={`${arrived.length > 1 ? 'New events' : 'A new event'} arrived: ${names}.`}>
            <Text size="sm">Not included in what you're resolving. Your text is kept.</Text>
            <Button
              size="xs"
              variant="default"
              mt="xs"
              onClick={() => {
                see({ patient, ping });
                include();
              }}
            >
              Resolve {arrived.length > 1 ? 'them' : 'it'} too
            </Button>
          </News>
        );
      }}
      cancel={() => setControl(null)}
      choose={(choice, known) => choose(choice, withoutLater(seen, known))}
    />
  );
};
