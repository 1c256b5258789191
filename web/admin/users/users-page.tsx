import { Button } from '@mantine/core';
import { useRef, useState } from 'react';
import { Loaded } from '../../forms/loaded.tsx';
import { Empty } from '../../ui/states.tsx';
import { AddButton } from '../add-button.tsx';
import { AdminPage } from '../admin-page.tsx';
import { type Directory, useDirectory } from '../directory/use-directory.ts';
import { ListCount } from '../paging/list-search.tsx';
import { PageFoot } from '../paging/page-foot.tsx';
import { BulkChange } from './bulk-change.tsx';
import type { BulkKind } from './bulk-words.ts';
import { InviteDrawer } from './invite-drawer.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { SignInRules } from './sign-in-rules.tsx';
import { type Users, useUsers } from './use-users.ts';
import { UserDrawer } from './user-drawer.tsx';
import { UserFilters } from './user-filters.tsx';
import { UserTable } from './user-table.tsx';

interface Props {
  users: Users;
  /** Undefined until it is loaded. */
  directory: Directory | undefined;
}

const NoUsers = ({ users: { filterCount, paging } }: { users: Users }) =>
  filterCount > 0 ? (
    <Empty
      title="No users match."
      action={
        <Button size="xs" variant="default" onClick={paging.clear}>
          Clear all
        </Button>
      }
    >
      Search looks at names and email addresses.
    </Empty>
  ) : (
    <Empty title="No users yet.">Invite the first one.</Empty>
  );

const UserList = ({ users, directory }: Props) => {
  const { selection } = users;
  const [changing, change] = useState<BulkKind | null>(null);
  return (
    <>
      <Loaded query={users.query} what="users">
        {({ users: shown, total }) => (
          <>
            <ListCount total={total} one="user" many="users" filters={users.filterCount} clear={users.paging.clear} />
            {shown.length === 0 ? (
              <NoUsers users={users} />
            ) : (
              <>
                <SelectionBar users={shown} selection={selection} start={change} />
                <UserTable users={shown} directory={directory} selection={selection} open={users.edit} />
              </>
            )}
            <PageFoot paging={users.paging} total={total} />
          </>
        )}
      </Loaded>
      {changing && (
        <BulkChange
          kind={changing}
          users={selection.all}
          directory={directory}
          done={(kind, changed, finished) => {
            users.changed(kind, changed);
            if (finished) change(null);
          }}
          close={() => change(null)}
        />
      )}
    </>
  );
};

/** The drawer that is open beside the list: an invitation, or one user. */
const OpenDrawer = ({ users, directory }: Props) => {
  const { open, close } = users.editing;
  if (open === null) return null;
  if (open === 'invite')
    return directory ? <InviteDrawer directory={directory} invited={users.invited} close={close} /> : null;
  return (
    <UserDrawer
      key={open.id}
      id={open.id}
      saved={users.saved}
      outdated={users.refresh}
      showChanges={() => users.showChanges(open.id)}
      close={close}
    />
  );
};

/** The organization's users: find, invite, edit and disable them. */
export const UsersPage = () => {
  const field = useRef<HTMLInputElement>(null);
  const users = useUsers(field);
  const { data: directory } = useDirectory();
  const { editing, invite } = users;
  return (
    <AdminPage
      title="Users"
      message={editing.message}
      dismissMessage={editing.dismissMessage}
      action={<AddButton label="Invite users" ready={directory !== undefined} add={invite} />}
    >
      <SignInRules />
      <UserFilters users={users} directory={directory} field={field} />
      <UserList users={users} directory={directory} />
      <OpenDrawer users={users} directory={directory} />
    </AdminPage>
  );
};
