import { Table } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './card-table.module.css';

/** Aligned right, as numbers are, or of a width such as '20%'. If one column has a width, all columns keep theirs, whatever is in them. */
type ColumnLook = 'right' | { width: string; align?: 'right' };

const alignOf = (look?: ColumnLook) => (look === 'right' ? look : look?.align);
const widthOf = (look?: ColumnLook) => (look === 'right' ? undefined : look?.width);

export type TableColumn<T> = readonly [head: string, cell: (row: T) => ReactNode, look?: ColumnLook];

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
    <Table
      className={classes.cards}
      stickyHeader={false}
      __vars={{ '--columns': String(columns.length) }}
      data-fixed={columns.some(([, , look]) => widthOf(look)) || undefined}
    >
      <Table.Thead>
        <Table.Tr>
          {columns.map(([head, , look]) => (
            <Table.Th key={head} data-align={alignOf(look)} w={widthOf(look)}>
              {head}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((row) => (
          <Table.Tr key={row.id}>
            {columns.map(([head, cell, look], at) => (
              <Table.Td key={head} data-align={alignOf(look)} data-label={at === 0 ? undefined : head}>
                <div>{cell(row)}</div>
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </div>
);
