import { Button, NativeSelect, Text, TextInput } from '@mantine/core';
import { type RefObject, useRef, useState } from 'react';
import { Loaded } from '../../forms/loaded.tsx';
import { Pager } from '../../ui/pager.tsx';
import { Empty } from '../../ui/states.tsx';
import { AddButton } from '../add-button.tsx';
import classes from '../admin.module.css';
import { AdminPage } from '../admin-page.tsx';
import { type Directory, useDirectory } from '../use-directory.ts';
import { BulkDisable } from './bulk-disable.tsx';
import { ChosenBar } from './chosen-bar.tsx';
import { InviteDrawer } from './invite-drawer.tsx';
import { type Users, useUsers } from './use-users.ts';
import { UserDrawer } from './user-drawer.tsx';
import { USER_STATUS } from './user-status.tsx';
import { USER_STATUS_CODES, type UserStatus } from './user-statuses.ts';
import { UserTable } from './user-table.tsx';

interface Props {
  users: Users;
  /** Once it is loaded. */
  directory: Directory | undefined;
}

const Filters = ({ users, field }: { users: Users; field: RefObject<HTMLInputElement | null> }) => (
  <div className={classes.filters} role="search">
    <TextInput
      ref={field}
      label="Search"
      placeholder="Name or e-mail"
      type="search"
      maxLength={100}
      value={users.typed}
      onChange={({ currentTarget }) => users.type(currentTarget.value)}
    />
    <NativeSelect
      label="Status"
      value={users.status ?? ''}
      onChange={({ currentTarget }) => users.chooseStatus((currentTarget.value as UserStatus | '') || undefined)}
      data={[
        { value: '', label: 'Every status' },
        ...USER_STATUS_CODES.map((code) => ({ value: code, label: USER_STATUS[code].label })),
      ]}
    />
  </div>
);

/** How many there are, and by how many filters. */
const Count = ({ total, users: { narrowed, clear } }: { total: number; users: Users }) => (
  <Text size="sm" c="dimmed" className="tabular" aria-live="polite">
    {total.toLocaleString('en-US')} {total === 1 ? 'user' : 'users'}
    {narrowed > 0 && ` ${total === 1 ? 'matches' : 'match'} ${narrowed} ${narrowed === 1 ? 'filter' : 'filters'}`}
    {narrowed > 0 && (
      <Button size="compact-xs" variant="subtle" ml="sm" onClick={clear}>
        Clear all
      </Button>
    )}
  </Text>
);

const Nobody = ({ users: { narrowed, clear } }: { users: Users }) =>
  narrowed > 0 ? (
    <Empty
      title="No user matches."
      action={
        <Button size="xs" variant="default" onClick={clear}>
          Clear all
        </Button>
      }
    >
      Search looks at names and e-mail addresses.
    </Empty>
  ) : (
    <Empty title="There are no users yet.">Invite the first one.</Empty>
  );

const List = ({ users, directory }: Props) => {
  const { chosen } = users;
  const [disabling, disable] = useState(false);
  return (
    <>
      <Loaded query={users.query} what="users">
        {({ users: shown, total, numPages }) => (
          <>
            <Count total={total} users={users} />
            {shown.length === 0 ? (
              <Nobody users={users} />
            ) : (
              <>
                <ChosenBar users={shown} chosen={chosen} disable={() => disable(true)} />
                <UserTable users={shown} directory={directory} chosen={chosen} open={users.edit} />
              </>
            )}
            <div className={classes.foot}>
              <span />
              <Pager page={users.page} pages={numPages} go={users.go} />
            </div>
          </>
        )}
      </Loaded>
      {disabling && (
        <BulkDisable
          users={chosen.all}
          done={(disabled, finished) => {
            users.disabled(disabled);
            if (finished) disable(false);
          }}
          close={() => disable(false)}
        />
      )}
    </>
  );
};

/** What stands open beside the list: an invitation, or one user. */
const Beside = ({ users, directory }: Props) => {
  const { open, close } = users.editing;
  if (open === null) return null;
  if (open === 'invite')
    return directory ? <InviteDrawer directory={directory} invited={users.invited} close={close} /> : null;
  return (
    <UserDrawer
      key={open.id}
      id={open.id}
      saved={users.saved}
      outdated={users.renew}
      showChanges={() => users.showChanges(open.id)}
      close={close}
    />
  );
};

/** Users of the organisation: find, invite, edit. */
export const UsersPage = () => {
  const field = useRef<HTMLInputElement>(null);
  const users = useUsers(field);
  const { data: directory } = useDirectory();
  const { editing, invite } = users;
  return (
    <AdminPage
      title="Users"
      message={editing.message}
      close={() => editing.say(null)}
      action={<AddButton words="Invite" ready={directory !== undefined} add={invite} />}
    >
      <Filters users={users} field={field} />
      <List users={users} directory={directory} />
      <Beside users={users} directory={directory} />
    </AdminPage>
  );
};
