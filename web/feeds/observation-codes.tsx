import { Button, Group, Text } from '@mantine/core';
import { counted } from '#contract/counted.ts';
import type { OutpatientCode, OutpatientCodes } from '#contract/feeds.ts';
import type { Form } from '../forms/use-form.ts';
import { formatDate } from '../ui/format/date.ts';
import { IconPlus } from '../ui/icons.ts';
import classes from './feeds.module.css';
import { ChoiceCell, TextCell } from './row-cells.tsx';
import { RowTable } from './row-table.tsx';
import { codeOf, errorAt, type ObservationRow, type SettingsValues } from './settings-form.ts';

const FIELDS = { 'PV1-18': 'Patient type (PV1-18)', 'PV1-10': 'Hospital service (PV1-10)' } as const;
const CHOICES = Object.entries(FIELDS).map(([value, label]) => ({ value, label }));

const isSame = (row: ObservationRow, other: ObservationRow): boolean =>
  row.field === other.field && codeOf(row.code) === codeOf(other.code);
const visitsOf = ({ arrivals, discharges }: OutpatientCode): number => Math.max(arrivals, discharges);

const whyOf = (code: OutpatientCode): string => {
  if (code.suggestedBy === 'NAME') return `${counted(visitsOf(code), 'visit')}. The name looks like observation.`;
  const [long, all] = [code.longStays, code.discharges].map((count) => count.toLocaleString('en-US'));
  return `${long} of ${all} discharges were from a bed, 8 hours or more after arrival.`;
};

const Suggestion = ({ code, add }: { code: OutpatientCode; add: () => void }) => (
  <Group component="li" gap="sm" justify="space-between" wrap="nowrap">
    <Text size="sm">
      <b>{code.code}</b> – {FIELDS[code.field]}. {whyOf(code)}
    </Text>
    <Button
      size="xs"
      variant="default"
      flex="none"
      aria-label={`Read ${code.code} as observation`}
      leftSection={<IconPlus size={14} stroke={1.75} aria-hidden />}
      onClick={add}
    >
      Add
    </Button>
  </Group>
);

/** Codes that probably mean observation, from what the feed has sent. */
const Suggestions = ({ seen, add }: { seen: OutpatientCodes; add: (row: ObservationRow) => void }) => (
  <section aria-label="Suggested observation codes">
    <Text size="sm" fw={550}>
      Suggested from outpatient visits since {formatDate(seen.since)}
    </Text>
    <ul className={classes.suggestions}>
      {seen.codes.map((code) => (
        <Suggestion
          key={`${code.field} ${code.code}`}
          code={code}
          add={() => add({ field: code.field, code: code.code })}
        />
      ))}
    </ul>
  </section>
);

interface Props {
  form: Form<SettingsValues>;
  /** What the feed has sent; undefined while it's loading, and for a new feed. */
  seen: OutpatientCodes | undefined;
}

/** PV1-18 and PV1-10 of outpatients → observation. */
export const ObservationMap = ({ form: { values, change, errors }, seen }: Props) => {
  const rows = values.observation;
  const suggested = seen?.codes.filter((code) => code.suggestedBy && !rows.some((row) => isSame(row, code))) ?? [];
  const countOf = (row: ObservationRow): number => {
    const found = seen?.codes.find((code) => isSame(row, code));
    return found ? visitsOf(found) : 0;
  };
  return (
    <section aria-label="Observation">
      <Text component="h3" size="md" fw={650} m={0}>
        Observation
      </Text>
      <Text size="sm" c="dimmed" mb="xs">
        Add the patient types or hospital services that mean observation, if this sender sends observation patients as
        outpatients (class O). A unit's own setting comes first.
      </Text>
      {seen && suggested.length > 0 && (
        <Suggestions seen={{ ...seen, codes: suggested }} add={(row) => change({ observation: [...rows, row] })} />
      )}
      <RowTable<ObservationRow>
        label="observation codes"
        rows={rows}
        empty="No rows. Outpatients stay outpatients."
        add={() => ({ field: 'PV1-18', code: '' })}
        change={(observation) => change({ observation })}
        columns={[
          { head: 'Field', cell: (cell) => <ChoiceCell cell={cell} name="field" error={undefined} data={CHOICES} /> },
          {
            head: 'Sent as',
            width: '30%',
            cell: (cell) => (
              <TextCell
                cell={cell}
                name="code"
                maxLength={100}
                error={errorAt(errors, `observation.${cell.at}.code`)}
              />
            ),
          },
          {
            head: seen ? `Since ${formatDate(seen.since)}` : 'Seen',
            width: '25%',
            cell: ({ row }) => (
              <Text size="sm" pt={4}>
                {seen ? counted(countOf(row), 'visit') : '…'}
              </Text>
            ),
          },
        ]}
      />
    </section>
  );
};

interface ChangedCodes {
  added: ObservationRow[];
  removed: ObservationRow[];
}

/** Returns the codes that were added and removed; null if none were. */
export const changedCodes = (
  before: readonly ObservationRow[],
  after: readonly ObservationRow[],
): ChangedCodes | null => {
  const among = (rows: readonly ObservationRow[], others: readonly ObservationRow[]) =>
    rows.filter((row) => codeOf(row.code) && !others.some((other) => isSame(row, other)));
  const changed = { added: among(after, before), removed: among(before, after) };
  return changed.added.length + changed.removed.length === 0 ? null : changed;
};

const namesOf = (rows: readonly ObservationRow[]): string =>
  rows.map(({ field, code }) => `${field} ${codeOf(code)}`).join(' or ');

/** Says what saving the observation codes will change. */
export const ObservationEffect = ({
  changed: { added, removed },
  seen,
}: {
  changed: ChangedCodes;
  seen: OutpatientCodes | undefined;
}) => {
  const concerned = seen?.codes.filter((code) => [...added, ...removed].some((row) => isSame(row, code))) ?? [];
  const visits = concerned.reduce((sum, code) => sum + visitsOf(code), 0);
  return (
    <Text size="sm">
      {added.length > 0 && `Outpatients with ${namesOf(added)} will be observation stays, which send pings. `}
      {removed.length > 0 && `Patients with ${namesOf(removed)} will be outpatients again. `}
      {seen && `Since ${formatDate(seen.since)}, up to ${counted(visits, 'visit')} had such a code. `}
      This applies to new messages; earlier visits change when you replay their messages.
    </Text>
  );
};
