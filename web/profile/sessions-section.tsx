import { Badge, Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Profile, Session } from '#contract/users.ts';
import { call } from '../api/call.ts';
import { Confirm } from '../forms/confirm.tsx';
import { profileQuery } from '../session/preferences.ts';
import { formatDateTime } from '../ui/format/date.ts';
import { IconCheck } from '../ui/icons.ts';
import classes from './profile.module.css';
import { Section } from './section.tsx';

/** Where one is signed in; every session but this one can be ended here. */
export const SessionsSection = ({ profile, saved }: { profile: Profile; saved: (message: string) => void }) => {
  const client = useQueryClient();
  const [ending, end] = useState<Session | null>(null);
  const sessions = profile.sessions.toSorted((a, b) => Number(b.isCurrent) - Number(a.isCurrent));
  return (
    <Section id="sessions" title="Where you are signed in">
      <ul className={classes.items}>
        {sessions.map((session) => (
          <li key={session.id}>
            <div>
              <div className={classes.name}>{session.device}</div>
              <div className={classes.dim}>
                Signed in {formatDateTime(session.createdDate)} · last active {formatDateTime(session.lastSeenDate)}
              </div>
            </div>
            {session.isCurrent ? (
              <Badge color="positive" leftSection={<IconCheck size={14} stroke={1.75} aria-hidden />}>
                This one
              </Badge>
            ) : (
              <Button
                size="xs"
                variant="default"
                aria-label={`End the session on ${session.device}, last active ${formatDateTime(session.lastSeenDate)}`}
                onClick={() => end(session)}
              >
                End
              </Button>
            )}
          </li>
        ))}
      </ul>
      {ending && (
        <Confirm
          title={`End the session on ${ending.device}?`}
          word="End the session"
          act={() => call('DELETE /api/users/sessions/:id', { params: { id: ending.id } })}
          done={() => {
            end(null);
            void client.invalidateQueries({ queryKey: profileQuery.queryKey });
            saved('The session was ended.');
          }}
          close={() => end(null)}
        >
          Whoever uses it has to sign in again, and loses what is not saved there. If it was not you, change your
          password as well.
        </Confirm>
      )}
    </Section>
  );
};
