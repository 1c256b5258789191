import { Button, Group, Text } from '@mantine/core';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { RouteAnswer } from '#contract/routes.ts';
import { call } from '../../api/call.ts';
import { Loaded } from '../../forms/loaded.tsx';
import { formatDateTime } from '../../ui/format/date.ts';
import { Failed } from '../../ui/states.tsx';
import classes from '../admin.module.css';

type Sessions = RouteAnswer<'GET /api/admin/users/:id/sessions'>;

const sessionsQuery = (id: string) =>
  queryOptions({
    queryKey: ['admin-user-sessions', id],
    queryFn: () => call('GET /api/admin/users/:id/sessions', { params: { id } }),
    staleTime: 0,
    gcTime: 0,
  });

const SessionRow = ({
  session: { device, address, createdDate, lastSeenDate },
  end,
  isPending,
}: {
  session: Sessions['sessions'][number];
  end: () => void;
  isPending: boolean;
}) => {
  const place = `${device || 'Unknown browser'}${address && ` at ${address}`}`;
  return (
    <li>
      <Group gap="sm" justify="space-between" wrap="nowrap">
        <span>
          {place}
          <div className={classes.dim}>
            Signed in {formatDateTime(createdDate)} · last active {formatDateTime(lastSeenDate)}
          </div>
        </span>
        <Button
          size="compact-xs"
          variant="default"
          style={{ flex: 'none' }}
          aria-label={`End session: ${place}`}
          loading={isPending}
          onClick={end}
        >
          End
        </Button>
      </Group>
    </li>
  );
};

const Devices = ({ devices }: Pick<Sessions, 'devices'>) =>
  devices.length > 0 && (
    <details>
      <summary>
        {devices.length === 1 ? '1 known browser' : `${devices.length.toLocaleString('en-US')} known browsers`}
      </summary>
      <ul className={classes.names}>
        {devices.map(({ name, lastUsedDate }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: browsers have no id, and two may share name and time
          <li key={at}>
            {name || 'Unknown browser'} <span className={classes.dim}>last used {formatDateTime(lastUsedDate)}</span>
          </li>
        ))}
      </ul>
    </details>
  );

/** Where a user is signed in now, with a button to end each session, and the browsers that they have signed in from. */
export const UserSessions = ({ id }: { id: string }) => {
  const client = useQueryClient();
  const query = sessionsQuery(id);
  const end = useMutation({
    mutationFn: (sessionId: string) =>
      call('DELETE /api/admin/users/:id/sessions/:sessionId', { params: { id, sessionId } }),
    // The session may have ended by itself, so the list is loaded again in any case.
    onSettled: () => client.invalidateQueries({ queryKey: query.queryKey }),
  });
  return (
    <section aria-label="Sessions">
      <h3 className={classes.subhead}>Sessions</h3>
      {end.error && <Failed what="The session wasn't ended." error={end.error} />}
      <Loaded query={useQuery(query)} what="sessions">
        {({ sessions, devices }) => (
          <>
            {sessions.length === 0 && <Text c="dimmed">Not signed in now.</Text>}
            <ul className={classes.names}>
              {sessions.map((session) => (
                <SessionRow
                  key={session.id}
                  session={session}
                  isPending={end.isPending && end.variables === session.id}
                  end={() => end.mutate(session.id)}
                />
              ))}
            </ul>
            <Devices devices={devices} />
          </>
        )}
      </Loaded>
    </section>
  );
};
