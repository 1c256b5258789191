import { Button, Checkbox, Popover } from '@mantine/core';
import { useState } from 'react';
import { useBack } from '../router/use-back.ts';
import { IconColumns } from '../ui/icons.ts';
import classes from './column-menu.module.css';
import { COLUMNS } from './columns.tsx';
import type { useColumns } from './use-columns.ts';

/** Chooses the columns of the table. The patient's identity is always shown. */
export const ColumnMenu = ({ columns }: { columns: ReturnType<typeof useColumns> }) => {
  const [opened, set] = useState(false);
  useBack(() => set(false), opened);
  return (
    <Popover
      opened={opened}
      onChange={set}
      position="bottom-end"
      middlewares={{ flip: true, shift: true, size: true }}
      trapFocus
      withRoles={false}
    >
      <Popover.Target>
        <Button
          size="xs"
          variant="default"
          aria-haspopup="dialog"
          aria-expanded={opened}
          onClick={() => set(!opened)}
          leftSection={<IconColumns size={16} stroke={1.75} aria-hidden />}
        >
          Columns
        </Button>
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label="Columns" className={classes.menu}>
        <div className={classes.columns}>
          {columns.offered.map((key) => (
            <Checkbox
              key={key}
              size="xs"
              label={COLUMNS[key].label}
              checked={columns.keys.includes(key)}
              onChange={() => columns.toggle(key)}
            />
          ))}
          <Button size="compact-xs" variant="subtle" onClick={columns.reset}>
            Reset columns
          </Button>
        </div>
      </Popover.Dropdown>
    </Popover>
  );
};
