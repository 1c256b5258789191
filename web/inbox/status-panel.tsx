import { Button, Checkbox, Menu, Text, Textarea } from '@mantine/core';
import { type SubmitEvent, useEffect, useRef, useState } from 'react';
import { ERRORS } from '#contract/errors.ts';
import {
  isOpen,
  MANAGEMENT_STATUS_LABELS,
  MANAGEMENT_STATUSES,
  OTHER_TEXT_LIMIT,
  RESOLUTION_LABELS,
  RESOLUTIONS,
  type Resolution,
} from '#contract/management-status.ts';
import type { Ping } from '#contract/pings.ts';
import { IconCheck, IconChevronDown } from '../ui/icons.ts';
import type { Panel } from './inbox-page.tsx';
import classes from './status-panel.module.css';
import { type Choice, SAVING } from './use-status-changes.ts';

interface Props {
  ping: Ping;
  /** Whether bringing back on census is a resolution that this user may give. */
  backOnCensus: boolean;
  panel: Panel;
  setPanel: (panel: Panel) => void;
  choose: (choice: Choice) => void;
}

/** How it was resolved: one reason or more; the other kind is described. Nothing is chosen beforehand. */
const ResolvePanel = ({ backOnCensus, setPanel, choose }: Pick<Props, 'backOnCensus' | 'setPanel' | 'choose'>) => {
  const [resolutions, setResolutions] = useState<Resolution[]>([]);
  const [otherText, setOtherText] = useState('');
  const [tried, setTried] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const offered = RESOLUTIONS.filter(
    (code) => code !== 'SYSTEM_RESOLVED' && (code !== 'BACK_ON_CENSUS' || backOnCensus),
  );
  const other = resolutions.includes('OTHER');
  const lacksReason = resolutions.length === 0;
  const lacksText = other && !otherText.trim();
  useEffect(() => form.current?.querySelector<HTMLInputElement>('input[type=checkbox]')?.focus(), []);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    setTried(true);
    if (lacksReason) form.current?.querySelector<HTMLInputElement>('input')?.focus();
    else if (lacksText) form.current?.querySelector('textarea')?.focus();
    else choose({ status: 'RESOLVED', resolutions, ...(other ? { otherText: otherText.trim() } : {}) });
  };
  return (
    <form ref={form} className={classes.resolve} onSubmit={submit} aria-label="Resolve this ping">
      <Checkbox.Group
        label="How was it resolved?"
        value={resolutions}
        onChange={(value) => setResolutions(value as Resolution[])}
        error={tried && lacksReason ? ERRORS.RESOLUTION_REQUIRED[1] : null}
      >
        <div className={classes.reasons}>
          {offered.map((code) => (
            <Checkbox
              key={code}
              value={code}
              label={RESOLUTION_LABELS[code]}
              onKeyDown={(event) => {
                if (event.key === 'Enter') form.current?.requestSubmit();
              }}
            />
          ))}
        </div>
      </Checkbox.Group>
      {other && (
        <Textarea
          label="Describe the other resolution"
          required
          autosize
          minRows={2}
          maxRows={8}
          maxLength={OTHER_TEXT_LIMIT}
          value={otherText}
          onChange={({ currentTarget }) => setOtherText(currentTarget.value)}
          error={tried && lacksText ? ERRORS.OTHER_TEXT_REQUIRED[1] : null}
          description={`${otherText.length} of ${OTHER_TEXT_LIMIT} characters`}
        />
      )}
      <div className={classes.actions}>
        <Button type="submit">Resolve</Button>
        <Button variant="subtle" color="gray" onClick={() => setPanel(null)}>
          Cancel
        </Button>
      </div>
    </form>
  );
};

/** What can be done with a ping: its next step, every other status, and the reasons of a resolution. */
export const StatusPanel = ({ ping, backOnCensus, panel, setPanel, choose }: Props) => {
  const { status, id } = ping.currentManagementStatus;
  const saving = id === SAVING;
  if (ping.state === 'CANCELLED')
    return (
      <Text c="dimmed" size="sm">
        {ERRORS.PING_RETRACTED[1]}
      </Text>
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
          opened={panel === 'menu'}
          onChange={(opened) => setPanel(opened ? 'menu' : null)}
          position="bottom-start"
          shadow="md"
        >
          <Menu.Target>
            <Button
              variant="default"
              disabled={saving}
              rightSection={<IconChevronDown size={16} stroke={1.75} aria-hidden />}
            >
              Status
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {MANAGEMENT_STATUSES.map((code) => (
              <Menu.Item
                key={code}
                role="menuitemradio"
                aria-checked={code === status}
                leftSection={code === status ? <IconCheck size={16} aria-hidden /> : <span className={classes.blank} />}
                onClick={() => {
                  if (code === 'RESOLVED' && code !== status) setPanel('resolve');
                  else if (code !== status) choose({ status: code });
                }}
              >
                {MANAGEMENT_STATUS_LABELS[code]}
                {code === 'RESOLVED' && code !== status && '…'}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
        {saving && (
          <Text size="xs" c="dimmed" role="status">
            Saving
          </Text>
        )}
      </div>
      {panel === 'resolve' && <ResolvePanel backOnCensus={backOnCensus} setPanel={setPanel} choose={choose} />}
    </div>
  );
};
