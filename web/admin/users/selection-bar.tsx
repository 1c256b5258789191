import { Button, Checkbox, Text } from '@mantine/core';
import type { AdminUser } from '#contract/admin.ts';
import classes from '../admin.module.css';
import { isSelectable, type SelectedUsers } from './use-selected-users.ts';

/** Selects all users of the page, says how many are selected and offers what can be done with them. */
export const SelectionBar = ({
  users,
  selection,
  disable,
}: {
  users: AdminUser[];
  selection: SelectedUsers;
  disable: () => void;
}) => {
  const here = users.filter(isSelectable);
  const count = here.filter(selection.has).length;
  return (
    <div className={classes.selection} role="group" aria-label="Selected users">
      <Checkbox
        size="sm"
        label="Select all on this page"
        disabled={here.length === 0}
        checked={count > 0 && count === here.length}
        indeterminate={count > 0 && count < here.length}
        onChange={({ currentTarget }) => selection.set(here, currentTarget.checked)}
      />
      {selection.all.length > 0 && (
        <>
          <Text size="sm" role="status">
            {selection.all.length} selected
          </Text>
          <Button size="compact-xs" variant="default" onClick={disable}>
            Disable…
          </Button>
          <Button size="compact-xs" variant="subtle" onClick={() => selection.set(selection.all, false)}>
            Clear
          </Button>
        </>
      )}
    </div>
  );
};
