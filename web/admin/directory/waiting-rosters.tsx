import { Button, Group, Text, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { RELATIONSHIP_LABELS } from '#contract/relationships.ts';
import type { WaitingRoster } from '#contract/rosters.ts';
import { call } from '../../api/call.ts';
import { Confirm } from '../../forms/confirm.tsx';
import { CardTable } from '../../ui/card-table.tsx';
import { formatDateTime } from '../../ui/format/date.ts';
import { waitingRostersQuery } from '../admin-queries.ts';

type Decision = { roster: WaitingRoster; approves: boolean };

/** First rosters of groups, which operators approve or refuse, above the list of groups. */
export const WaitingRosters = ({
  rosters,
  done,
}: {
  rosters: readonly WaitingRoster[];
  done: (message: string) => void;
}) => {
  const client = useQueryClient();
  const [decision, decide] = useState<Decision | null>(null);
  const decided = (message: string): void => {
    decide(null);
    void client.invalidateQueries({ queryKey: waitingRostersQuery.queryKey });
    done(message);
  };
  return (
    <div>
      <Title order={2} mb="xs">
        Rosters to approve
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        The first roster of a group opens visits at other organizations. Approve it if you know that the group looks
        after these people. Later rosters of the group are applied without approval.
      </Text>
      <CardTable
        label="Rosters to approve"
        rows={rosters.map((roster) => ({ ...roster, id: roster.job.jobId }))}
        columns={[
          ['Group', ({ groupName }) => groupName],
          ['Organization', ({ organizationName }) => organizationName],
          ['Uploaded by', ({ job }) => `${job.uploaderName}, ${formatDateTime(job.lastUploadedDate)}`],
          ['Relationship', ({ job }) => (job.relationship ? RELATIONSHIP_LABELS[job.relationship] : 'Not recorded')],
          ['Rows', ({ job }) => job.totalRows.toLocaleString('en-US')],
          ['Rows with errors', ({ job }) => job.totalErrorRows.toLocaleString('en-US')],
          ['Action', (roster) => <Actions roster={roster} decide={decide} />],
        ]}
      />
      {decision && <Confirmation decision={decision} decided={decided} close={() => decide(null)} />}
    </div>
  );
};

const Actions = ({ roster, decide }: { roster: WaitingRoster; decide: (decision: Decision) => void }) => {
  if (roster.isOwnUpload) return 'You uploaded it, so another operator decides';
  return (
    <Group gap="xs">
      <Button
        size="compact-xs"
        variant="default"
        aria-label={`Approve the roster of ${roster.groupName}`}
        onClick={() => decide({ roster, approves: true })}
      >
        Approve…
      </Button>
      <Button
        size="compact-xs"
        variant="default"
        aria-label={`Refuse the roster of ${roster.groupName}`}
        onClick={() => decide({ roster, approves: false })}
      >
        Refuse…
      </Button>
    </Group>
  );
};

const Confirmation = ({
  decision: { roster, approves },
  decided,
  close,
}: {
  decision: Decision;
  decided: (message: string) => void;
  close: () => void;
}) => {
  const { job, groupName } = roster;
  const params = { jobId: job.jobId };
  return approves ? (
    <Confirm
      title={`Approve the roster of ${groupName}?`}
      word="Approve roster"
      act={() => call('POST /api/rosters/uploads/:jobId/confirm', { params })}
      done={() => decided(`The roster of ${groupName} was approved and is being applied.`)}
      close={close}
    >
      The group sees these people's visits at other organizations from 12 months ago, and gets pings about them. Its
      next rosters are applied without approval.
    </Confirm>
  ) : (
    <Confirm
      title={`Refuse the roster of ${groupName}?`}
      word="Refuse roster"
      act={() => call('POST /api/rosters/uploads/:jobId/cancel', { params })}
      done={() => decided(`The roster of ${groupName} was refused.`)}
      close={close}
    >
      The upload is canceled and its rows are deleted. The group can upload another file, which waits for approval
      again.
    </Confirm>
  );
};
