import { Table } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './card-table.module.css';

export type TableColumn<T> = readonly [head: string, cell: (row: T) => ReactNode, align?: 'right'];

/** A table that scrolls sideways in its own region; on a phone each row becomes a block of labeled lines. */
export const CardTable = <T extends { id: string }>({
  label,
  columns,
  rows,
}: {
  label: string;
  columns: readonly TableColumn<T>[];
  rows: readonly T[];
}) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
  <div className={classes.wide} tabIndex={0} role="region" aria-label={label}>
    <Table className={classes.cards} stickyHeader={false}>
      <Table.Thead>
        <Table.Tr>
          {columns.map(([head, , align]) => (
            <Table.Th key={head} data-align={align}>
              {head}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((row) => (
          <Table.Tr key={row.id}>
            {columns.map(([head, cell, align], at) => (
              <Table.Td key={head} data-align={align} data-label={at === 0 ? undefined : head}>
                <div>{cell(row)}</div>
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </div>
);
