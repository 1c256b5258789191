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

/** The standard roles, which can't be changed, and the organization's own. */
export const RolesPage = () => {
  const { list: roles, editing, form } = useEditedList(rolesQuery);
  return (
    <AdminPage
      title="Roles"
      lead="A role is a named set of permissions. Users have a role on a team, for each of its groups."
      message={editing.message}
      dismissMessage={editing.dismissMessage}
      action={<AddButton label="Add role" ready={roles.data !== undefined} add={() => editing.edit('new')} />}
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
              ['Permissions', ({ permissions }) => permissions.length, { width: '14%', align: 'right' }],
              ['Users', ({ userCount }) => userCount.toLocaleString('en-US'), { width: '14%', align: 'right' }],
            ]}
          />
        )}
      </Loaded>
      {form && <RoleDrawer key={form.key} role={form.entry} {...form.handlers} />}
    </AdminPage>
  );
};
