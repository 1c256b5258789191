import { Alert, Anchor, Badge, Button, Group, Progress, Table, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import type { RosterJob, RosterJobStatus } from '#contract/rosters.ts';
import { call, pathOf } from '../api/call.ts';
import { ApiError } from '../api/error.ts';
import { useSession } from '../session/session.ts';
import { type Fact, Facts } from '../ui/facts.tsx';
import { formatDateTime } from '../ui/format/date.ts';
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleHalf2,
  IconCircleX,
  IconDownload,
  IconHandStop,
} from '../ui/icons.ts';
import { isRunning, latestUploadQuery } from './roster-queries.ts';

const count = (number: number): string => number.toLocaleString('en-US');

const STATUSES = {
  RECEIVED: ['marine', IconCircleHalf2, 'Received'],
  VALIDATING: ['marine', IconCircleHalf2, 'Checking'],
  AWAITING_CONFIRMATION: ['held', IconHandStop, 'Waiting for your confirmation'],
  APPLYING: ['marine', IconCircleHalf2, 'Applying'],
  DONE: ['positive', IconCircleCheck, 'Done'],
  FAILED: ['critical', IconAlertTriangle, 'Failed'],
  CANCELLED: ['gray', IconCircleX, 'Cancelled'],
} as const satisfies Record<RosterJobStatus, [string, typeof IconCircleX, string]>;

const unplacedRows = (rows: number): string => (rows === 1 ? 'one row' : `${count(rows)} rows`);

/** Asks for the number of removals before many people leave a roster, or some of whom the file may speak all the same. */
const Confirmation = ({ job }: { job: RosterJob }) => {
  const client = useQueryClient();
  const [typed, setTyped] = useState('');
  const [wrong, setWrong] = useState(false);
  const { removed } = job.statistics;
  const decide = useMutation({
    mutationFn: (confirm: boolean) =>
      call(confirm ? 'POST /api/rosters/uploads/:jobId/confirm' : 'POST /api/rosters/uploads/:jobId/cancel', {
        params: { jobId: job.jobId },
      }),
    onSuccess: (next) => client.setQueryData(latestUploadQuery(job.groupId).queryKey, next),
    onError: () => void client.invalidateQueries({ queryKey: latestUploadQuery(job.groupId).queryKey }),
  });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const right = typed.replaceAll(/[,\s]/g, '') === String(removed);
    setWrong(!right);
    if (right) decide.mutate(true);
  };
  return (
    <Alert
      role="note"
      mb="sm"
      color="caution"
      icon={<IconHandStop size={18} aria-hidden />}
      title={`This file removes ${removed === 1 ? 'one person' : `${count(removed)} people`}`}
    >
      <Text size="sm">
        {job.unplacedRows > 0
          ? `The member ID of ${unplacedRows(job.unplacedRows)} cannot be used, and nothing else there names anybody on the roster: they may be among those who would be removed. `
          : 'That is more than half of the roster. '}
        Their unresolved pings are then resolved automatically. Nothing has been changed yet.
      </Text>
      <form onSubmit={submit}>
        <Group align="flex-end" mt="sm" gap="sm">
          <TextInput
            label={`Type ${removed} to confirm the removals`}
            inputMode="numeric"
            autoComplete="off"
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            error={wrong ? 'This is not the number of removals.' : null}
          />
          <Button type="submit" loading={decide.isPending}>
            Apply the file
          </Button>
          <Button variant="default" disabled={decide.isPending} onClick={() => decide.mutate(false)}>
            Do not apply it
          </Button>
        </Group>
      </form>
      {decide.error && (
        <Text size="sm" mt="xs">
          {decide.error instanceof ApiError ? decide.error.message : 'Not saved. Please try again.'}
        </Text>
      )}
    </Alert>
  );
};

const ErrorTable = ({ job }: { job: RosterJob }) => {
  const { team } = useSession();
  const columns = Object.entries(job.errorsByColumn).sort(([, a], [, b]) => b - a);
  if (job.totalErrorRows === 0 && columns.length === 0) return null;
  const link = pathOf('GET /api/rosters/uploads/:jobId/errors.csv', {
    params: { jobId: job.jobId },
    query: { teamId: team.id },
  });
  return (
    <section>
      <Group justify="space-between" mt="lg" mb={4}>
        <Text component="h3" fw={650} m={0}>
          Errors by column
        </Text>
        <Anchor href={link} download>
          <Group component="span" gap={4}>
            <IconDownload size={16} stroke={1.75} aria-hidden />
            Download errors.csv
          </Group>
        </Anchor>
      </Group>
      <Text size="sm" c="dimmed">
        A row with an error changes nothing: a person who is already listed stays as he or she was, found by member ID,
        else by Medicare ID or by name and date of birth.
      </Text>
      <Table stickyHeader={false} mt="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Column</Table.Th>
            <Table.Th ta="right">Rows with an error</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {columns.map(([column, rows]) => (
            <Table.Tr key={column}>
              <Table.Td>{column}</Table.Td>
              <Table.Td ta="right">{count(rows)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
};

/** One upload: how far it is, what it changes, and what was wrong in it. */
export const RosterJobReport = ({ job }: { job: RosterJob }) => {
  const [color, Icon, words] = STATUSES[job.status];
  const done = job.status === 'DONE';
  const { created, updated, removed, unchanged } = job.statistics;
  const facts: Fact[] = [
    ['File', job.lastUploadedFile],
    ['Uploaded', `${formatDateTime(job.lastUploadedDate)} by ${job.rosterUploader}`],
    ['Rows', count(job.totalRows)],
    ['Rows with errors', count(job.totalErrorRows)],
    [done ? 'Created' : 'To create', count(created)],
    [done ? 'Updated' : 'To update', count(updated)],
    [done ? 'Removed' : 'To remove', count(removed)],
    ['Unchanged', count(unchanged)],
  ];
  return (
    <div>
      <Group gap="sm" mb="sm" role="status">
        <Badge component="span" color={color} leftSection={<Icon size={14} stroke={1.75} aria-hidden />}>
          {words}
        </Badge>
        {isRunning(job) && <Text size="sm">You may leave this page; the work goes on.</Text>}
      </Group>
      {isRunning(job) && <Progress value={100} animated mb="sm" aria-label={words} />}
      {job.fileError && (
        <Alert
          role="alert"
          color="caution"
          icon={<IconAlertTriangle size={18} aria-hidden />}
          title="The file was not applied"
          mb="sm"
        >
          {job.fileError} The roster is as it was.
        </Alert>
      )}
      {job.status === 'AWAITING_CONFIRMATION' && <Confirmation key={job.jobId} job={job} />}
      <Facts facts={facts} />
      <ErrorTable job={job} />
    </div>
  );
};
