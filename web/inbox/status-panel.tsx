import { Button, Text } from '@mantine/core';
import {
  isOpen,
  MANAGEMENT_STATUS_LABELS,
  MANAGEMENT_STATUSES,
  type ManagementStatus,
} from '#contract/management-status.ts';
import type { Ping } from '#contract/pings.ts';
import { useCommands } from '../ui/commands.ts';
import { IconChevronDown } from '../ui/icons.ts';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { type Choice, SAVING } from './status-change.ts';
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
