import { Table } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './admin.module.css';

/** A table that scrolls in its own region where it is wide, and on a phone reads as labelled lines. */
export const AdminTable = <T extends { id: string }>({
  label,
  columns,
  rows,
}: {
  label: string;
  columns: readonly [head: string, cell: (row: T) => ReactNode][];
  rows: readonly T[];
}) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
  <div className={classes.wide} tabIndex={0} role="region" aria-label={label}>
    <Table className={classes.cards} stickyHeader={false}>
      <Table.Thead>
        <Table.Tr>
          {columns.map(([head]) => (
            <Table.Th key={head}>{head}</Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((row) => (
          <Table.Tr key={row.id}>
            {columns.map(([head, cell], at) => (
              <Table.Td key={head} data-label={at === 0 ? undefined : head}>
                <div>{cell(row)}</div>
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </div>
);
