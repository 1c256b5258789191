import { Badge } from '@mantine/core';
import { Loaded } from '../../forms/loaded.tsx';
import { CardTable } from '../../ui/card-table.tsx';
import { AddButton } from '../add-button.tsx';
import { AdminPage } from '../admin-page.tsx';
import { rolesQuery } from '../admin-queries.ts';
import { roleName } from '../labels.ts';
import { Opener } from '../opener.tsx';
import { organizationColumn } from '../organization.ts';
import { useEditedList } from '../use-edited-list.ts';
import { RoleDrawer } from './role-drawer.tsx';

/** Roles: the standard ones, which stay as they are, and those of the organisation. */
export const RolesPage = () => {
  const { list: roles, editing, form } = useEditedList(rolesQuery);
  return (
    <AdminPage
      title="Roles"
      lead="A role is a set of permissions with a name. It is given to a user in a team, for a group."
      message={editing.message}
      close={() => editing.say(null)}
      action={<AddButton words="Add a role" ready={roles.data !== undefined} add={() => editing.edit('new')} />}
    >
      <Loaded query={roles} what="roles">
        {(all) => (
          <CardTable
            label="Roles"
            rows={all}
            columns={[
              [
                'Name',
                (role) => (
                  <>
                    <Opener name={roleName(role.name)} open={() => editing.edit(role)} />{' '}
                    {role.isStandard && (
                      <Badge component="span" color="gray">
                        Standard
                      </Badge>
                    )}
                  </>
                ),
              ],
              ...organizationColumn(all),
              ['Permissions', ({ permissions }) => permissions.length],
              ['Users', ({ userCount }) => userCount.toLocaleString('en-US')],
            ]}
          />
        )}
      </Loaded>
      {form && <RoleDrawer key={form.key} role={form.entry} {...form.does} />}
    </AdminPage>
  );
};
