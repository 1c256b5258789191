import { Button, Group, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { targetLabel } from '#contract/roster-columns.ts';
import { call } from '../api/call.ts';
import { Confirm } from '../forms/confirm.tsx';
import { CardTable } from '../ui/card-table.tsx';
import { formatDateTime } from '../ui/format/date.ts';
import { headersQuery } from './roster-queries.ts';

/** The headers that the group's files use instead of the usual ones, and how to forget them. Renders nothing if there are none. */
export const KeptHeaders = ({ groupId }: { groupId: string }) => {
  const client = useQueryClient();
  const { data: headers } = useQuery(headersQuery(groupId));
  const [isOpen, open] = useState(false);
  const [asks, ask] = useState(false);
  if (!headers || headers.length === 0) return null;
  return (
    <div>
      <Group gap="sm" mb="xs">
        <Text size="sm">
          {headers.length === 1 ? '1 header of this group has' : `${headers.length} headers of this group have`} a
          meaning of {headers.length === 1 ? 'its' : 'their'} own.
        </Text>
        <Button size="compact-sm" variant="default" aria-expanded={isOpen} onClick={() => open(!isOpen)}>
          {isOpen ? 'Hide headers' : 'Show headers'}
        </Button>
        <Button size="compact-sm" variant="default" onClick={() => ask(true)}>
          Forget headers
        </Button>
      </Group>
      {isOpen && (
        <CardTable
          label="Headers of this group"
          rows={headers.map((one) => ({ ...one, id: one.header }))}
          columns={[
            ['Header', ({ header }) => <strong>{header}</strong>],
            ['Read as', ({ column }) => (column === null ? 'Not read' : targetLabel(column))],
            ['Set', ({ name, changedAt }) => `${formatDateTime(changedAt)} by ${name}`],
          ]}
        />
      )}
      {asks && (
        <Confirm
          title="Forget headers"
          word="Forget headers"
          act={() => call('DELETE /api/rosters/:groupId/headers', { params: { groupId } })}
          done={() => {
            ask(false);
            client.setQueryData(headersQuery(groupId).queryKey, []);
          }}
          close={() => ask(false)}
        >
          Later files and the template of this group use the usual headers again. Rosters that were uploaded stay as
          they are.
        </Confirm>
      )}
    </div>
  );
};
