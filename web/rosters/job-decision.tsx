import { Alert, Button, Group, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import type { RosterJob } from '#contract/rosters.ts';
import { call } from '../api/call.ts';
import { ApiError } from '../api/error.ts';
import { formatDateTime } from '../ui/format/date.ts';
import { IconAlertTriangle, IconHandStop } from '../ui/icons.ts';
import { columnsCleared, count, partRemoved, people, percent, removesMany } from './job-words.ts';
import { latestUploadQuery, refreshUploads } from './roster-queries.ts';

/** Confirms (true) or cancels a waiting upload. */
const useDecision = (job: RosterJob) => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (confirm: boolean) =>
      call(confirm ? 'POST /api/rosters/uploads/:jobId/confirm' : 'POST /api/rosters/uploads/:jobId/cancel', {
        params: { jobId: job.jobId },
      }),
    onSuccess: (next) => client.setQueryData(latestUploadQuery(job.groupId).queryKey, next),
    onSettled: () => refreshUploads(client, job.groupId),
  });
};

const NotSaved = ({ error }: { error: unknown }) =>
  error ? (
    <Text size="sm" mt="xs" role="alert">
      {error instanceof ApiError ? error.message : 'Not saved. Try again.'}
    </Text>
  ) : null;

/** What removals need a second look, and why. `unplacedRows`: rows with a bad member ID that match no one on the roster. */
const RemovalWarning = ({ job }: { job: RosterJob }) => {
  const { removed } = job.statistics;
  const { unplacedRows } = job;
  return (
    <Alert
      role="note"
      mb="sm"
      color={partRemoved(job) > 0.5 ? 'critical' : 'caution'}
      icon={<IconAlertTriangle size={18} aria-hidden />}
      title={`${count(removed)} of ${people(job.listedBefore)} would leave the roster (${percent(partRemoved(job))})`}
    >
      <Text size="sm">
        {partRemoved(job) > 0.5 && 'That is more than half of the roster. Check that the file is complete. '}
        {unplacedRows > 0 &&
          `The member ID in ${unplacedRows === 1 ? '1 row' : `${count(unplacedRows)} rows`} can't be used, and nothing else in ${
            unplacedRows === 1 ? 'it' : 'them'
          } matches anyone on the roster. People in these rows may be among those removed. `}
        Open pings of people who leave are resolved automatically.
      </Text>
    </Alert>
  );
};

/** Which values the file clears. A column that it leaves out is easily overlooked, and cleared for everyone. */
const ClearedWarning = ({ job }: { job: RosterJob }) => {
  const cleared = Object.entries(job.clearedByColumn).toSorted(([, a], [, b]) => b - a);
  if (cleared.length === 0) return null;
  return (
    <Alert
      role="note"
      mb="sm"
      color="caution"
      icon={<IconAlertTriangle size={18} aria-hidden />}
      title="Not in your file, will be cleared"
    >
      <Text size="sm">
        {columnsCleared(cleared)}. To keep these values, cancel the upload and add them to your file.
      </Text>
    </Alert>
  );
};

/** Applies or cancels an upload that waits for its team. Many removals are confirmed by typing their number. */
export const Decision = ({ job }: { job: RosterJob }) => {
  const [typed, setTyped] = useState('');
  const [wrong, setWrong] = useState(false);
  const { removed } = job.statistics;
  const isMany = removesMany(job);
  const decide = useDecision(job);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const right = !isMany || typed.replaceAll(/[,\s]/g, '') === String(removed);
    setWrong(!right);
    if (right) decide.mutate(true);
  };
  return (
    <>
      {isMany && <RemovalWarning job={job} />}
      <ClearedWarning job={job} />
      <form onSubmit={submit}>
        <Group align="flex-end" gap="sm">
          {isMany && (
            <TextInput
              label={`Type ${removed} to confirm the removals`}
              inputMode="numeric"
              autoComplete="off"
              value={typed}
              onChange={({ currentTarget }) => setTyped(currentTarget.value)}
              error={wrong ? "The number doesn't match." : null}
            />
          )}
          <Button type="submit" loading={decide.isPending}>
            Apply file
          </Button>
          <Button variant="default" disabled={decide.isPending} onClick={() => decide.mutate(false)}>
            Cancel upload
          </Button>
        </Group>
      </form>
      <NotSaved error={decide.error} />
      <Text size="sm" c="dimmed" mt="xs">
        The roster has not changed yet.
        {job.waitsUntil && ` If no one applies the file, it is canceled on ${formatDateTime(job.waitsUntil)}.`}
      </Text>
    </>
  );
};

/** Cancels an upload that is not checked yet: the wrong file, or one that takes too long. */
export const CancelUnchecked = ({ job }: { job: RosterJob }) => {
  const decide = useDecision(job);
  return (
    <>
      <Button mb="sm" variant="default" loading={decide.isPending} onClick={() => decide.mutate(false)}>
        Cancel upload
      </Button>
      <NotSaved error={decide.error} />
    </>
  );
};

/** A group's first roster waits for an operator; the uploader can only cancel it. */
export const ApprovalNotice = ({ job }: { job: RosterJob }) => {
  const decide = useDecision(job);
  return (
    <Alert
      role="note"
      mb="sm"
      color="caution"
      icon={<IconHandStop size={18} aria-hidden />}
      title="This group's first roster needs approval"
    >
      <Text size="sm">
        Tidings support checks the first roster of every group before it is applied. Your file is kept, and nothing has
        been changed yet. You don't need to do anything.
      </Text>
      <Button mt="sm" variant="default" loading={decide.isPending} onClick={() => decide.mutate(false)}>
        Cancel upload
      </Button>
      <NotSaved error={decide.error} />
    </Alert>
  );
};
