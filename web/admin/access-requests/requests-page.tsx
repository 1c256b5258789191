import { Button, Group } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { AccessRequest } from '#contract/admin.ts';
import { call } from '../../api/call.ts';
import { Confirm } from '../../forms/confirm.tsx';
import { Loaded } from '../../forms/loaded.tsx';
import { AddressText } from '../../ui/address-text.tsx';
import { CardTable } from '../../ui/card-table.tsx';
import { DateTime } from '../../ui/date-time.tsx';
import { Empty, Failed } from '../../ui/states.tsx';
import classes from '../admin.module.css';
import { AdminPage } from '../admin-page.tsx';
import { requestsQuery } from '../admin-queries.ts';
import { useDirectory } from '../directory/use-directory.ts';
import { organizationColumn } from '../organization.ts';
import { ApproveRequest } from './approve-request.tsx';
import { PendingAccess } from './pending-access.tsx';

const nameOf = ({ firstName, lastName }: AccessRequest): string => `${firstName} ${lastName}`;

type Decision = 'approve' | 'decline';

/** The pending requests, the message about the last decision, and the request that is about to be decided. */
const useRequests = () => {
  const client = useQueryClient();
  const list = useQuery(requestsQuery);
  const [message, showMessage] = useState<string | null>(null);
  const [deciding, decide] = useState<{ request: AccessRequest; decision: Decision } | null>(null);
  const refresh = (): void => {
    void client.invalidateQueries({ queryKey: requestsQuery.queryKey });
    void client.invalidateQueries({ queryKey: ['admin-users'] });
  };
  /** Reads the list again also after Cancel, because another administrator may have decided the request meanwhile. */
  const close = (): void => {
    decide(null);
    refresh();
  };
  const decided = ({ request, decision }: { request: AccessRequest; decision: Decision }): void => {
    showMessage(
      decision === 'approve'
        ? `${nameOf(request)} was added to ${request.groupName} and will get an email.`
        : `The request from ${nameOf(request)} was declined.`,
    );
    close();
  };
  return { list, message, showMessage, deciding, decide, decided, close };
};

type Requests = ReturnType<typeof useRequests>;

const Decisions = ({ request, requests }: { request: AccessRequest; requests: Requests }) => {
  const subject = `${nameOf(request)} for ${request.groupName}`;
  const button = (decision: Decision, word: string) => (
    <Button
      size="xs"
      variant="default"
      aria-label={`${word} ${subject}`}
      onClick={() => requests.decide({ request, decision })}
    >
      {word}
    </Button>
  );
  return (
    <Group gap="sm">
      {button('approve', 'Approve')}
      {button('decline', 'Decline')}
    </Group>
  );
};

/** The question before the decision that was chosen. */
const Question = ({ requests }: { requests: Requests }) => {
  const { deciding, decided, close } = requests;
  const directory = useDirectory();
  if (deciding === null) return null;
  const { request, decision } = deciding;
  const done = () => decided(deciding);
  if (decision === 'approve') {
    if (directory.data)
      return <ApproveRequest request={request} directory={directory.data} done={done} close={close} />;
    return directory.error ? (
      <Failed what="Couldn't load teams and roles." error={directory.error} retry={() => void directory.refetch()} />
    ) : null;
  }
  return (
    <Confirm
      title={`Decline the request from ${nameOf(request)}?`}
      word="Decline request"
      act={() => call('DELETE /api/admin/access-requests/:id', { params: { id: request.id } })}
      done={done}
      close={close}
    >
      {nameOf(request)} won't get access to {request.groupName}, but can ask again. They get an email that names only
      the group.
    </Confirm>
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
            {request.title && <div>{request.title}</div>}
            <div className={classes.dim}>
              <AddressText text={request.username} />
            </div>
          </>
        ),
        { width: '30%' },
      ],
      ['Group', ({ groupName }) => groupName],
      ...organizationColumn(rows),
      ['Requested', ({ createdDate }) => <DateTime value={createdDate} />, { width: '16%' }],
      ['Decision', (request) => <Decisions request={request} requests={requests} />, { width: '20%' }],
    ]}
  />
);

/** People who asked to join a group, to be approved or declined. */
export const RequestsPage = () => {
  const requests = useRequests();
  const { list, message, showMessage } = requests;
  return (
    <AdminPage
      title="Access requests"
      lead="Approve only people you know. Names and email addresses in requests are not verified."
      message={message}
      dismissMessage={() => showMessage(null)}
    >
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
      <Question requests={requests} />
    </AdminPage>
  );
};
