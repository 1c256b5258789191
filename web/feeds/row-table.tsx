import { ActionIcon, Button, Table, Text, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from '../ui/card-table.module.css';
import { IconPlus, IconTrash } from '../ui/icons.ts';

/** What the input in one cell gets. */
export interface Cell<T> {
  row: T;
  change: (part: Partial<T>) => void;
  /** The index of the row. */
  at: number;
  /** The accessible name of the input. */
  label: string;
}

interface Column<T> {
  head: string;
  width?: string;
  cell: (cell: Cell<T>) => ReactNode;
}

interface Props<T> {
  label: string;
  rows: readonly T[];
  columns: readonly Column<T>[];
  /** Shown if there are no rows. */
  empty: string;
  /** Returns a new row. */
  add: () => T;
  change: (rows: T[]) => void;
  /** The error of a row as a whole. */
  errorOf?: (at: number) => string | undefined;
}

const Head = <T,>({ columns }: Pick<Props<T>, 'columns'>) => (
  <Table.Thead>
    <Table.Tr>
      {columns.map(({ head, width }) => (
        <Table.Th key={head} w={width}>
          {head}
        </Table.Th>
      ))}
      <Table.Th w={40}>
        <VisuallyHidden>Remove</VisuallyHidden>
      </Table.Th>
    </Table.Tr>
  </Table.Thead>
);

const Row = <T,>({ table, row, at }: { table: Props<T>; row: T; at: number }) => {
  const { label, rows, columns, change } = table;
  const error = table.errorOf?.(at);
  const changeRow = (part: Partial<T>): void => change(rows.with(at, { ...row, ...part }));
  return (
    <Table.Tr>
      {columns.map(({ head, cell }, column) => (
        <Table.Td key={head} valign="top" data-label={head}>
          <div>
            {cell({ row, change: changeRow, at, label: `${head}, row ${at + 1}` })}
            {column === 0 && error && (
              <Text size="xs" c="var(--mantine-color-error)" role="alert">
                {error}
              </Text>
            )}
          </div>
        </Table.Td>
      ))}
      <Table.Td valign="top" data-label="">
        <ActionIcon aria-label={`Remove row ${at + 1} of ${label}`} onClick={() => change(rows.toSpliced(at, 1))}>
          <IconTrash size={16} stroke={1.75} aria-hidden />
        </ActionIcon>
      </Table.Td>
    </Table.Tr>
  );
};

/** A table whose rows are edited in place, added and removed. */
export const RowTable = <T,>(props: Props<T>) => {
  const { label, rows, columns, empty, add, change } = props;
  return (
    <div>
      {rows.length === 0 ? (
        <Text c="dimmed">{empty}</Text>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        <div className={classes.wide} tabIndex={0} role="region" aria-label={`Rows of ${label}`}>
          <Table className={classes.cards} stickyHeader={false} verticalSpacing={4} horizontalSpacing={4}>
            <Head columns={columns} />
            <Table.Tbody>
              {rows.map((row, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity of their own, and their inputs hold no state
                <Row key={at} table={props} row={row} at={at} />
              ))}
            </Table.Tbody>
          </Table>
        </div>
      )}
      <Button
        mt="xs"
        size="xs"
        variant="default"
        aria-label={`Add row to ${label}`}
        leftSection={<IconPlus size={14} stroke={1.75} aria-hidden />}
        onClick={() => change([...rows, add()])}
      >
        Add row
      </Button>
    </div>
  );
};
