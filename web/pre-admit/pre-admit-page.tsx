import { Button, Text, Title } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { HeldPatient } from '#contract/pre-admit.ts';
import { HELD_HOURS } from '#contract/pre-admit-words.ts';
import { inBackground } from '../api/background.ts';
import { call } from '../api/call.ts';
import { useLiveEvents } from '../api/use-live.ts';
import { Confirm } from '../forms/confirm.tsx';
import { Loaded } from '../forms/loaded.tsx';
import { useThrottled } from '../lists/use-throttled.ts';
import { useSession } from '../session/session.ts';
import { announce } from '../ui/announcer.tsx';
import { useCommands } from '../ui/commands.ts';
import { formatTime } from '../ui/format/date.ts';
import { familyFirst } from '../ui/format/name.ts';
import { IconHandStop } from '../ui/icons.ts';
import { RefreshButton } from '../ui/refresh-button.tsx';
import { Empty } from '../ui/states.tsx';
import { showToast } from '../ui/toasts.tsx';
import { useNow } from '../ui/use-now.ts';
import { useTitle } from '../ui/use-title.ts';
import { HeldAdmissions } from './admissions.tsx';
import { heldQuery, refreshHeld } from './held-queries.ts';
import { HeldTable } from './held-table.tsx';
import { HoldDrawer } from './hold-drawer.tsx';
import { holdingGroups } from './holding-groups.ts';
import { LookUpDrawer } from './look-up-drawer.tsx';
import classes from './pre-admit.module.css';

const REFRESH_EVERY = 60_000;
/** Live events that come close together cause one request. In milliseconds. */
const ASK_AFTER = 1000;

type Dialog = { kind: 'hold' } | { kind: 'look-up' | 'delete'; held: HeldPatient } | null;

/** Keeps the lists fresh: colleagues hold patients, admissions end holds, and hours pass. */
const useFreshLists = (): void => {
  const client = useQueryClient();
  const { run } = useThrottled(() => void refreshHeld(client), ASK_AFTER);
  useLiveEvents(({ kind }) => {
    if (kind === 'held' || kind === 'rows' || kind === 'ping' || kind === 'reload') run();
  });
  useEffect(() => {
    const timer = setInterval(() => inBackground(() => void refreshHeld(client)), REFRESH_EVERY);
    return () => clearInterval(timer);
  }, [client]);
};

interface DialogProps {
  dialog: Dialog;
  close: () => void;
}

const Dialogs = ({ dialog, close }: DialogProps) => {
  const { team } = useSession();
  const client = useQueryClient();
  if (dialog === null) return null;
  if (dialog.kind === 'hold')
    return (
      <HoldDrawer
        groups={holdingGroups(team)}
        saved={(held) => {
          void refreshHeld(client);
          close();
          showToast({ type: 'success', message: `${familyFirst(held)} is held for ${held.hoursLeft} hours.` });
        }}
        close={close}
      />
    );
  const { held } = dialog;
  if (dialog.kind === 'look-up') return <LookUpDrawer held={held} close={close} />;
  return (
    <Confirm
      title="Delete held patient"
      word="Delete"
      act={() => call('DELETE /api/pre-admit/patients/:id', { params: { id: held.id } })}
      done={() => {
        void refreshHeld(client);
        announce(`${familyFirst(held)} is no longer held.`);
        close();
      }}
      close={close}
    >
      {`${familyFirst(held)} will no longer be held at ${held.groupName}. You can't undo this.`}
    </Confirm>
  );
};

/** The patients whom the team's facilities expect. */
export const PreAdmitPage = () => {
  useTitle('Pre-admit');
  const { team } = useSession();
  const now = useNow();
  const [dialog, open] = useState<Dialog>(null);
  const list = useQuery(heldQuery);
  const groups = holdingGroups(team);
  useFreshLists();
  useCommands({
    'held.add':
      groups.length === 0
        ? null
        : (event) => {
            event?.preventDefault();
            open({ kind: 'hold' });
          },
  });
  return (
    <div className={classes.page}>
      <div className={classes.head}>
        <Title order={1}>Pre-admit</Title>
        <Text c="dimmed" span className="tabular">
          {[
            list.data && `${list.data.length} held`,
            team.name,
            list.data && `Updated ${formatTime(new Date(list.dataUpdatedAt).toISOString())}`,
          ]
            .filter(Boolean)
            .join(' · ')}
        </Text>
        <RefreshButton refreshing={list.isRefetching} refresh={() => void list.refetch()} />
        {groups.length > 0 && (
          <Button size="xs" className={classes.add} onClick={() => open({ kind: 'hold' })}>
            Hold patient
          </Button>
        )}
      </div>
      {groups.length === 0 ? (
        <Empty icon={<IconHandStop size={24} stroke={1.75} aria-hidden />} title="This team holds no patients.">
          Facilities hold patients before an admission, and none of this team's groups is a facility.
        </Empty>
      ) : (
        <>
          <Text size="sm" className={classes.intro}>
            Patients you expect are held for {HELD_HOURS} hours. An admission at the facility ends the hold. Look-ups
            are recorded.
          </Text>
          <Loaded query={list} what="held patients">
            {(held) =>
              held.length === 0 ? (
                <Empty icon={<IconHandStop size={24} stroke={1.75} aria-hidden />} title="No held patients.">
                  Hold a patient you expect to see their programs, care team, and recent visits before they arrive.
                </Empty>
              ) : (
                <HeldTable
                  held={held}
                  namesFacility={groups.length > 1}
                  now={now}
                  lookUp={(one) => open({ kind: 'look-up', held: one })}
                  askDelete={(one) => open({ kind: 'delete', held: one })}
                />
              )
            }
          </Loaded>
          <HeldAdmissions now={now} />
        </>
      )}
      <Dialogs dialog={dialog} close={() => open(null)} />
    </div>
  );
};
