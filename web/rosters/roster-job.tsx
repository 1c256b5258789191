import { Alert, Anchor, Button, Group, Progress, Table, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { RELATIONSHIP_LABELS } from '#contract/relationships.ts';
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
import { StatusBadge, type StatusLook } from '../ui/status-badge.tsx';
import { isRunning, latestUploadQuery } from './roster-queries.ts';

const count = (number: number): string => number.toLocaleString('en-US');

const STATUS_LOOKS = {
  RECEIVED: { label: 'Received', color: 'marine', Icon: IconCircleHalf2 },
  VALIDATING: { label: 'Checking', color: 'marine', Icon: IconCircleHalf2 },
  AWAITING_CONFIRMATION: { label: 'Waiting for your confirmation', color: 'held', Icon: IconHandStop },
  APPLYING: { label: 'Applying', color: 'marine', Icon: IconCircleHalf2 },
  DONE: { label: 'Done', color: 'positive', Icon: IconCircleCheck },
  FAILED: { label: 'Failed', color: 'critical', Icon: IconAlertTriangle },
  CANCELLED: { label: 'Canceled', color: 'gray', Icon: IconCircleX },
} as const satisfies Record<RosterJobStatus, StatusLook>;

/** Why the upload waits. `unplacedRows`: rows with a bad member ID that match no one on the roster, so they may be anyone on it. */
const reasonToConfirm = ({ unplacedRows }: RosterJob): string =>
  unplacedRows === 0
    ? 'That is more than half of the roster.'
    : `The member ID in ${unplacedRows === 1 ? '1 row' : `${count(unplacedRows)} rows`} can't be used, and nothing else in ${
        unplacedRows === 1 ? 'it' : 'them'
      } matches anyone on the roster. People in these rows may be among those removed.`;

/** Confirms (true) or cancels a waiting upload. */
const useDecision = (job: RosterJob) => {
  const client = useQueryClient();
  const { queryKey } = latestUploadQuery(job.groupId);
  return useMutation({
    mutationFn: (confirm: boolean) =>
      call(confirm ? 'POST /api/rosters/uploads/:jobId/confirm' : 'POST /api/rosters/uploads/:jobId/cancel', {
        params: { jobId: job.jobId },
      }),
    onSuccess: (next) => client.setQueryData(queryKey, next),
    onError: () => void client.invalidateQueries({ queryKey }),
  });
};

const NotSaved = ({ error }: { error: unknown }) =>
  error ? (
    <Text size="sm" mt="xs">
      {error instanceof ApiError ? error.message : 'Not saved. Try again.'}
    </Text>
  ) : null;

/**
 * Asks to type the number of removals before a file removes more than half of a roster, or people who may be in rows that couldn't be
 * matched.
 */
const Confirmation = ({ job }: { job: RosterJob }) => {
  const [typed, setTyped] = useState('');
  const [wrong, setWrong] = useState(false);
  const { removed } = job.statistics;
  const decide = useDecision(job);
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
      title={`This file removes ${removed === 1 ? '1 person' : `${count(removed)} people`} from the roster`}
    >
      <Text size="sm">
        {reasonToConfirm(job)} Open pings of removed people are resolved automatically. Nothing has been changed yet.
      </Text>
      <form onSubmit={submit}>
        <Group align="flex-end" mt="sm" gap="sm">
          <TextInput
            label={`Type ${removed} to confirm the removals`}
            inputMode="numeric"
            autoComplete="off"
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            error={wrong ? "The number doesn't match." : null}
          />
          <Button type="submit" loading={decide.isPending}>
            Apply file
          </Button>
          <Button variant="default" disabled={decide.isPending} onClick={() => decide.mutate(false)}>
            Cancel upload
          </Button>
        </Group>
      </form>
      <NotSaved error={decide.error} />
    </Alert>
  );
};

/** A group's first roster waits for an operator; the uploader can only cancel it. */
const ApprovalNotice = ({ job }: { job: RosterJob }) => {
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

const ColumnTable = ({ label, counts }: { label: string; counts: Record<string, number> }) => (
  <Table stickyHeader={false} mt="xs" aria-label={label}>
    <Table.Thead>
      <Table.Tr>
        <Table.Th>Column</Table.Th>
        <Table.Th ta="right">{label}</Table.Th>
      </Table.Tr>
    </Table.Thead>
    <Table.Tbody>
      {Object.entries(counts)
        .sort(([, a], [, b]) => b - a)
        .map(([column, rows]) => (
          <Table.Tr key={column}>
            <Table.Td>{column}</Table.Td>
            <Table.Td ta="right">{count(rows)}</Table.Td>
          </Table.Tr>
        ))}
    </Table.Tbody>
  </Table>
);

/** Rows that were skipped, and cells that were skipped in rows that were used. */
const Problems = ({ job }: { job: RosterJob }) => {
  const { team } = useSession();
  const hasErrors = Object.keys(job.errorsByColumn).length > 0;
  const hasWarnings = Object.keys(job.warningsByColumn).length > 0;
  if (!hasErrors && !hasWarnings) return null;
  const link = pathOf('GET /api/rosters/uploads/:jobId/errors.csv', {
    params: { jobId: job.jobId },
    query: { teamId: team.id },
  });
  return (
    <section>
      <Group justify="space-between" mt="lg" mb={4}>
        <Text component="h3" fw={650} m={0}>
          {hasErrors ? 'Errors by column' : 'Warnings by column'}
        </Text>
        <Anchor href={link} download>
          <Group component="span" gap={4}>
            <IconDownload size={16} stroke={1.75} aria-hidden />
            Download errors.csv
          </Group>
        </Anchor>
      </Group>
      {hasErrors && (
        <>
          <Text size="sm" c="dimmed">
            Rows with errors are skipped. People already on the roster, found by member ID, Medicare ID, or name and
            date of birth, stay as they are.
          </Text>
          <ColumnTable label="Rows with errors" counts={job.errorsByColumn} />
        </>
      )}
      {hasErrors && hasWarnings && (
        <Text component="h3" fw={650} mt="lg" mb={4}>
          Warnings by column
        </Text>
      )}
      {hasWarnings && (
        <>
          <Text size="sm" c="dimmed">
            These cells couldn't be read, or had lost their leading zeros, which were added. The rest of each row is
            used. Where a cell couldn't be read, people already on the roster keep the value they had.
          </Text>
          <ColumnTable label="Rows with warnings" counts={job.warningsByColumn} />
        </>
      )}
    </section>
  );
};

/** One upload: its status, what it changes, and its errors and warnings. */
export const RosterJobReport = ({ job }: { job: RosterJob }) => {
  const { color, Icon, ...look } = STATUS_LOOKS[job.status];
  const needsApproval = job.waitsFor === 'OPERATOR';
  const label = needsApproval ? 'Waiting for approval' : look.label;
  const done = job.status === 'DONE';
  const { created, updated, removed, unchanged } = job.statistics;
  const facts: Fact[] = [
    ['File', job.lastUploadedFile],
    ['Uploaded', `${formatDateTime(job.lastUploadedDate)} by ${job.rosterUploader}`],
    ...(job.relationship ? [['Relationship', RELATIONSHIP_LABELS[job.relationship]] satisfies Fact] : []),
    ...(job.hasDayFirst ? [['Dates of birth', 'Read as DD/MM/YYYY'] satisfies Fact] : []),
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
        <StatusBadge color={color} Icon={Icon}>
          {label}
        </StatusBadge>
        {isRunning(job) && <Text size="sm">You can leave this page. Processing continues.</Text>}
      </Group>
      {isRunning(job) && <Progress value={100} animated mb="sm" aria-label={label} />}
      {job.fileError && (
        <Alert
          role="alert"
          color="caution"
          icon={<IconAlertTriangle size={18} aria-hidden />}
          title="The file wasn't applied"
          mb="sm"
        >
          {job.fileError} The roster is unchanged.
        </Alert>
      )}
      {needsApproval && <ApprovalNotice key={job.jobId} job={job} />}
      {job.waitsFor === 'CONFIRMATION' && <Confirmation key={job.jobId} job={job} />}
      <Facts facts={facts} />
      <Problems job={job} />
    </div>
  );
};
