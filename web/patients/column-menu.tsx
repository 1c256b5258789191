import { Button, Checkbox, Popover, Stack } from '@mantine/core';
import { IconColumns } from '../ui/icons.ts';
import { COLUMNS, type useColumns } from './columns.tsx';

/** Which columns the table has; who a row is about always stands. */
export const ColumnMenu = ({ columns }: { columns: ReturnType<typeof useColumns> }) => {
  return (
    <Popover position="bottom-end" trapFocus withRoles={false}>
      <Popover.Target>
        <Button
          size="xs"
          variant="default"
          aria-haspopup="dialog"
          leftSection={<IconColumns size={16} stroke={1.75} aria-hidden />}
        >
          Columns
        </Button>
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label="Columns">
        <Stack gap="sm">
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
            The usual ones
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
};
