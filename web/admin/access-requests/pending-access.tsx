import { Button, Group, Text, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { PendingGrant } from '#contract/admin.ts';
import { call } from '../../api/call.ts';
import { Confirm } from '../../forms/confirm.tsx';
import { CardTable } from '../../ui/card-table.tsx';
import { formatDateTime } from '../../ui/format/date.ts';
import { Failed } from '../../ui/states.tsx';
import classes from '../admin.module.css';
import { pendingGrantsQuery } from '../admin-queries.ts';
import { PermissionChange } from '../directory/permission-change.tsx';
import { roleName } from '../labels.ts';
import { organizationColumn } from '../organization.ts';

type Decision = 'confirm' | 'decline';

const decide = ({ id, version }: PendingGrant, decision: Decision): Promise<unknown> =>
  decision === 'confirm'
    ? call('POST /api/admin/pending-grants/:id/confirm', { params: { id }, body: { version } })
    : call('DELETE /api/admin/pending-grants/:id', { params: { id } });

const messageOf = ({ userName, groupName, isOwn }: PendingGrant, decision: Decision): string => {
  if (isOwn) return `Your request for access to ${groupName} was withdrawn.`;
  return decision === 'confirm'
    ? `The access of ${userName} to ${groupName} was confirmed.`
    : `The access that ${userName} asked for to ${groupName} was declined.`;
};

const useDecision = (decided: (message: string) => void) => {
  const client = useQueryClient();
  const refresh = (): void => void client.invalidateQueries({ queryKey: pendingGrantsQuery.queryKey });
  const done = (row: PendingGrant, decision: Decision): void => {
    decided(messageOf(row, decision));
    refresh();
    void client.invalidateQueries({ queryKey: ['admin-users'] });
  };
  const action = useMutation({
    mutationFn: ({ row, decision }: { row: PendingGrant; decision: Decision }) => decide(row, decision),
    onSuccess: (_, { row, decision }) => done(row, decision),
    // Another administrator may have decided it already, so the list is loaded again.
    onError: refresh,
  });
  return { action, done };
};

const Buttons = ({
  row,
  action,
  decline,
}: {
  row: PendingGrant;
  action: ReturnType<typeof useDecision>['action'];
  decline: (row: PendingGrant) => void;
}) => {
  const subject = `${row.userName} for ${row.groupName}`;
  const button = (decision: Decision, word: string) => (
    <Button
      size="xs"
      variant="default"
      aria-label={`${word} ${subject}`}
      loading={action.isPending && action.variables.row.id === row.id && action.variables.decision === decision}
      onClick={() => action.mutate({ row, decision })}
    >
      {word}
    </Button>
  );
  return row.isOwn ? (
    <>
      <Text size="sm">Waiting for another administrator to confirm</Text>
      {button('decline', 'Withdraw')}
    </>
  ) : (
    <>
      {!row.canConfirm && (
        <Text size="sm">
          They invited you or made you an administrator in the last 90 days, directly or through someone else. Another
          administrator or an operator has to confirm.
        </Text>
      )}
      <Group gap="sm">
        {row.canConfirm && button('confirm', 'Confirm')}
        <Button size="xs" variant="default" aria-label={`Decline ${subject}`} onClick={() => decline(row)}>
          Decline
        </Button>
      </Group>
    </>
  );
};

/** The access that administrators asked for themselves, to be confirmed or declined; nothing if there is none. */
export const PendingAccess = ({ decided }: { decided: (message: string) => void }) => {
  const { data = [], error, refetch } = useQuery(pendingGrantsQuery);
  const { action, done } = useDecision(decided);
  const [declining, decline] = useState<PendingGrant | null>(null);
  if (error) return <Failed what="Couldn't load access to confirm." error={error} retry={() => void refetch()} />;
  if (data.length === 0) return null;
  return (
    <section aria-label="Access to confirm">
      <Title order={2} mb={4}>
        Access to confirm
      </Title>
      <Text size="sm" c="dimmed" mb="xs">
        Administrators can't give themselves more access. Another administrator of the group or an operator confirms it.
      </Text>
      {action.error && <Failed what="The request wasn't decided." error={action.error} />}
      <CardTable
        label="Access to confirm"
        rows={data}
        columns={[
          ['Administrator', ({ userName }) => <b>{userName}</b>],
          [
            'Access',
            (row) => (
              <>
                {row.teamName} · {row.groupName}: {roleName(row.roleName)}
                <div className={classes.dim}>
                  <PermissionChange adds={row.adds} removes={[]} />
                </div>
              </>
            ),
          ],
          ...organizationColumn(data),
          ['Requested', ({ createdDate }) => formatDateTime(createdDate)],
          ['Decision', (row) => <Buttons row={row} action={action} decline={decline} />],
        ]}
      />
      {declining && (
        <Confirm
          title={`Decline the access of ${declining.userName}?`}
          word="Decline access"
          act={() => decide(declining, 'decline')}
          done={() => {
            decline(null);
            done(declining, 'decline');
          }}
          close={() => decline(null)}
        >
          {declining.userName} won't get this access to {declining.groupName}, but can ask again. They get an email.
        </Confirm>
      )}
      <Title order={2} mt="lg" mb="xs">
        Requests to join
      </Title>
    </section>
  );
};
