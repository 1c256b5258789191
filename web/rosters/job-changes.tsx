import { Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { RosterChange, RosterChangeKind, RosterJob } from '#contract/rosters.ts';
import { Loaded } from '../forms/loaded.tsx';
import { born } from '../patient/phrases.ts';
import { useSession } from '../session/session.ts';
import { CardTable, type TableColumn } from '../ui/card-table.tsx';
import { familyFirst } from '../ui/format/name.ts';
import { Pager } from '../ui/pager.tsx';
import { VisuallyHidden } from '../ui/plain/text.tsx';
import { Empty, NoPermission } from '../ui/states.tsx';
import { useNow } from '../ui/use-now.ts';
import { count } from './job-words.ts';
import { CHANGES_SHOWN, changesQuery } from './roster-queries.ts';
import classes from './rosters.module.css';

type Row = RosterChange & { id: string };

const LABELS: Record<RosterChangeKind, string> = { ADDED: 'Adds', CHANGED: 'Changes', REMOVED: 'Removals' };
const NONE: Record<RosterChangeKind, string> = {
  ADDED: 'No one is added.',
  CHANGED: 'No one is changed.',
  REMOVED: 'No one is removed.',
};

const Differences = ({ differences }: { differences: RosterChange['differences'] }) => (
  <ul className={classes.differences}>
    {differences.map(({ column, before, after }) => (
      <li key={column}>
        <strong>{column}:</strong> {before ?? 'empty'} <span aria-hidden>→</span>
        <VisuallyHidden> becomes </VisuallyHidden> {after ?? 'empty'}
      </li>
    ))}
  </ul>
);

const columnsOf = (kind: RosterChangeKind, now: Date): TableColumn<Row>[] => [
  [
    'Patient',
    (one) => (
      <>
        <strong>{familyFirst(one)}</strong>
        <div className={classes.dim}>{born(one.dateOfBirth, now)}</div>
      </>
    ),
  ],
  ['Member ID', ({ memberId }) => memberId || 'Not shown'],
  ...(kind === 'CHANGED'
    ? [['What changes', ({ differences }) => <Differences differences={differences} />] as TableColumn<Row>]
    : []),
  ...(kind === 'ADDED'
    ? [['Before', ({ returns }) => (returns ? 'Was on the roster earlier' : 'New')] as TableColumn<Row>]
    : []),
  ...(kind === 'REMOVED' ? [] : [['Row', ({ rowNumber }) => count(rowNumber ?? 0), 'right'] as TableColumn<Row>]),
];

/** The people that a waiting upload would add, change or remove, a page at a time. */
export const JobChanges = ({ job, kind }: { job: RosterJob; kind: RosterChangeKind }) => {
  const { team } = useSession();
  const now = useNow();
  const [page, go] = useState(1);
  const maySee = team.groups[job.groupId]?.permissions.includes('canViewPatients') ?? false;
  const query = useQuery({ ...changesQuery(job.jobId, kind, page), enabled: maySee });
  if (!maySee)
    return (
      <NoPermission what="the patients of this group">
        You can still apply or cancel the upload by its counts.
      </NoPermission>
    );
  return (
    <Loaded query={query} what="preview">
      {({ total, changes }) =>
        total === 0 ? (
          <Empty title={NONE[kind]} />
        ) : (
          <>
            <CardTable
              label={LABELS[kind]}
              columns={columnsOf(kind, now)}
              rows={changes.map((one) => ({
                ...one,
                id: `${one.rowNumber ?? ''} ${one.memberId} ${one.lastName} ${one.firstName}`,
              }))}
            />
            <Group justify="space-between" gap="sm" mt="sm">
              <Text size="xs" c="dimmed" className="tabular" role="status">
                {count((page - 1) * CHANGES_SHOWN + 1)}–{count((page - 1) * CHANGES_SHOWN + changes.length)} of{' '}
                {count(total)}
              </Text>
              <Pager page={page} pages={Math.ceil(total / CHANGES_SHOWN)} go={go} />
            </Group>
          </>
        )
      }
    </Loaded>
  );
};
