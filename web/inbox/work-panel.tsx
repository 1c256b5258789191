import { Button, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Patient } from '#contract/patients.ts';
import type { WorkChange } from '#contract/worklist.ts';
import { useSession } from '../session/session.ts';
import { formatDateTime } from '../ui/format/date.ts';
import { sendWork, type WorkChoice } from './change-work.ts';
import { ChooseColleague } from './choose-colleague.tsx';
import { ChooseWait } from './choose-wait.tsx';
import type { StatusControl } from './use-inbox.ts';
import classes from './work.module.css';
import { waitingPhrase } from './work-phrase.ts';
import { workHistoryQuery } from './work-queries.ts';

interface Props {
  patient: Patient;
  /** Whether a ping of the stay is open: a closed one doesn't wait. */
  isOpen: boolean;
  control: StatusControl;
  setControl: (control: StatusControl) => void;
  /** Takes `undo` back until the next change. */
  noteUndo: (undo: () => void) => void;
}

/** Returns what a change of the past did, in words. */
export const changeInWords = ({ kind, before, after, by }: WorkChange): string => {
  if (kind === 'SNOOZE') return waitingPhrase(after.waiting) ?? 'No longer waiting';
  const to = after.owner ?? 'no one';
  const from = before.owner && before.owner !== after.owner ? ` (from ${before.owner})` : '';
  if (kind === 'ASSIGN' && after.owner === by) return `Taken by ${by}${from}`;
  return kind === 'HAND_OVER' ? `Handed over to ${to}${from}` : `Given to ${to}${from}`;
};

const History = ({ patientId }: { patientId: string }) => {
  const { data, error } = useQuery(workHistoryQuery(patientId));
  if (error) return <Text size="sm">Couldn’t load who had this patient. Close this, then try again.</Text>;
  return (
    <ul className={classes.done}>
      {data?.map((change) => (
        <li key={change.id}>
          <span>{changeInWords(change)}</span>
          <span className={classes.dim}>
            {change.by} · <time dateTime={change.date}>{formatDateTime(change.date)}</time>
          </span>
        </li>
      ))}
    </ul>
  );
};

/** Who has taken the stay, and whether it waits. */
const State = ({ patient: { card } }: Pick<Props, 'patient'>) => {
  const { user } = useSession();
  if (!card) return null;
  const { owner, waiting } = card.work;
  return (
    <>
      <span>
        {owner ? (
          <>
            Taken by <strong>{owner.id === user.id ? 'you' : owner.name}</strong>{' '}
            <span className={classes.dim}>
              since <time dateTime={owner.at}>{formatDateTime(owner.at)}</time>
            </span>
          </>
        ) : (
          'No owner'
        )}
      </span>
      {waiting && (
        <span>
          {waitingPhrase(waiting)}{' '}
          <span className={classes.dim}>
            set by {waiting.by}, <time dateTime={waiting.since}>{formatDateTime(waiting.since)}</time>
          </span>
        </span>
      )}
    </>
  );
};

/** Who has taken a stay and whether it waits, and what changes both. */
export const WorkPanel = ({ patient, isOpen, control, setControl, noteUndo }: Props) => {
  const { user } = useSession();
  const client = useQueryClient();
  const [showsHistory, showHistory] = useState(false);
  const { card } = patient;
  if (!card) return null;
  const { owner, waiting, version } = card.work;
  const isOwn = owner?.id === user.id;
  const close = (): void => setControl(null);
  const choose = (choice: WorkChoice): void => {
    close();
    void sendWork(patient, choice, { client, user, noteUndo });
  };
  const me = { id: user.id, name: `${user.firstName} ${user.lastName}` };
  return (
    <div className={classes.panel}>
      <div className={classes.state}>
        <State patient={patient} />
      </div>
      <div className={classes.state}>
        {card.abilities.change && (
          <>
            {!isOwn && (
              <Button size="compact-sm" variant="default" onClick={() => choose({ kind: 'assign', to: me })}>
                Take it
              </Button>
            )}
            <Button
              size="compact-sm"
              variant="default"
              aria-expanded={control === 'assign'}
              onClick={() => setControl(control === 'assign' ? null : 'assign')}
            >
              Assign…
            </Button>
            {waiting ? (
              <Button size="compact-sm" variant="default" onClick={() => choose({ kind: 'snooze', until: null })}>
                End wait
              </Button>
            ) : (
              isOpen && (
                <Button
                  size="compact-sm"
                  variant="default"
                  aria-expanded={control === 'snooze'}
                  onClick={() => setControl(control === 'snooze' ? null : 'snooze')}
                >
                  Snooze…
                </Button>
              )
            )}
          </>
        )}
        {version !== '0' && (
          <Button
            size="compact-sm"
            variant="subtle"
            aria-expanded={showsHistory}
            onClick={() => showHistory(!showsHistory)}
          >
            History
          </Button>
        )}
      </div>
      {control === 'assign' && (
        <ChooseColleague
          label="Assign to"
          withSelf={!isOwn}
          clear={owner ? () => choose({ kind: 'assign', to: null }) : null}
          choose={(to) => choose({ kind: 'assign', to })}
          cancel={close}
        />
      )}
      {control === 'snooze' && isOpen && (
        <ChooseWait choose={(until) => choose({ kind: 'snooze', until })} cancel={close} />
      )}
      {showsHistory && <History patientId={patient.id} />}
    </div>
  );
};
