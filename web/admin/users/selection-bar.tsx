import { Button, Checkbox, Text } from '@mantine/core';
import type { AdminUser } from '#contract/admin.ts';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import classes from '../admin.module.css';
import { BULK_WORDS, type BulkKind } from './bulk-words.ts';
import { isSelectable, type SelectedUsers } from './use-selected-users.ts';

/** Those with a button; the others are in a menu, which acts when one is chosen and not as the arrow keys pass it. */
const FIRST: readonly BulkKind[] = ['GIVE_ROLE', 'TAKE_ACCESS', 'DISABLE'];
const OTHERS: readonly BulkKind[] = ['ENABLE', 'RESEND_ACTIVATION', 'SEND_RESET', 'END_SESSIONS'];

const Actions = ({ start }: { start: (kind: BulkKind) => void }) => (
  <>
    {FIRST.map((kind) => (
      <Button key={kind} size="compact-xs" variant="default" onClick={() => start(kind)}>
        {BULK_WORDS[kind].action}…
      </Button>
    ))}
    <Menu
      label="More actions"
      trigger={(button) => (
        <Button {...button} size="compact-xs" variant="default">
          More actions
        </Button>
      )}
    >
      {OTHERS.map((kind) => (
        <MenuItem key={kind} choose={() => start(kind)}>
          {BULK_WORDS[kind].action}…
        </MenuItem>
      ))}
    </Menu>
  </>
);

/** Selects all users of the page, says how many are selected and offers what can be done with them. */
export const SelectionBar = ({
  users,
  selection,
  start,
}: {
  users: AdminUser[];
  selection: SelectedUsers;
  start: (kind: BulkKind) => void;
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
          <Actions start={start} />
          <Button size="compact-xs" variant="subtle" onClick={() => selection.set(selection.all, false)}>
            Clear
          </Button>
        </>
      )}
    </div>
  );
};
