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

/** The user's sessions. All but the current one can be ended. */
export const SessionsSection = ({ profile, saved }: { profile: Profile; saved: (message: string) => void }) => {
  const client = useQueryClient();
  const [ending, setEnding] = useState<Session | null>(null);
  const sessions = profile.sessions.toSorted((a, b) => Number(b.isCurrent) - Number(a.isCurrent));
  return (
    <Section id="sessions" title="Where you're signed in">
      <ul className={classes.items}>
        {sessions.map((session) => (
          <li key={session.id}>
            <div>
              <div className={classes.name}>{session.device}</div>
              <div className={classes.dim}>
                Signed in {formatDateTime(session.createdDate)}
                {session.address && ` from ${session.address}`} · last active {formatDateTime(session.lastSeenDate)}
              </div>
            </div>
            {session.isCurrent ? (
              <Badge color="positive" leftSection={<IconCheck size={14} stroke={1.75} aria-hidden />}>
                This session
              </Badge>
            ) : (
              <Button
                size="xs"
                variant="default"
                aria-label={`End session on ${session.device}, last active ${formatDateTime(session.lastSeenDate)}`}
                onClick={() => setEnding(session)}
              >
                End
              </Button>
            )}
          </li>
        ))}
      </ul>
      {ending && (
        <Confirm
          title={`End session on ${ending.device}?`}
          word="End session"
          act={() => call('DELETE /api/users/sessions/:id', { params: { id: ending.id } })}
          done={() => {
            setEnding(null);
            void client.invalidateQueries({ queryKey: profileQuery.queryKey });
            saved('Session ended.');
          }}
          close={() => setEnding(null)}
        >
          Anyone using it will have to sign in again and will lose unsaved changes. If it wasn't you, change your
          password too.
        </Confirm>
      )}
    </Section>
  );
};
