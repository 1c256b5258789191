import { Button, Text, Title } from '@mantine/core';
import { useState } from 'react';
import type { AdminGroup } from '#contract/admin.ts';
import { call } from '../../api/call.ts';
import { Confirm } from '../../forms/confirm.tsx';
import { CardTable } from '../../ui/card-table.tsx';
import { groupTypeLabel } from '../labels.ts';

/** Facilities where staff want to enter patients, which operators approve, above the list of groups. */
export const WaitingFacilities = ({
  facilities,
  done,
}: {
  facilities: readonly AdminGroup[];
  done: (message: string) => void;
}) => {
  const [approving, approve] = useState<AdminGroup | null>(null);
  return (
    <div>
      <Title order={2} mb="xs">
        Facilities to approve
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        When staff enter a patient manually, they see that person's current visits at other organizations. Approve a
        facility if you know that it exists and looks after patients.
      </Text>
      <CardTable
        label="Facilities to approve"
        rows={facilities}
        columns={[
          ['Facility', ({ name }) => name],
          ['Organization', ({ organization }) => organization?.name ?? 'Not recorded'],
          ['Requested by', ({ askedBy }) => askedBy ?? 'Not recorded'],
          ['Type', groupTypeLabel],
          ['Address', ({ address, state }) => [address, state].filter(Boolean).join(', ') || 'Not recorded'],
          [
            'Action',
            (group) => (
              <Button
                size="compact-xs"
                variant="default"
                aria-label={`Approve the facility ${group.name}`}
                onClick={() => approve(group)}
              >
                Approve…
              </Button>
            ),
          ],
        ]}
      />
      {approving && (
        <Confirm
          title={`Approve the facility ${approving.name}?`}
          word="Approve facility"
          act={() =>
            call('POST /api/admin/groups/:id/approve', {
              params: { id: approving.id },
              body: { version: approving.version },
            })
          }
          done={() => {
            approve(null);
            done(`The facility ${approving.name} was approved. Its staff can enter patients manually.`);
          }}
          close={() => approve(null)}
        >
          Its staff can enter patients manually, see those people's current visits at other organizations, and get pings
          about them.
        </Confirm>
      )}
    </div>
  );
};
