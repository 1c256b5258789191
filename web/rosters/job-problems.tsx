import { Alert, Anchor, Button, Group, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ROSTER_PROBLEM_DAYS } from '#contract/roster-limits.ts';
import type { RosterJob, RosterProblem, RosterProblemKind } from '#contract/rosters.ts';
import { pathOf } from '../api/call.ts';
import { Loaded } from '../forms/loaded.tsx';
import { useSession } from '../session/session.ts';
import { CardTable } from '../ui/card-table.tsx';
import { IconAlertTriangle, IconDownload } from '../ui/icons.ts';
import { Empty } from '../ui/states.tsx';
import { count, ENCODING_WORDS } from './job-words.ts';
import { problemsQuery } from './roster-queries.ts';
import classes from './rosters.module.css';

const WORDS: Record<RosterProblemKind, { label: string; about: string }> = {
  ERROR: {
    label: 'Errors',
    about:
      'Rows with errors are skipped. People already on the roster, found by member ID, Medicare ID, or name and date of birth, stay as they are.',
  },
  WARNING: {
    label: 'Warnings',
    about:
      "These cells couldn't be read, or were read and need a look. The rest of each row is used. Where a cell couldn't be read, people already on the roster keep the value they had.",
  },
};

/** Buttons that show the problems of one column. */
const ColumnChips = ({
  counts,
  column,
  choose,
}: {
  counts: Record<string, number>;
  column: string | null;
  choose: (column: string | null) => void;
}) => (
  <div className={classes.chips} role="group" aria-label="Column">
    {[['All columns', null] as const, ...Object.entries(counts).sort(([, a], [, b]) => b - a)].map(([name, rows]) => {
      const value = rows === null ? null : name;
      return (
        <Button
          key={name}
          size="compact-sm"
          variant={column === value ? 'filled' : 'default'}
          aria-pressed={column === value}
          onClick={() => choose(value)}
        >
          {rows === null ? name : `${name}: ${count(rows)}`}
        </Button>
      );
    })}
  </div>
);

const columns = [
  ['Where', ({ rowNumber }: RosterProblem) => `Row ${count(rowNumber)}`],
  ['Member ID', ({ memberId }: RosterProblem) => memberId || <span className={classes.dim}>None</span>],
  ['Column', ({ column }: RosterProblem) => column],
  [
    'Value',
    ({ value }: RosterProblem) => (
      <span className={classes.value}>{value ?? <span className={classes.dim}>Empty</span>}</span>
    ),
  ],
  ['How to fix it', ({ reason }: RosterProblem) => reason],
] as const;

/** The errors or warnings of an upload by row, a page at a time. */
export const JobProblems = ({ job, kind }: { job: RosterJob; kind: RosterProblemKind }) => {
  const { team } = useSession();
  const [column, choose] = useState<string | null>(null);
  const query = useInfiniteQuery(problemsQuery(job.jobId, kind, column));
  const counts = kind === 'ERROR' ? job.errorsByColumn : job.warningsByColumn;
  const { label, about } = WORDS[kind];
  const link = pathOf('GET /api/rosters/uploads/:jobId/errors.csv', {
    params: { jobId: job.jobId },
    query: { teamId: team.id },
  });
  return (
    <>
      <Group justify="space-between" mt="sm">
        <Text size="sm" c="dimmed" maw={640}>
          {about}
        </Text>
        <Anchor href={link} download>
          <Group component="span" gap={4}>
            <IconDownload size={16} stroke={1.75} aria-hidden />
            Download errors.csv
          </Group>
        </Anchor>
      </Group>
      {Object.keys(counts).length > 1 && <ColumnChips counts={counts} column={column} choose={choose} />}
      <Loaded query={query} what={label.toLowerCase()}>
        {({ pages }) => {
          const problems = pages.flatMap((page) => page.problems);
          if (problems.length === 0)
            return <Empty title="No longer kept.">{`Rows are kept for ${ROSTER_PROBLEM_DAYS} days.`}</Empty>;
          return (
            <CardTable
              label={label}
              columns={columns}
              rows={problems.map((one, at) => ({ ...one, id: `${one.rowNumber} ${one.column} ${at}` }))}
            />
          );
        }}
      </Loaded>
      {query.hasNextPage && (
        <Button
          mt="sm"
          size="xs"
          variant="default"
          loading={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          Show more rows
        </Button>
      )}
    </>
  );
};

/** A file in a wrong encoding: its warnings name the cells that give it away, and others may be wrong as well. */
export const GarbledCells = ({ job }: { job: RosterJob }) =>
  job.garbledCells === 0 ? null : (
    <Alert
      role="note"
      color="caution"
      icon={<IconAlertTriangle size={18} aria-hidden />}
      mt="sm"
      title={job.garbledCells === 1 ? '1 cell looks garbled' : `${count(job.garbledCells)} cells look garbled`}
    >
      {job.encoding && `The file was read as ${ENCODING_WORDS[job.encoding]}. `}
      Other names may be wrong without a warning, and visits are then not matched with them. Save the file as CSV UTF-8
      from the system it comes from, then upload that file{job.appliedAt === null ? ' instead' : ''}.
    </Alert>
  );

/** Tells the uploader which columns of the file were not read. */
export const IgnoredColumns = ({ job }: { job: RosterJob }) =>
  job.ignoredColumns.length === 0 ? null : (
    <Alert
      role="note"
      color="gray"
      mt="sm"
      title={`${job.ignoredColumns.length === 1 ? '1 column' : `${count(job.ignoredColumns.length)} columns`} of the file not read`}
    >
      <Text size="sm" className={classes.value}>
        {job.ignoredColumns.join(', ')}
      </Text>
      <Text size="sm" c="dimmed">
        To use a column, choose the file again and say what to read it as.
      </Text>
    </Alert>
  );
