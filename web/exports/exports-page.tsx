import { Alert, Anchor, Badge, Button, Group, Progress, Skeleton, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ExportJob } from '#contract/exports.ts';
import { pathOf } from '../api/call.ts';
import { CardTable, type TableColumn } from '../ui/card-table.tsx';
import { formatDateTime } from '../ui/format/date.ts';
import { IconAlertTriangle, IconDownload } from '../ui/icons.ts';
import { Empty, Failed } from '../ui/states.tsx';
import { useTitle } from '../ui/use-title.ts';
import { ExportModal } from './export-modal.tsx';
import { watchedExportsQuery } from './export-queries.ts';
import { sizeOf, stateOf } from './export-words.ts';
import classes from './exports.module.css';

const Name = ({ job }: { job: ExportJob }) => (
  <>
    <Text fw={550}>{job.name}</Text>
    <Text size="sm" c="dimmed">
      {[job.teamName, `Started ${formatDateTime(job.createdAt)}`].filter(Boolean).join(' · ')}
    </Text>
  </>
);

const State = ({ job }: { job: ExportJob }) => {
  const words = stateOf(job);
  if (job.failed)
    return (
      <Alert color="caution" p="xs" icon={<IconAlertTriangle size={18} aria-hidden />} title="Failed">
        {words}
      </Alert>
    );
  if (!job.inProgress)
    return (
      <Text size="sm" className="tabular">
        {words}, {sizeOf(job.bytes)}
      </Text>
    );
  const part = job.total ? Math.min(99, (job.rows / job.total) * 100) : job.started ? 100 : 0;
  return (
    <div className={classes.progress}>
      <Progress value={part} animated={job.started} aria-label={`Progress of ${job.name}`} />
      <Text size="sm" c="dimmed" className="tabular">
        {words}
      </Text>
    </div>
  );
};

const Download = ({ job: { id, name, teamId, inProgress, failed, expiresAt } }: { job: ExportJob }) => {
  if (inProgress || failed || teamId === null) return null;
  return (
    <>
      <Anchor
        href={pathOf('GET /api/export/jobs/:jobId/file', { params: { jobId: id }, query: { teamId } })}
        download
        aria-label={`Download ${name}`}
      >
        <Group component="span" gap={4} wrap="nowrap">
          <IconDownload size={16} stroke={1.75} aria-hidden />
          Download
        </Group>
      </Anchor>
      {expiresAt && (
        <Text size="sm" c="dimmed">
          Until {formatDateTime(expiresAt)}
        </Text>
      )}
    </>
  );
};

const COLUMNS: readonly TableColumn<ExportJob>[] = [
  ['Export', (job) => <Name job={job} />],
  ['File', (job) => <Download job={job} />],
  ['File type', ({ exportType }) => <Badge variant="default">{exportType}</Badge>],
  ['Status', (job) => <State job={job} />],
];

/** The user's exports of the last seven days, with how far the running ones are. */
export const ExportsPage = () => {
  useTitle('Recent Exports');
  const { data: jobs, error, refetch } = useQuery(watchedExportsQuery);
  const [isOpen, setIsOpen] = useState(false);
  const start = <Button onClick={() => setIsOpen(true)}>New export</Button>;
  return (
    <div className={classes.page}>
      <Group justify="space-between" mb="xs">
        <Title order={1}>Recent Exports</Title>
        {start}
      </Group>
      <Text c="dimmed" mb="md">
        Only you can download your exports. Files are deleted after 7 days, and every download is recorded.
      </Text>
      {error && !jobs && <Failed what="Couldn't load your exports." error={error} retry={() => void refetch()} />}
      {!jobs && !error && <Skeleton h={160} />}
      {jobs?.length === 0 && (
        <Empty title="No exports in the last 7 days.">
          Start one here, or use Export on the list of pings or patients.
        </Empty>
      )}
      {jobs && jobs.length > 0 && <CardTable label="Recent Exports" columns={COLUMNS} rows={jobs} />}
      {isOpen && <ExportModal close={() => setIsOpen(false)} />}
    </div>
  );
};
