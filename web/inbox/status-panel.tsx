import { Button, Text } from '@mantine/core';
import { isOpen, MANAGEMENT_STATUS_LABELS, MANAGEMENT_STATUSES } from '#contract/management-status.ts';
import type { Ping } from '#contract/pings.ts';
import { IconChevronDown } from '../ui/icons.ts';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { useLoaded } from '../ui/use-loaded.ts';
import classes from './status-panel.module.css';
import type { Panel } from './use-inbox.ts';
import { type Choice, SAVING } from './use-status-changes.ts';

interface Props {
  patientId: string;
  ping: Ping;
  /** Whether bringing back on census is a resolution that this user may give. */
  backOnCensus: boolean;
  panel: Panel;
  setPanel: (panel: Panel) => void;
  choose: (choice: Choice) => void;
}

const loadResolvePanel = () => import('./resolve-panel.tsx').then((file) => file.ResolvePanel);

/** What can be done with a ping: its next step, every other status, and the reasons of a resolution. */
export const StatusPanel = ({ patientId, ping, backOnCensus, panel, setPanel, choose }: Props) => {
  const { status, id } = ping.currentManagementStatus;
  const saving = id === SAVING;
  const ResolvePanel = useLoaded(loadResolvePanel, true);
  if (ping.state === 'CANCELLED')
    return (
      <div className={classes.actions}>
        <Text c="dimmed" size="sm">
          The sender has retracted this event. There is nothing to do but to put it away.
        </Text>
        {isOpen(status) && (
          <Button variant="default" disabled={saving} onClick={() => choose({ status: 'DISMISSED' })}>
            Dismiss
          </Button>
        )}
      </div>
    );
  return (
    <div>
      <div className={classes.actions}>
        {isOpen(status) ? (
          panel !== 'resolve' && (
            <Button disabled={saving} onClick={() => setPanel('resolve')}>
              Resolve
            </Button>
          )
        ) : (
          <Button disabled={saving} onClick={() => choose({ status: 'NEW' })}>
            Reopen
          </Button>
        )}
        {status === 'NEW' && panel !== 'resolve' && (
          <Button variant="default" disabled={saving} onClick={() => choose({ status: 'IN_PROGRESS' })}>
            Start
          </Button>
        )}
        <Menu
          label="Status"
          opened={panel === 'menu'}
          onToggle={(opened) => setPanel(opened ? 'menu' : panel === 'menu' ? null : panel)}
          trigger={(button) => (
            <Button
              {...button}
              variant="default"
              disabled={saving}
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
                if (code === 'RESOLVED' && code !== status) setPanel('resolve');
                else if (code !== status) choose({ status: code });
              }}
            >
              {MANAGEMENT_STATUS_LABELS[code]}
              {code === 'RESOLVED' && code !== status && '…'}
            </MenuItem>
          ))}
        </Menu>
        {saving && (
          <Text size="xs" c="dimmed" role="status">
            Saving
          </Text>
        )}
      </div>
      {panel === 'resolve' && ResolvePanel && (
        <ResolvePanel
          patientId={patientId}
          eventIdentifier={ping.eventIdentifier}
          backOnCensus={backOnCensus}
          cancel={() => setPanel(null)}
          choose={choose}
        />
      )}
    </div>
  );
};
