import { Text, TextInput } from '@mantine/core';
import type { AdminRole } from '#contract/admin.ts';
import { ROLE_TEXTS } from '#contract/admin-fields.ts';
import type { Permission } from '#contract/permissions.ts';
import { call } from '../../api/call.ts';
import { EditDrawer } from '../../forms/edit-drawer.tsx';
import { textOf } from '../../forms/fields.ts';
import { RemoveButton } from '../../forms/remove-button.tsx';
import { useForm } from '../../forms/use-form.ts';
import { roleName } from '../labels.ts';
import { missingTexts } from '../required-texts.ts';
import type { EntryHandlers } from '../use-edited-list.ts';
import { PermissionChange } from './permission-change.tsx';
import { PermissionChoices } from './permission-choices.tsx';

const useRoleForm = (role: AdminRole | null, { saved, outdated, takeTheirs }: EntryHandlers) =>
  useForm<{ name: string; permissions: Permission[] }, AdminRole>({
    initial: { name: role?.name ?? '', permissions: role?.permissions ?? [] },
    check: ({ name }) => missingTexts(ROLE_TEXTS, { name }),
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

/** What saving changes for the people who have the role. */
const Effect = ({ role, permissions }: { role: AdminRole; permissions: Permission[] }) => {
  const adds = permissions.filter((flag) => !role.permissions.includes(flag));
  const removes = role.permissions.filter((flag) => !permissions.includes(flag));
  if (role.userCount === 0 || adds.length + removes.length === 0) return null;
  return (
    <div aria-live="polite">
      <Text fw={550}>
        For {role.userCount === 1 ? 'the 1 user' : `all ${role.userCount.toLocaleString('en-US')} users`} with this
        role:
      </Text>
      <PermissionChange adds={adds} removes={removes} />
    </div>
  );
};

/** The form of a role, or of a new one, beside the list. */
export const RoleDrawer = ({ role, ...handlers }: EntryHandlers & { role: AdminRole | null }) => {
  const form = useRoleForm(role, handlers);
  const { permissions } = form.values;
  const standard = role?.isStandard ?? false;
  return (
    <EditDrawer
      title={role ? roleName(role.name) : 'Add role'}
      form={form}
      {...(standard ? {} : { submit: 'Save' })}
      wide
      close={handlers.close}
    >
      {standard ? (
        <Text>
          This is a standard role that every organization has, so it can't be changed. Add your own role, or use custom
          permissions when you give someone this role.
        </Text>
      ) : (
        <TextInput label="Name" maxLength={ROLE_TEXTS.name.max} {...textOf(form, 'name')} />
      )}
      <PermissionChoices
        selected={permissions}
        readOnly={standard}
        select={(next) => form.change({ permissions: next })}
      />
      {role && <Effect role={role} permissions={permissions} />}
      {role && !standard && (
        <RemoveButton
          kind="role"
          what={`the role ${roleName(role.name)}`}
          act={() => call('DELETE /api/admin/roles/:id', { params: { id: role.id } })}
          done={handlers.saved}
        >
          You can remove a role once no one has it.
        </RemoveButton>
      )}
    </EditDrawer>
  );
};
