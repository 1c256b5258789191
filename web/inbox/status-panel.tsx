import { Button, Text } from '@mantine/core';
import {
  isOpen,
  MANAGEMENT_STATUS_LABELS,
  MANAGEMENT_STATUSES,
  type ManagementStatus,
} from '#contract/management-status.ts';
import type { Ping } from '#contract/pings.ts';
import { IconChevronDown } from '../ui/icons.ts';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { useLoaded } from '../ui/use-loaded.ts';
import { type Choice, SAVING } from './status-change.ts';
import classes from './status-panel.module.css';
import type { StatusControl } from './use-inbox.ts';

interface Props {
  patientId: string;
  ping: Ping;
  /** Whether this user may resolve a ping as "Brought Patient Back on Census". */
  backOnCensus: boolean;
  control: StatusControl;
  setControl: (control: StatusControl) => void;
  choose: (choice: Choice) => void;
}

const loadResolvePanel = () => import('./resolve-panel.tsx').then((file) => file.ResolvePanel);

/** An event that was retracted, or is someone else's, leaves only one thing to do. */
const RetractedActions = ({ ping, choose }: Pick<Props, 'ping' | 'choose'>) => {
  const { status, id } = ping.currentManagementStatus;
  return (
    <div className={classes.actions}>
      <Text c="dimmed" size="sm">
        {ping.reason?.code === 'UNMATCHED'
          ? 'This visit is no longer matched to this patient.'
          : 'The sender retracted this event.'}{' '}
        {isOpen(status) && 'You can only dismiss this ping.'}
      </Text>
      {isOpen(status) && (
        <Button variant="default" disabled={id === SAVING} onClick={() => choose({ status: 'DISMISSED' })}>
          Dismiss
        </Button>
      )}
    </div>
  );
};

interface StatusMenuProps extends Pick<Props, 'control' | 'setControl' | 'choose'> {
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

/** What can be done with a ping: the next step, every other status, and the form for a resolution. */
export const StatusPanel = ({ patientId, ping, backOnCensus, control, setControl, choose }: Props) => {
  const { status, id } = ping.currentManagementStatus;
  const saving = id === SAVING;
  const resolving = control === 'resolve';
  const ResolvePanel = useLoaded(loadResolvePanel, true);
  if (ping.state === 'CANCELLED') return <RetractedActions ping={ping} choose={choose} />;
  return (
    <div>
      <div className={classes.actions}>
        {isOpen(status) && !resolving && (
          <Button disabled={saving} onClick={() => setControl('resolve')}>
            Resolve
          </Button>
        )}
        {!isOpen(status) && (
          <Button disabled={saving} onClick={() => choose({ status: 'NEW' })}>
            Reopen
          </Button>
        )}
        {status === 'NEW' && !resolving && (
          <Button variant="default" disabled={saving} onClick={() => choose({ status: 'IN_PROGRESS' })}>
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
      {resolving && ResolvePanel && (
        <ResolvePanel
          patientId={patientId}
          eventIdentifier={ping.eventIdentifier}
          backOnCensus={backOnCensus}
          cancel={() => setControl(null)}
          choose={choose}
        />
      )}
    </div>
  );
};
