import { Button, Group } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../api/call.ts';
import { Confirm } from '../forms/confirm.tsx';
import { Loaded } from '../forms/loaded.tsx';
import { CardTable } from '../ui/card-table.tsx';
import { formatDateTime } from '../ui/format/date.ts';
import { Empty, Failed } from '../ui/states.tsx';
import classes from './admin.module.css';
import { AdminPage } from './admin-page.tsx';
import { requestsQuery } from './admin-queries.ts';
import type { AccessRequest } from './admin-types.ts';
import { organizationColumn } from './organization.ts';

const nameOf = ({ firstName, lastName }: AccessRequest): string => `${firstName} ${lastName}`;

/** People who asked to join a group: let in, or declined. */
export const RequestsPage = () => {
  const client = useQueryClient();
  const requests = useQuery(requestsQuery);
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
  return (
    <AdminPage
      title="Requests to join"
      lead="Let in only whom you know: the e-mail address is all that is known of somebody who asks."
      message={message}
      close={() => say(null)}
    >
      {authorise.error && <Failed what="Nobody was let in." error={authorise.error} />}
      <Loaded query={requests} what="requests to join">
        {(all) =>
          all.length === 0 ? (
            <Empty title="Nobody waits.">
              Who asks to join one of your groups appears here, and you get an e-mail.
            </Empty>
          ) : (
            <CardTable
              label="Requests to join"
              rows={all}
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
                ...organizationColumn(all),
                ['Asked', ({ createdDate }) => formatDateTime(createdDate)],
                [
                  'Decision',
                  (request) => (
                    <Group gap="sm">
                      <Button
                        size="xs"
                        variant="default"
                        aria-label={`Authorise ${nameOf(request)} for ${request.groupName}`}
                        loading={authorise.isPending && authorise.variables.id === request.id}
                        onClick={() => authorise.mutate(request)}
                      >
                        Authorise
                      </Button>
                      <Button
                        size="xs"
                        variant="default"
                        aria-label={`Decline ${nameOf(request)} for ${request.groupName}`}
                        onClick={() => decline(request)}
                      >
                        Decline
                      </Button>
                    </Group>
                  ),
                ],
              ]}
            />
          )
        }
      </Loaded>
      {declining && (
        <Confirm
          title={`Decline ${nameOf(declining)}?`}
          word="Decline the request"
          act={() => call('DELETE /api/admin/access-requests/:id', { params: { id: declining.id } })}
          done={() => {
            say(`The request of ${nameOf(declining)} was declined.`);
            decline(null);
            renew();
          }}
          close={() => decline(null)}
        >
          {nameOf(declining)} gets no access to {declining.groupName}, and can ask again.
        </Confirm>
      )}
    </AdminPage>
  );
};
