import { Button, Checkbox, Text } from '@mantine/core';
import type { AdminUser } from '#contract/admin.ts';
import classes from '../admin.module.css';
import { type ChosenUsers, canBeChosen } from './use-chosen-users.ts';

/** All of this page at once, how many are chosen, and what can be done with them. */
export const ChosenBar = ({
  users,
  chosen,
  disable,
}: {
  users: AdminUser[];
  chosen: ChosenUsers;
  disable: () => void;
}) => {
  const here = users.filter(canBeChosen);
  const count = here.filter(chosen.has).length;
  return (
    <div className={classes.chosen} role="group" aria-label="Chosen users">
      <Checkbox
        size="sm"
        label="Choose all on this page"
        disabled={here.length === 0}
        checked={count > 0 && count === here.length}
        indeterminate={count > 0 && count < here.length}
        onChange={({ currentTarget }) => chosen.set(here, currentTarget.checked)}
      />
      {chosen.all.length > 0 && (
        <>
          <Text size="sm" role="status">
            {chosen.all.length} chosen
          </Text>
          <Button size="compact-xs" variant="default" onClick={disable}>
            Disable…
          </Button>
          <Button size="compact-xs" variant="subtle" onClick={() => chosen.set(chosen.all, false)}>
            Choose none
          </Button>
        </>
      )}
    </div>
  );
};
