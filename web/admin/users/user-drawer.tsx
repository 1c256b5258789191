import { Anchor, NativeSelect, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { AdminUser, Grant } from '#contract/admin.ts';
import { USER_TEXTS, USER_TITLE_MAX } from '#contract/admin-fields.ts';
import { type ApplicationExperience, EXPERIENCES_BY_SIGN_IN } from '#contract/experiences.ts';
import { call } from '../../api/call.ts';
import { queryClient } from '../../api/query-client.ts';
import { EditDrawer } from '../../forms/edit-drawer.tsx';
import { textOf } from '../../forms/fields.ts';
import { type Form, useForm } from '../../forms/use-form.ts';
import { readAgain, WaitingDrawer } from '../../forms/waiting-drawer.tsx';
import { meQuery } from '../../session/queries.ts';
import classes from '../admin.module.css';
import { userQuery } from '../admin-queries.ts';
import { type Directory, nameOf, useDirectory } from '../directory/use-directory.ts';
import { choices, EXPERIENCE_LABELS, roleName } from '../labels.ts';
import { Note } from '../note.tsx';
import { missingTexts } from '../required-texts.ts';
import type { EntryHandlers } from '../use-edited-list.ts';
import { AccessPreview } from './access-preview.tsx';
import { accessChanges } from './grant-changes.ts';
import { GrantsEditor } from './grants-editor.tsx';
import { type AccessValues, allGrants } from './use-new-access.ts';
import { UserActions } from './user-actions.tsx';
import { UserSessions } from './user-sessions.tsx';
import { UserStatusBadge } from './user-status-badge.tsx';

interface Values extends AccessValues {
  firstName: string;
  lastName: string;
  title: string;
  applicationExperience: ApplicationExperience;
}

/** What the drawer of a user reports to the list beside it. */
interface UserHandlers extends Omit<EntryHandlers, 'takeTheirs'> {
  /** Opens the audit log of the account. */
  showChanges: () => void;
}

interface EditProps extends UserHandlers, EntryHandlers {
  user: AdminUser;
  directory: Directory;
}

const savedMessage = ({ firstName, lastName, waitingGrants }: AdminUser): string =>
  `The account of ${firstName} ${lastName} was saved.${waitingGrants.length > 0 ? ' Added access is waiting for another administrator to confirm.' : ''}`;

const useUserForm = ({ user, saved, outdated, takeTheirs }: EditProps) =>
  useForm<Values, AdminUser>({
    initial: {
      firstName: user.firstName,
      lastName: user.lastName,
      title: user.title ?? '',
      applicationExperience: user.applicationExperience,
      grants: user.grants.filter(({ isProvisioned }) => !isProvisioned),
      selected: [],
    },
    check: (values) => missingTexts(USER_TEXTS, values),
    version: user.version,
    save: ({ title, grants, selected, ...values }, version) =>
      call('PUT /api/admin/users/:id', {
        params: { id: user.id },
        body: { ...values, grants: allGrants({ grants, selected }), title: title.trim() || null, version },
      }),
    saved: async (answer) => {
      // The header shows the user's own name, and the paths follow the experience.
      if (answer.isSelf) await queryClient.invalidateQueries({ queryKey: meQuery.queryKey });
      saved(savedMessage(answer));
    },
    outdated,
    takeTheirs,
  });

/** Name, title and experience. Each single sign-on sets the experience, and the name if the provider sends it. */
const Person = ({ user, form }: { user: AdminUser; form: Form<Values> }) => {
  const choosable: readonly ApplicationExperience[] = EXPERIENCES_BY_SIGN_IN.PASSWORD;
  const current = user.applicationExperience;
  const experiences = user.isSSO ? [current] : [...new Set([...choosable, current])];
  return (
    <>
      <div>
        <UserStatusBadge status={user.status} /> {user.username}
        {user.organization && ` · ${user.organization.name}`}
      </div>
      {user.isSSO && (
        <Note>
          Each sign-in updates the first and last name if your identity provider sends them, and sets the experience of
          the connection. Change names in your identity provider to keep them.
        </Note>
      )}
      <div className={classes.pair}>
        <TextInput label="First name" maxLength={USER_TEXTS.firstName.max} {...textOf(form, 'firstName')} />
        <TextInput label="Last name" maxLength={USER_TEXTS.lastName.max} {...textOf(form, 'lastName')} />
      </div>
      <TextInput
        label="Title"
        description="Optional. Example: RN or Care coordinator"
        maxLength={USER_TITLE_MAX}
        {...textOf(form, 'title')}
      />
      <NativeSelect
        label="Experience"
        disabled={user.isSSO}
        {...textOf(form, 'applicationExperience')}
        data={choices(EXPERIENCE_LABELS, experiences)}
      />
    </>
  );
};

/** What the user asked for themselves, in words. */
const WaitingAccess = ({ user, directory }: { user: AdminUser; directory: Directory }) => {
  const places = new Set(user.waitingGrants.map(({ teamId, groupId }) => `${teamId} ${groupId}`));
  const others = user.grants.filter(({ teamId, groupId }) => !places.has(`${teamId} ${groupId}`));
  return (
    <Note>
      Waiting for another administrator to confirm:
      <AccessPreview
        changes={accessChanges(user.grants, [...others, ...user.waitingGrants], directory.roles)}
        directory={directory}
      />
    </Note>
  );
};

/** What follows from groups of the identity provider, which cannot be changed here. */
const ProvisionedAccess = ({ grants, directory }: { grants: Grant[]; directory: Directory }) => (
  <section aria-label="Access through your identity provider">
    <h3 className={classes.subhead}>Access through your identity provider</h3>
    <Note>It follows from groups there. Change who is in them, or what they give, under Single sign-on.</Note>
    <ul className={classes.names}>
      {[...Map.groupBy(grants, ({ teamId, roleId }) => `${teamId} ${roleId}`)].map(([key, of]) => (
        <li key={key}>
          {roleName(nameOf(directory.roles, of[0]?.roleId ?? ''))}: {directory.placesName(of)}
        </li>
      ))}
    </ul>
  </section>
);

const Edit = (props: EditProps) => {
  const { user, directory } = props;
  const form = useUserForm(props);
  const { grants, selected } = form.values;
  const provisioned = user.grants.filter(({ isProvisioned }) => isProvisioned);
  const changes = accessChanges(user.grants, [...provisioned, ...allGrants(form.values)], directory.roles);
  return (
    <EditDrawer
      title={`${user.firstName} ${user.lastName}`}
      form={form}
      submit="Save"
      wide
      summary={changes.length > 0 && <AccessPreview changes={changes} directory={directory} />}
      close={props.close}
    >
      <Person user={user} form={form} />
      {user.isSelf && (
        <Note>
          Access that you add for yourself starts once another administrator confirms it. You can't remove your own
          right to manage users.
        </Note>
      )}
      {user.waitingGrants.length > 0 && <WaitingAccess user={user} directory={directory} />}
      {provisioned.length > 0 && <ProvisionedAccess grants={provisioned} directory={directory} />}
      <GrantsEditor grants={grants} selected={selected} directory={directory} owner={user} change={form.change} />
      <UserActions user={user} done={props.saved} />
      <UserSessions id={user.id} />
      <Text size="sm">
        <Anchor component="button" type="button" inherit underline="always" onClick={props.showChanges}>
          View audit log for this account
        </Anchor>
      </Text>
    </EditDrawer>
  );
};

/** The form of a user beside the list: name, access, and actions on the account. */
export const UserDrawer = ({ id, ...handlers }: UserHandlers & { id: string }) => {
  const query = useQuery(userQuery(id));
  const directory = useDirectory();
  // The cache may hold an old version of the user, so the form waits for a fresh one.
  if (query.data && query.isFetchedAfterMount && directory.data)
    return (
      <Edit
        key={query.data.version}
        user={query.data}
        directory={directory.data}
        takeTheirs={() => readAgain(query)}
        {...handlers}
      />
    );
  return (
    <WaitingDrawer
      title="User"
      needs={[
        [query, 'user'],
        [directory, 'teams, groups and roles'],
      ]}
      close={handlers.close}
    />
  );
};
