import { Button, Group, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { RosterJob } from '#contract/rosters.ts';
import { call } from '../api/call.ts';
import { Confirm } from '../forms/confirm.tsx';
import { formatDateTime } from '../ui/format/date.ts';
import { IconArrowBackUp } from '../ui/icons.ts';
import { useNow } from '../ui/use-now.ts';
import { people } from './job-words.ts';
import { latestUploadQuery, refreshUploads } from './roster-queries.ts';

/** What the undo of an upload does, as sentences. */
const effectsOf = ({ created, updated, removed }: RosterJob['statistics']): string[] => [
  ...(created > 0 ? [`${people(created)} it added ${created === 1 ? 'leaves' : 'leave'} the roster.`] : []),
  ...(removed > 0 ? [`${people(removed)} it removed ${removed === 1 ? 'returns' : 'return'}.`] : []),
  ...(updated > 0 ? [`${people(updated)} it changed ${updated === 1 ? 'gets' : 'get'} the earlier details back.`] : []),
];

/** Undoes the group's latest upload, for a day. Renders nothing for any other. */
export const JobUndo = ({ job }: { job: RosterJob }) => {
  const client = useQueryClient();
  const now = useNow();
  const [asks, ask] = useState(false);
  if (job.undoUntil === null || Date.parse(job.undoUntil) <= now.getTime()) return null;
  return (
    <Group gap="sm" mt="sm">
      <Button
        size="xs"
        variant="default"
        leftSection={<IconArrowBackUp size={16} stroke={1.75} aria-hidden />}
        onClick={() => ask(true)}
      >
        Undo upload
      </Button>
      <Text size="sm" c="dimmed">
        Until {formatDateTime(job.undoUntil)}
      </Text>
      {asks && (
        <Confirm
          title="Undo upload"
          word="Undo upload"
          act={async () => {
            const undo = await call('POST /api/rosters/uploads/:jobId/undo', { params: { jobId: job.jobId } });
            client.setQueryData(latestUploadQuery(job.groupId).queryKey, undo);
          }}
          done={() => {
            ask(false);
            void refreshUploads(client, job.groupId);
          }}
          close={() => ask(false)}
        >
          <p>The list from before {job.lastUploadedFile} counts again.</p>
          {effectsOf(job.statistics).map((effect) => (
            <p key={effect}>{effect}</p>
          ))}
          <p>Pings stay, with their history. Open pings of people who leave are resolved automatically.</p>
        </Confirm>
      )}
    </Group>
  );
};
