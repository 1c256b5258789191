import { Button, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { EndedGroup } from '#contract/admin.ts';
import { call } from '../../api/call.ts';
import { Confirm } from '../../forms/confirm.tsx';
import { CardTable } from '../../ui/card-table.tsx';
import { formatDate } from '../../ui/format/date.ts';
import { endedGroupsQuery } from '../admin-queries.ts';
import { groupTypeLabel } from '../labels.ts';

/** Groups that were removed, where there are any that this administrator may open again. */
export const EndedGroups = ({ opened }: { opened: (message: string) => void }) => {
  const { data: groups = [] } = useQuery(endedGroupsQuery);
  const [asked, ask] = useState<EndedGroup | null>(null);
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
            'Decision',
            (group) => (
              <Button
                size="compact-xs"
                variant="default"
                aria-label={`Open ${group.name} again`}
                onClick={() => ask(group)}
              >
                Open again…
              </Button>
            ),
          ],
        ]}
      />
      {asked && (
        <Confirm
          title={`Open the group ${asked.name} again?`}
          word="Open it again"
          act={() => call('POST /api/admin/groups/:id/reopen', { params: { id: asked.id } })}
          done={() => {
            ask(null);
            opened(`The group ${asked.name} is open again.`);
          }}
          close={() => ask(null)}
        >
          It comes back with its name and settings, in the team that you have selected and with access for you alone;
          what it was told before can be read again. Nobody is listed there until a roster is uploaded or a stay is
          reported, and feeds have to name it anew.
        </Confirm>
      )}
    </>
  );
};
