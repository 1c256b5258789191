import { Button, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { EndedGroup } from '#contract/admin.ts';
import { call } from '../../api/call.ts';
import { Confirm } from '../../forms/confirm.tsx';
import { CardTable } from '../../ui/card-table.tsx';
import { formatDate } from '../../ui/format/date.ts';
import { closedGroupsQuery } from '../admin-queries.ts';
import { groupTypeLabel } from '../labels.ts';

/** Groups that were removed; nothing if there are none that this administrator may reopen. */
export const ClosedGroups = ({ reopened }: { reopened: (message: string) => void }) => {
  const { data: groups = [] } = useQuery(closedGroupsQuery);
  const [confirming, confirm] = useState<EndedGroup | null>(null);
  if (groups.length === 0) return null;
  return (
    <>
      <Title order={2} mt="xl" mb="sm">
        Removed groups
      </Title>
      <CardTable
        label="Removed groups"
        rows={groups}
        columns={[
          ['Name', ({ name }) => name],
          ['Type', groupTypeLabel],
          ['Removed', ({ endedDate }) => <time dateTime={endedDate}>{formatDate(endedDate)}</time>],
          [
            'Action',
            (group) => (
              <Button
                size="compact-xs"
                variant="default"
                aria-label={`Reopen ${group.name}`}
                onClick={() => confirm(group)}
              >
                Reopen…
              </Button>
            ),
          ],
        ]}
      />
      {confirming && (
        <Confirm
          title={`Reopen the group ${confirming.name}?`}
          word="Reopen group"
          act={() => call('POST /api/admin/groups/:id/reopen', { params: { id: confirming.id } })}
          done={() => {
            confirm(null);
            reopened(`The group ${confirming.name} was reopened. Your access to it is waiting for confirmation.`);
          }}
          close={() => confirm(null)}
        >
          The group comes back with its name, settings and history, on your current team. You have access once another
          administrator or an operator confirms it. Its roster is empty until you upload one or a stay is reported.
          Feeds don't use the group until you add it to them again.
        </Confirm>
      )}
    </>
  );
};
