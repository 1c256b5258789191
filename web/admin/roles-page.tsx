import { Badge, Text, TextInput } from '@mantine/core';
import { PERMISSION_WORDS } from '#contract/permission-words.ts';
import type { Permission } from '#contract/permissions.ts';
import { call } from '../api/call.ts';
import { EditDrawer } from '../forms/edit-drawer.tsx';
import { Loaded } from '../forms/loaded.tsx';
import { RemoveButton } from '../forms/remove-button.tsx';
import { useForm } from '../forms/use-form.ts';
import { CardTable } from '../ui/card-table.tsx';
import { AddButton } from './add-button.tsx';
import { AdminPage } from './admin-page.tsx';
import { rolesQuery } from './admin-queries.ts';
import type { AdminRole } from './admin-types.ts';
import { roleName } from './labels.ts';
import { Opener } from './opener.tsx';
import { organizationColumn } from './organization.ts';
import { PermissionChoices } from './permission-choices.tsx';
import { useEditedList } from './use-edited-list.ts';

const EditRole = ({
  role,
  saved,
  outdated,
  takeTheirs,
  close,
}: {
  role: AdminRole | null;
  saved: (message: string) => void;
  outdated: () => void;
  takeTheirs: () => Promise<void>;
  close: () => void;
}) => {
  const form = useForm<{ name: string; permissions: Permission[] }, AdminRole>({
    initial: { name: role?.name ?? '', permissions: role?.permissions ?? [] },
    check: ({ name }) => ({ name: name.trim() ? undefined : 'Enter the name.' }),
    keys: { NAME_TAKEN: 'name' },
    version: role?.version,
    save: (body, version) =>
      role
        ? call('PUT /api/admin/roles/:id', { params: { id: role.id }, body: { ...body, version } })
        : call('POST /api/admin/roles', { body }),
    saved: ({ name }) => saved(`The role ${roleName(name)} was saved.`),
    outdated,
    takeTheirs,
  });
  const { values, change, errorOf } = form;
  const standard = role?.isStandard ?? false;
  const adds = values.permissions.filter((flag) => !role?.permissions.includes(flag));
  const takes = role?.permissions.filter((flag) => !values.permissions.includes(flag)) ?? [];
  const words = (flags: Permission[]): string => flags.map((flag) => PERMISSION_WORDS[flag].may).join('; ');
  return (
    <EditDrawer
      title={role ? roleName(role.name) : 'Add a role'}
      form={form}
      {...(standard ? {} : { submit: 'Save' })}
      wide
      close={close}
    >
      {standard ? (
        <Text>
          Every organisation has this role; it cannot be changed. Add a role of your own, or add and take away single
          permissions where you give the role to somebody.
        </Text>
      ) : (
        <TextInput
          label="Name"
          maxLength={100}
          value={values.name}
          error={errorOf('name')}
          onChange={({ currentTarget }) => change({ name: currentTarget.value })}
        />
      )}
      <PermissionChoices
        chosen={values.permissions}
        readOnly={standard}
        choose={(permissions) => change({ permissions })}
      />
      {role && role.userCount > 0 && adds.length + takes.length > 0 && (
        <div aria-live="polite">
          <Text fw={550}>
            For {role.userCount === 1 ? 'the one user' : `all ${role.userCount} users`} with this role:
          </Text>
          {adds.length > 0 && <Text>Adds: {words(adds)}.</Text>}
          {takes.length > 0 && <Text>Takes away: {words(takes)}.</Text>}
        </div>
      )}
      {role && !standard && (
        <RemoveButton
          kind="role"
          what={`the role ${roleName(role.name)}`}
          act={() => call('DELETE /api/admin/roles/:id', { params: { id: role.id } })}
          done={saved}
        >
          A role can be removed once nobody holds it.
        </RemoveButton>
      )}
    </EditDrawer>
  );
};

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
      {form && <EditRole key={form.key} role={form.entry} {...form.does} />}
    </AdminPage>
  );
};
