import { Alert, Group, Progress, Tabs, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { RELATIONSHIP_LABELS } from '#contract/relationships.ts';
import type { RosterJob } from '#contract/rosters.ts';
import { type Fact, Facts } from '../ui/facts.tsx';
import { formatDateTime } from '../ui/format/date.ts';
import { IconAlertTriangle } from '../ui/icons.ts';
import { StatusBadge } from '../ui/status-badge.tsx';
import { JobChanges } from './job-changes.tsx';
import { ApprovalNotice, CancelUnchecked, Decision } from './job-decision.tsx';
import { GarbledCells, IgnoredColumns, JobProblems } from './job-problems.tsx';
import { JobUndo } from './job-undo.tsx';
import {
  count,
  ENCODING_WORDS,
  isUnchecked,
  lookOf,
  partRemoved,
  percent,
  progressOf,
  wasChecked,
} from './job-words.ts';
import { isRunning } from './roster-queries.ts';
import classes from './rosters.module.css';

const UNCHANGED = 'The roster has not changed.';

const factsOf = (job: RosterJob): Fact[] => [
  ['File', job.undoes ? `Undo of ${job.lastUploadedFile}` : job.lastUploadedFile],
  [job.undoes ? 'Undone' : 'Uploaded', `${formatDateTime(job.lastUploadedDate)} by ${job.uploaderName}`],
  ...(job.decidedByName && job.decidedAt
    ? [
        [
          job.status === 'CANCELLED' ? 'Canceled' : 'Applied',
          `${formatDateTime(job.decidedAt)} by ${job.decidedByName}`,
        ] satisfies Fact,
      ]
    : []),
  ...(job.relationship ? [['Relationship', RELATIONSHIP_LABELS[job.relationship]] satisfies Fact] : []),
  ...(job.hasDayFirst ? [['Dates of birth', 'Read as DD/MM/YYYY'] satisfies Fact] : []),
  ...(job.encoding ? [['Characters', `Read as ${ENCODING_WORDS[job.encoding]}`] satisfies Fact] : []),
  ...(job.undoes
    ? []
    : [
        ['Rows', count(job.totalRows)] satisfies Fact,
        ...(isUnchecked(job) ? [] : [['Rows with errors', count(job.totalErrorRows)] satisfies Fact]),
      ]),
];

/** What the numbers of an upload say: what was done, what is to be done, or what its preview had. */
const TILES = {
  applied: ['Added', 'Changed', 'Removed', 'Unchanged'],
  waiting: ['To add', 'To change', 'To remove', 'Unchanged'],
  canceled: ['Would have added', 'Would have changed', 'Would have removed', 'Unchanged'],
} as const;

/** What the upload changes, would change or would have changed, as numbers; nothing until it is checked. */
const Tiles = ({ job }: { job: RosterJob }) => {
  const { created, updated, removed, unchanged } = job.statistics;
  const isCanceled = job.status === 'CANCELLED';
  if (isUnchecked(job) || (isCanceled && !wasChecked(job))) return null;
  const [adds, changes, removes, keeps] =
    TILES[job.appliedAt !== null ? 'applied' : isCanceled ? 'canceled' : 'waiting'];
  const share = removed > 0 && job.listedBefore > 0 ? ` (${percent(partRemoved(job))})` : '';
  const tiles = [
    [adds, count(created)],
    [changes, count(updated)],
    [removes, `${count(removed)}${share}`],
    [keeps, count(unchanged)],
  ] as const;
  return (
    <dl className={classes.tiles}>
      {tiles.map(([term, value]) => (
        <div key={term} className={classes.tile}>
          <dt>{term}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
};

/** What can be looked at: the people that the file would change while it waits, and its problems. */
const Details = ({ job }: { job: RosterJob }) => {
  const { created, updated, removed } = job.statistics;
  const waits = job.status === 'AWAITING_CONFIRMATION';
  const hasErrors = Object.keys(job.errorsByColumn).length > 0;
  const warnings = Object.values(job.warningsByColumn).reduce((sum, rows) => sum + rows, 0);
  const tabs: [value: string, label: string, panel: ReactNode][] = [
    ...(hasErrors
      ? [
          ['ERROR', `Errors (${count(job.totalErrorRows)})`, <JobProblems key="e" job={job} kind="ERROR" />] as [
            string,
            string,
            ReactNode,
          ],
        ]
      : []),
    ...(warnings > 0
      ? [
          ['WARNING', `Warnings (${count(warnings)})`, <JobProblems key="w" job={job} kind="WARNING" />] as [
            string,
            string,
            ReactNode,
          ],
        ]
      : []),
    ...(waits
      ? ([
          ['ADDED', `Adds (${count(created)})`, <JobChanges key="a" job={job} kind="ADDED" />],
          ['CHANGED', `Changes (${count(updated)})`, <JobChanges key="c" job={job} kind="CHANGED" />],
          ['REMOVED', `Removals (${count(removed)})`, <JobChanges key="r" job={job} kind="REMOVED" />],
        ] as [string, string, ReactNode][])
      : []),
  ];
  const [first] = tabs;
  if (first === undefined) return null;
  return (
    <Tabs defaultValue={removed > 0 && waits ? 'REMOVED' : first[0]} keepMounted={false} mt="md">
      <Tabs.List>
        {tabs.map(([value, label]) => (
          <Tabs.Tab key={value} value={value}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map(([value, , panel]) => (
        <Tabs.Panel key={value} value={value} pt="xs">
          {panel}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
};

const Running = ({ job }: { job: RosterJob }) => {
  const { words, value } = progressOf(job);
  return (
    <div>
      <Progress value={value ?? 100} animated={value === null} striped={value === null} aria-label={words} />
      <Text size="sm" c="dimmed" className="tabular" mt={4} mb="sm">
        {words}. You can leave this page. Processing continues.
      </Text>
      {isUnchecked(job) && <CancelUnchecked key={job.jobId} job={job} />}
    </div>
  );
};

/** One upload: its status, what it changes, its problems, and what can be done about it. */
export const JobReport = ({ job }: { job: RosterJob }) => {
  const { label, color, Icon } = lookOf(job);
  return (
    <div>
      <Group gap="sm" mb="sm" role="status">
        <StatusBadge color={color} Icon={Icon}>
          {label}
        </StatusBadge>
      </Group>
      {isRunning(job) && <Running job={job} />}
      {job.fileError && (
        <Alert
          role="alert"
          color="caution"
          icon={<IconAlertTriangle size={18} aria-hidden />}
          title={job.appliedAt === null ? "The file wasn't applied" : 'The upload stopped'}
          mb="sm"
        >
          {job.fileError} {job.appliedAt === null && !job.fileError.includes(UNCHANGED) && UNCHANGED}
        </Alert>
      )}
      {job.status !== 'FAILED' || job.appliedAt !== null ? <Tiles job={job} /> : null}
      {job.waitsFor === 'OPERATOR' && <ApprovalNotice key={job.jobId} job={job} />}
      {(job.waitsFor === 'CONFIRMATION' || job.waitsFor === 'PREVIEW') && <Decision key={job.jobId} job={job} />}
      <JobUndo job={job} />
      <GarbledCells job={job} />
      <IgnoredColumns job={job} />
      <Details key={`${job.jobId} ${job.status}`} job={job} />
      <div style={{ marginTop: 16 }}>
        <Facts facts={factsOf(job)} />
      </div>
    </div>
  );
};
