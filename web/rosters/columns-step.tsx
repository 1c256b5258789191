import { Alert, Button, NativeSelect, Text } from '@mantine/core';
import { useState } from 'react';
import { counted } from '#contract/counted.ts';
import { ROSTER_TARGETS, type RosterTarget, targetLabel } from '#contract/roster-columns.ts';
import type { RosterHeaderReading, RosterSample } from '#contract/rosters.ts';
import { CardTable } from '../ui/card-table.tsx';
import { IconAlertTriangle, IconCircleCheck } from '../ui/icons.ts';
import { type ColumnChoices, clearedColumns, problemsOf, readAs } from './column-choices.ts';
import { columnsCleared } from './job-words.ts';
import classes from './rosters.module.css';

const NOT_READ = { value: '', label: "Don't read" };
const TARGETS = [NOT_READ, ...ROSTER_TARGETS.map((value) => ({ value: value as string, label: targetLabel(value) }))];

const READING_WORDS: Record<RosterHeaderReading, string> = {
  MAPPED: 'Set by your group',
  NAME: 'Recognized',
  DUPLICATE: 'Another column is read as this',
  IGNORED: 'Set by your group: not read',
  UNKNOWN: 'Not recognized',
};

interface Props {
  sample: RosterSample;
  choices: ColumnChoices;
  choose: (choices: ColumnChoices) => void;
}

const readingOf = ({ sample, choices }: Props, at: number): string => {
  const header = sample.headers[at];
  if (!header) return '';
  return choices.has(at) && choices.get(at) !== header.column ? 'Changed by you' : READING_WORDS[header.reading];
};

const ColumnTable = (props: Props) => {
  const { sample, choices, choose } = props;
  const columns = readAs(sample.headers, choices);
  return (
    <CardTable
      label="Columns of the file"
      rows={sample.headers.map((header, at) => ({ ...header, at, id: String(at) }))}
      columns={[
        ['Your column', ({ header }) => <strong>{header}</strong>, { width: '27%' }],
        ['First values', ({ samples }) => <span className={classes.dim}>{samples.join(' · ') || 'Empty'}</span>],
        [
          'Read as',
          ({ header, at }) => (
            <NativeSelect
              size="xs"
              aria-label={`Read ${header} as`}
              value={columns[at] ?? ''}
              data={TARGETS}
              onChange={({ currentTarget }) =>
                choose(new Map([...choices, [at, (currentTarget.value || null) as RosterTarget | null]]))
              }
            />
          ),
          { width: '22%' },
        ],
        ['Why', ({ at }) => <span className={classes.dim}>{readingOf(props, at)}</span>, { width: '17%' }],
      ]}
    />
  );
};

/** Shows how the columns of a file are read, and lets the uploader change that. Columns that need a look are open at once. */
export const ColumnsStep = (props: Props) => {
  const { sample, choices } = props;
  const problems = problemsOf(sample.headers, choices);
  const unread = readAs(sample.headers, choices).filter((column) => column === null).length;
  const cleared = clearedColumns(sample, choices);
  const [isOpen, open] = useState(problems.length > 0 || sample.headers.some(({ reading }) => reading === 'UNKNOWN'));
  return (
    <section aria-label="Columns">
      <h2 className={classes.step}>2. Match columns</h2>
      {problems.length > 0 ? (
        <Alert role="status" color="caution" icon={<IconAlertTriangle size={18} aria-hidden />} mb="sm">
          {problems.map((problem) => (
            <div key={problem}>{problem}</div>
          ))}
        </Alert>
      ) : (
        <Text size="sm" mb="xs" role="status">
          <IconCircleCheck size={16} aria-hidden className={classes.inline} /> All required columns are there.{' '}
          {counted(sample.headers.length - unread, 'column is', 'columns are')} read
          {unread > 0 ? `, ${counted(unread, 'column is', 'columns are')} not.` : '.'}
        </Text>
      )}
      {cleared.length > 0 && (
        <Alert
          role="note"
          color="caution"
          icon={<IconAlertTriangle size={18} aria-hidden />}
          title="Not in your file, so they will be cleared"
          mb="sm"
        >
          {columnsCleared(cleared)}. To keep them, add these columns to your file.
        </Alert>
      )}
      {isOpen ? (
        <>
          <ColumnTable {...props} />
          <Text size="xs" c="dimmed" mt={4}>
            Your choices are kept for this group. The template and later files use them, too.
          </Text>
        </>
      ) : (
        <Button size="xs" variant="default" onClick={() => open(true)}>
          Show columns
        </Button>
      )}
    </section>
  );
};
