import { Button, Skeleton, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ContactAttempt } from '#contract/contact-attempts.ts';
import { CHANNEL_LABELS, OUTCOME_LABELS } from '#contract/contact-words.ts';
import { call } from '../api/call.ts';
import { Confirm } from '../forms/confirm.tsx';
import { useSession } from '../session/session.ts';
import { useCommands } from '../ui/commands.ts';
import { formatDateTime } from '../ui/format/date.ts';
import { Failed } from '../ui/states.tsx';
import { AttemptDrawer } from './attempt-drawer.tsx';
import { attemptsQuery, showAttempts } from './attempt-queries.ts';
import classes from './contact-log.module.css';

const inWords = ({ channel, outcome }: ContactAttempt): string =>
  `${CHANNEL_LABELS[channel]}: ${OUTCOME_LABELS[outcome]}`;

const Attempt = ({ attempt, remove }: { attempt: ContactAttempt; remove: (() => void) | null }) => (
  <li>
    <div className={classes.line}>
      <strong>{inWords(attempt)}</strong>
      {remove && (
        <Button
          size="compact-xs"
          variant="subtle"
          onClick={remove}
          aria-label={`Remove: ${inWords(attempt)}, ${formatDateTime(attempt.attemptedAt)}`}
        >
          Remove
        </Button>
      )}
    </div>
    {attempt.note && <p className={classes.note}>{attempt.note}</p>}
    <span className={classes.dim}>
      {attempt.by} · <time dateTime={attempt.attemptedAt}>{formatDateTime(attempt.attemptedAt)}</time>
    </span>
  </li>
);

/** When the team tried to reach a patient, how and with what outcome, with a button to record another attempt, unless the patient has died. */
export const ContactLog = ({ patientId, hasDied }: { patientId: string; hasDied: boolean }) => {
  const mayChange = useSession().can('canManagePings');
  const mayLog = mayChange && !hasDied;
  const client = useQueryClient();
  const { data, error, refetch } = useQuery(attemptsQuery(patientId));
  const [logging, log] = useState(false);
  const [leaving, leave] = useState<ContactAttempt | null>(null);
  useCommands({
    'patient.contact': mayLog
      ? (event) => {
          event?.preventDefault();
          log(true);
        }
      : null,
  });
  return (
    <div className={classes.log}>
      {error && !data && (
        <Failed what="Couldn't load the contact attempts." error={error} retry={() => void refetch()} />
      )}
      {!data && !error && <Skeleton h={20} w="60%" />}
      {data?.length === 0 && (
        <Text c="dimmed" size="sm">
          No contact attempts yet.
        </Text>
      )}
      {data && data.length > 0 && (
        <ol className={classes.attempts}>
          {data.map((attempt) => (
            <Attempt
              key={attempt.id}
              attempt={attempt}
              remove={attempt.isOwn && mayChange ? () => leave(attempt) : null}
            />
          ))}
        </ol>
      )}
      {mayLog && (
        <Button size="compact-sm" variant="default" onClick={() => log(true)}>
          Log contact
        </Button>
      )}
      {logging && (
        <AttemptDrawer
          patientId={patientId}
          saved={(attempts) => {
            log(false);
            void showAttempts(client, patientId, attempts);
          }}
          close={() => log(false)}
        />
      )}
      {leaving && (
        <Confirm
          title="Remove this contact attempt?"
          word="Remove attempt"
          act={async () => {
            const params = { id: patientId, attemptId: leaving.id };
            const attempts = await call('DELETE /api/patients/:id/contact-attempts/:attemptId', { params });
            void showAttempts(client, patientId, attempts);
          }}
          done={() => leave(null)}
          close={() => leave(null)}
        >
          {inWords(leaving)}. It no longer counts for the follow-up. It stays on record.
        </Confirm>
      )}
    </div>
  );
};
