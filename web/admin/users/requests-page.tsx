import { Button, Group } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/call.ts';
import { Confirm } from '../../forms/confirm.tsx';
import { Loaded } from '../../forms/loaded.tsx';
import { CardTable } from '../../ui/card-table.tsx';
import { formatDateTime } from '../../ui/format/date.ts';
import { Empty, Failed } from '../../ui/states.tsx';
import classes from '../admin.module.css';
import { AdminPage } from '../admin-page.tsx';
import { requestsQuery } from '../admin-queries.ts';
import type { AccessRequest } from '../admin-types.ts';
import { organizationColumn } from '../organization.ts';

const nameOf = ({ firstName, lastName }: AccessRequest): string => `${firstName} ${lastName}`;

/** Who asks to join, what was decided last, and whom one is about to decline. */
const useRequests = () => {
  const client = useQueryClient();
  const list = useQuery(requestsQuery);
  const [message, say] = useState<string | null>(null);
  const [declining, decline] = useState<AccessRequest | null>(null);
  const renew = (): void => {
    void client.invalidateQueries({ queryKey: requestsQuery.queryKey });
    void client.invalidateQueries({ queryKey: ['admin-users'] });
  };
  const authorise = useMutation({
    mutationFn: ({ username, groupId }: AccessRequest) =>
      call('POST /api/users/authorize-group', { query: { username, groupId } }),
    onSuccess: (_, request) => {
      say(`${nameOf(request)} was let into ${request.groupName}, and gets an e-mail.`);
      renew();
    },
    // Somebody else may have decided it meanwhile: what stands is shown again.
    onError: renew,
  });
  const declined = (request: AccessRequest): void => {
    say(`The request of ${nameOf(request)} was declined.`);
    decline(null);
    renew();
  };
  return { list, message, say, authorise, declining, decline, declined };
};

type Requests = ReturnType<typeof useRequests>;

const Decision = ({ request, requests }: { request: AccessRequest; requests: Requests }) => {
  const { authorise, decline } = requests;
  const whom = `${nameOf(request)} for ${request.groupName}`;
  return (
    <Group gap="sm">
      <Button
        size="xs"
        variant="default"
        aria-label={`Authorise ${whom}`}
        loading={authorise.isPending && authorise.variables.id === request.id}
        onClick={() => authorise.mutate(request)}
      >
        Authorise
      </Button>
      <Button size="xs" variant="default" aria-label={`Decline ${whom}`} onClick={() => decline(request)}>
        Decline
      </Button>
    </Group>
  );
};

const RequestTable = ({ rows, requests }: { rows: AccessRequest[]; requests: Requests }) => (
  <CardTable
    label="Requests to join"
    rows={rows}
    columns={[
      [
        'Name',
        (request) => (
          <>
            <b>{nameOf(request)}</b>
            <div className={classes.dim}>{request.username}</div>
          </>
        ),
      ],
      ['Group', ({ groupName }) => groupName],
      ...organizationColumn(rows),
      ['Asked', ({ createdDate }) => formatDateTime(createdDate)],
      ['Decision', (request) => <Decision request={request} requests={requests} />],
    ]}
  />
);

/** People who asked to join a group: let in, or declined. */
export const RequestsPage = () => {
  const requests = useRequests();
  const { list, message, say, authorise, declining, decline, declined } = requests;
  return (
    <AdminPage
      title="Requests to join"
      lead="Let in only whom you know: the e-mail address is all that is known of somebody who asks."
      message={message}
      close={() => say(null)}
    >
      {authorise.error && <Failed what="Nobody was let in." error={authorise.error} />}
      <Loaded query={list} what="requests to join">
        {(all) =>
          all.length === 0 ? (
            <Empty title="Nobody waits.">
              Who asks to join one of your groups appears here, and you get an e-mail.
            </Empty>
          ) : (
            <RequestTable rows={all} requests={requests} />
          )
        }
      </Loaded>
      {declining && (
        <Confirm
          title={`Decline ${nameOf(declining)}?`}
          word="Decline the request"
          act={() => call('DELETE /api/admin/access-requests/:id', { params: { id: declining.id } })}
          done={() => declined(declining)}
          close={() => decline(null)}
        >
          {nameOf(declining)} gets no access to {declining.groupName}, and can ask again.
        </Confirm>
      )}
    </AdminPage>
  );
};
