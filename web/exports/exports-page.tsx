import { Alert, Anchor, Badge, Button, Group, Progress, Skeleton, Text, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ExportJob } from '#contract/exports.ts';
import { call, pathOf } from '../api/call.ts';
import { reasonOf } from '../api/error.ts';
import { Confirm } from '../forms/confirm.tsx';
import { announce } from '../ui/announcer.tsx';
import { CardTable, type TableColumn } from '../ui/card-table.tsx';
import { formatDateTime } from '../ui/format/date.ts';
import { IconAlertTriangle, IconDownload } from '../ui/icons.ts';
import { Empty, Failed } from '../ui/states.tsx';
import { showToast } from '../ui/toasts.tsx';
import { useTitle } from '../ui/use-title.ts';
import { ExportModal } from './export-modal.tsx';
import { recentExportsQuery, watchedExportsQuery } from './export-queries.ts';
import { limitsInWords, sizeOf, stateOf } from './export-words.ts';
import classes from './exports.module.css';

const deleteExport = (jobId: string) => call('DELETE /api/export/jobs/:jobId', { params: { jobId } });

const Name = ({ job }: { job: ExportJob }) => (
  <>
    <Text fw={550}>{job.name}</Text>
    <Text size="sm" c="dimmed">
      {[job.teamName, `Started ${formatDateTime(job.createdAt)}`].filter(Boolean).join(' · ')}
    </Text>
    <Text size="sm">{limitsInWords(job)}</Text>
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
      <Text size="sm" className={`tabular ${classes.whole}`}>
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
        <Text size="sm" c="dimmed" className={classes.whole}>
          Until {formatDateTime(expiresAt)}
        </Text>
      )}
    </>
  );
};

const started = ({ name, createdAt }: ExportJob): string => `${name}, started ${formatDateTime(createdAt)}`;

/** Cancels an export that is in progress, or asks whether to delete one that is over. */
const Remove = ({ job, askDelete }: { job: ExportJob; askDelete: () => void }) => {
  const client = useQueryClient();
  const cancel = useMutation({
    mutationFn: () => deleteExport(job.id),
    onSuccess: () => {
      announce(`${job.name} canceled.`);
      return client.invalidateQueries({ queryKey: recentExportsQuery.queryKey });
    },
    onError: (error) => showToast({ type: 'warning', message: `Couldn't cancel the export. ${reasonOf(error)}` }),
  });
  if (job.inProgress)
    return (
      <Button
        size="xs"
        variant="default"
        loading={cancel.isPending}
        aria-label={`Cancel ${started(job)}`}
        onClick={() => cancel.mutate()}
      >
        Cancel
      </Button>
    );
  return (
    <Button size="xs" variant="default" aria-label={`Delete ${started(job)}`} onClick={askDelete}>
      Delete
    </Button>
  );
};

const columns = (askDelete: (job: ExportJob) => void): readonly TableColumn<ExportJob>[] => [
  ['Export', (job) => <Name job={job} />],
  ['File', (job) => <Download job={job} />],
  ['File type', ({ exportType }) => <Badge variant="default">{exportType}</Badge>],
  ['Status', (job) => <State job={job} />],
  ['Actions', (job) => <Remove job={job} askDelete={() => askDelete(job)} />],
];

/** The user's exports of the last seven days, with how far the running ones are. */
export const ExportsPage = () => {
  useTitle('Recent Exports');
  const { data: jobs, error, refetch } = useQuery(watchedExportsQuery);
  const [isOpen, setIsOpen] = useState(false);
  const [deleting, setDeleting] = useState<ExportJob | null>(null);
  const client = useQueryClient();
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
      {jobs && jobs.length > 0 && <CardTable label="Recent Exports" columns={columns(setDeleting)} rows={jobs} />}
      {deleting && (
        <Confirm
          title="Delete export"
          word="Delete"
          act={() => deleteExport(deleting.id)}
          done={() => {
            setDeleting(null);
            announce(`${deleting.name} deleted.`);
            void client.invalidateQueries({ queryKey: recentExportsQuery.queryKey });
          }}
          close={() => setDeleting(null)}
        >
          {`The file of “${started(deleting)}” will be deleted. You can't undo this.`}
        </Confirm>
      )}
      {isOpen && <ExportModal close={() => setIsOpen(false)} />}
    </div>
  );
};
