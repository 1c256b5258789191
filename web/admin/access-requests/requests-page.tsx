import { Button, Group } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { AccessRequest } from '#contract/admin.ts';
import { call } from '../../api/call.ts';
import { Confirm } from '../../forms/confirm.tsx';
import { Loaded } from '../../forms/loaded.tsx';
import { CardTable } from '../../ui/card-table.tsx';
import { formatDateTime } from '../../ui/format/date.ts';
import { Empty, Failed } from '../../ui/states.tsx';
import classes from '../admin.module.css';
import { AdminPage } from '../admin-page.tsx';
import { requestsQuery } from '../admin-queries.ts';
import { organizationColumn } from '../organization.ts';
import { PendingAccess } from './pending-access.tsx';

const nameOf = ({ firstName, lastName }: AccessRequest): string => `${firstName} ${lastName}`;

/** The pending requests, the message about the last decision, and the request that is about to be declined. */
const useRequests = () => {
  const client = useQueryClient();
  const list = useQuery(requestsQuery);
  const [message, showMessage] = useState<string | null>(null);
  const [declining, decline] = useState<AccessRequest | null>(null);
  const refresh = (): void => {
    void client.invalidateQueries({ queryKey: requestsQuery.queryKey });
    void client.invalidateQueries({ queryKey: ['admin-users'] });
  };
  const approve = useMutation({
    mutationFn: ({ username, groupId }: AccessRequest) =>
      call('POST /api/users/authorize-group', { query: { username, groupId } }),
    onSuccess: (_, request) => {
      showMessage(`${nameOf(request)} was added to ${request.groupName} and will get an email.`);
      refresh();
    },
    // Another administrator may have decided it already, so the list is loaded again.
    onError: refresh,
  });
  const declined = (request: AccessRequest): void => {
    showMessage(`The request from ${nameOf(request)} was declined.`);
    decline(null);
    refresh();
  };
  return { list, message, showMessage, approve, declining, decline, declined };
};

type Requests = ReturnType<typeof useRequests>;

const Decision = ({ request, requests }: { request: AccessRequest; requests: Requests }) => {
  const { approve, decline } = requests;
  const subject = `${nameOf(request)} for ${request.groupName}`;
  return (
    <Group gap="sm">
      <Button
        size="xs"
        variant="default"
        aria-label={`Approve ${subject}`}
        loading={approve.isPending && approve.variables.id === request.id}
        onClick={() => approve.mutate(request)}
      >
        Approve
      </Button>
      <Button size="xs" variant="default" aria-label={`Decline ${subject}`} onClick={() => decline(request)}>
        Decline
      </Button>
    </Group>
  );
};

const RequestTable = ({ rows, requests }: { rows: AccessRequest[]; requests: Requests }) => (
  <CardTable
    label="Access requests"
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
      ['Requested', ({ createdDate }) => formatDateTime(createdDate)],
      ['Decision', (request) => <Decision request={request} requests={requests} />],
    ]}
  />
);

/** People who asked to join a group, to be approved or declined. */
export const RequestsPage = () => {
  const requests = useRequests();
  const { list, message, showMessage, approve, declining, decline, declined } = requests;
  return (
    <AdminPage
      title="Access requests"
      lead="Approve only people you know. Names and email addresses in requests are not verified."
      message={message}
      dismissMessage={() => showMessage(null)}
    >
      {approve.error && <Failed what="The request wasn't approved." error={approve.error} />}
      <PendingAccess decided={showMessage} />
      <Loaded query={list} what="access requests">
        {(all) =>
          all.length === 0 ? (
            <Empty title="No pending requests">
              When someone asks to join one of your groups, the request appears here and you get an email.
            </Empty>
          ) : (
            <RequestTable rows={all} requests={requests} />
          )
        }
      </Loaded>
      {declining && (
        <Confirm
          title={`Decline the request from ${nameOf(declining)}?`}
          word="Decline request"
          act={() => call('DELETE /api/admin/access-requests/:id', { params: { id: declining.id } })}
          done={() => declined(declining)}
          close={() => decline(null)}
        >
          {nameOf(declining)} won't get access to {declining.groupName}, but can ask again.
        </Confirm>
      )}
    </AdminPage>
  );
};
