import { Text, TextInput } from '@mantine/core';
import { PERMISSION_WORDS } from '#contract/permission-words.ts';
import type { Permission } from '#contract/permissions.ts';
import { call } from '../../api/call.ts';
import { EditDrawer } from '../../forms/edit-drawer.tsx';
import { textOf } from '../../forms/fields.ts';
import { RemoveButton } from '../../forms/remove-button.tsx';
import { useForm } from '../../forms/use-form.ts';
import type { AdminRole } from '../admin-types.ts';
import { roleName } from '../labels.ts';
import type { EntryActs } from '../use-edited-list.ts';
import { PermissionChoices } from './permission-choices.tsx';

const useRoleForm = (role: AdminRole | null, { saved, outdated, takeTheirs }: EntryActs) =>
  useForm<{ name: string; permissions: Permission[] }, AdminRole>({
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

const words = (flags: Permission[]): string => flags.map((flag) => PERMISSION_WORDS[flag].may).join('; ');

/** What saving does to those who hold the role. */
const Effect = ({ role, permissions }: { role: AdminRole; permissions: Permission[] }) => {
  const adds = permissions.filter((flag) => !role.permissions.includes(flag));
  const takes = role.permissions.filter((flag) => !permissions.includes(flag));
  if (role.userCount === 0 || adds.length + takes.length === 0) return null;
  return (
    <div aria-live="polite">
      <Text fw={550}>For {role.userCount === 1 ? 'the one user' : `all ${role.userCount} users`} with this role:</Text>
      {adds.length > 0 && <Text>Adds: {words(adds)}.</Text>}
      {takes.length > 0 && <Text>Takes away: {words(takes)}.</Text>}
    </div>
  );
};

/** One role, or a new one, beside the list. */
export const RoleDrawer = ({ role, ...acts }: EntryActs & { role: AdminRole | null }) => {
  const form = useRoleForm(role, acts);
  const { permissions } = form.values;
  const standard = role?.isStandard ?? false;
  return (
    <EditDrawer
      title={role ? roleName(role.name) : 'Add a role'}
      form={form}
      {...(standard ? {} : { submit: 'Save' })}
      wide
      close={acts.close}
    >
      {standard ? (
        <Text>
          Every organisation has this role; it cannot be changed. Add a role of your own, or add and take away single
          permissions where you give the role to somebody.
        </Text>
      ) : (
        <TextInput label="Name" maxLength={100} {...textOf(form, 'name')} />
      )}
      <PermissionChoices
        chosen={permissions}
        readOnly={standard}
        choose={(next) => form.change({ permissions: next })}
      />
      {role && <Effect role={role} permissions={permissions} />}
      {role && !standard && (
        <RemoveButton
          kind="role"
          what={`the role ${roleName(role.name)}`}
          act={() => call('DELETE /api/admin/roles/:id', { params: { id: role.id } })}
          done={acts.saved}
        >
          A role can be removed once nobody holds it.
        </RemoveButton>
      )}
    </EditDrawer>
  );
};
