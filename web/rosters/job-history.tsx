import { Button, Drawer, Group, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { RosterJob } from '#contract/rosters.ts';
import { Loaded } from '../forms/loaded.tsx';
import { useBack } from '../router/use-back.ts';
import { CardTable, type TableColumn } from '../ui/card-table.tsx';
import { formatDateTime } from '../ui/format/date.ts';
import { Pager } from '../ui/pager.tsx';
import { Empty } from '../ui/states.tsx';
import { StatusBadge } from '../ui/status-badge.tsx';
import { useReturnFocus } from '../ui/use-return-focus.ts';
import { JobReport } from './job-report.tsx';
import { count, isUnchecked, lookOf, wasChecked } from './job-words.ts';
import { PAGE_SIZE, uploadsQuery } from './roster-queries.ts';
import classes from './rosters.module.css';

type Row = RosterJob & { id: string };

const Outcome = ({ job }: { job: RosterJob }) => {
  const { label, color, Icon } = lookOf(job);
  return (
    <StatusBadge color={color} Icon={Icon}>
      {label}
    </StatusBadge>
  );
};

const warningsOf = ({ warningsByColumn }: RosterJob): number =>
  Object.values(warningsByColumn).reduce((sum, rows) => sum + rows, 0);

/** What an upload did; of a canceled one, also what its preview had. */
const done = (job: RosterJob, what: 'created' | 'updated' | 'removed'): string => {
  const rows = count(job.statistics[what]);
  return job.status === 'CANCELLED' && wasChecked(job) ? `0 of ${rows}` : isUnchecked(job) ? '' : rows;
};

const columnsOf = (open: (job: RosterJob) => void): TableColumn<Row>[] => [
  [
    'File',
    (job) => (
      <>
        <strong className={classes.fileName}>
          {job.undoes ? 'Undo of ' : ''}
          {job.lastUploadedFile}
        </strong>
        <div className={classes.dim}>
          {formatDateTime(job.lastUploadedDate)} by {job.uploaderName}
        </div>
      </>
    ),
  ],
  ['Result', (job) => <Outcome job={job} />],
  ['Added', (job) => done(job, 'created'), 'right'],
  ['Changed', (job) => done(job, 'updated'), 'right'],
  ['Removed', (job) => done(job, 'removed'), 'right'],
  ['Errors', ({ totalErrorRows }) => count(totalErrorRows), 'right'],
  ['Warnings', (job) => count(warningsOf(job)), 'right'],
  [
    'Details',
    (job) => (
      <Button
        size="compact-sm"
        variant="default"
        aria-label={`Details of ${job.undoes ? 'the undo of ' : ''}${job.lastUploadedFile}, ${formatDateTime(job.lastUploadedDate)}`}
        onClick={() => open(job)}
      >
        Details
      </Button>
    ),
  ],
];

const JobDrawer = ({ job, close }: { job: RosterJob; close: () => void }) => {
  useReturnFocus();
  useBack(close);
  return (
    <Drawer
      opened
      onClose={close}
      position="right"
      size="xl"
      title={`${job.undoes ? 'Undo of ' : ''}${job.lastUploadedFile}`}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <JobReport job={job} />
    </Drawer>
  );
};

/** All uploads of a group, newest first: who, when, and what came of it. */
export const JobHistory = ({ groupId }: { groupId: string }) => {
  const [page, go] = useState(1);
  const [openId, open] = useState<string | null>(null);
  const query = useQuery(uploadsQuery(groupId, page));
  const opened = query.data?.uploads.find(({ jobId }) => jobId === openId);
  return (
    <section aria-label="Upload history">
      <Group mt="xl" mb="sm">
        <Title order={2}>Upload history</Title>
      </Group>
      <Loaded query={query} what="uploads">
        {({ total, uploads }) =>
          total === 0 ? (
            <Empty title="No uploads for this group yet.">Download the template to see the columns of a roster.</Empty>
          ) : (
            <>
              <CardTable
                label="Uploads"
                columns={columnsOf(({ jobId }) => open(jobId))}
                rows={uploads.map((job) => ({ ...job, id: job.jobId }))}
              />
              <Pager page={page} pages={Math.ceil(total / PAGE_SIZE)} go={go} />
            </>
          )
        }
      </Loaded>
      {opened && <JobDrawer job={opened} close={() => open(null)} />}
    </section>
  );
};
