import { Alert, Anchor, NativeSelect, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { AdminUser, Grant } from '#contract/admin.ts';
import type { ApplicationExperience } from '#contract/experiences.ts';
import { call } from '../api/call.ts';
import { EditDrawer } from '../forms/edit-drawer.tsx';
import { useForm } from '../forms/use-form.ts';
import { readAgain, WaitingDrawer } from '../forms/waiting-drawer.tsx';
import { IconInfoCircle } from '../ui/icons.ts';
import classes from './admin.module.css';
import { userQuery } from './admin-queries.ts';
import { ChangePreview } from './change-preview.tsx';
import { changesOf } from './grant-changes.ts';
import { GrantsEditor } from './grants-editor.tsx';
import { choices, EXPERIENCE_LABELS } from './labels.ts';
import { type Directory, useDirectory } from './use-directory.ts';
import { UserActions } from './user-actions.tsx';
import { UserStatusBadge } from './user-status.tsx';

interface Values {
  firstName: string;
  lastName: string;
  title: string;
  applicationExperience: ApplicationExperience;
  grants: Grant[];
}
const PLAIN: ApplicationExperience[] = ['JANUS', 'ANAHIT'];

const Edit = ({
  user,
  directory,
  saved,
  outdated,
  takeTheirs,
  showChanges,
  close,
}: {
  user: AdminUser;
  directory: Directory;
  saved: (message: string) => void;
  outdated: () => void;
  takeTheirs: () => Promise<void>;
  showChanges: () => void;
  close: () => void;
}) => {
  const name = `${user.firstName} ${user.lastName}`;
  const initial: Values = {
    firstName: user.firstName,
    lastName: user.lastName,
    title: user.title ?? '',
    applicationExperience: user.applicationExperience,
    grants: user.grants,
  };
  const form = useForm({
    initial,
    check: ({ firstName, lastName }) => ({
      firstName: firstName.trim() ? undefined : 'Enter the first name.',
      lastName: lastName.trim() ? undefined : 'Enter the last name.',
    }),
    version: user.version,
    save: ({ title, ...values }, version) =>
      call('PUT /api/admin/users/:id', {
        params: { id: user.id },
        body: { ...values, title: title.trim() || null, version },
      }),
    saved: (answer) => saved(`The account of ${answer.firstName} ${answer.lastName} was saved.`),
    outdated,
    takeTheirs,
  });
  const { values, change, errorOf } = form;
  const changes = changesOf(user.grants, values.grants, directory.roles);
  const experiences = PLAIN.includes(user.applicationExperience) ? PLAIN : [user.applicationExperience];
  return (
    <EditDrawer
      title={name}
      form={form}
      submit="Save"
      wide
      summary={changes.length > 0 && <ChangePreview changes={changes} directory={directory} />}
      close={close}
    >
      <div>
        <UserStatusBadge status={user.status} /> {user.username}
        {user.organization && ` · ${user.organization.name}`}
      </div>
      {user.isSSO && (
        <Alert role="note" color="gray" icon={<IconInfoCircle size={18} aria-hidden />}>
          Name, title and experience come from the organisation’s sign-in, which renews them each time. Change them
          there.
        </Alert>
      )}
      <div className={classes.pair}>
        <TextInput
          label="First name"
          maxLength={100}
          readOnly={user.isSSO}
          variant={user.isSSO ? 'filled' : 'default'}
          value={values.firstName}
          error={errorOf('firstName')}
          onChange={({ currentTarget }) => change({ firstName: currentTarget.value })}
        />
        <TextInput
          label="Last name"
          maxLength={100}
          readOnly={user.isSSO}
          variant={user.isSSO ? 'filled' : 'default'}
          value={values.lastName}
          error={errorOf('lastName')}
          onChange={({ currentTarget }) => change({ lastName: currentTarget.value })}
        />
      </div>
      <TextInput
        label="Title"
        description="Optional, for example RN or Care coordinator"
        maxLength={100}
        readOnly={user.isSSO}
        variant={user.isSSO ? 'filled' : 'default'}
        value={values.title}
        error={errorOf('title')}
        onChange={({ currentTarget }) => change({ title: currentTarget.value })}
      />
      <NativeSelect
        label="Experience"
        disabled={user.isSSO}
        value={values.applicationExperience}
        error={errorOf('applicationExperience')}
        onChange={({ currentTarget }) =>
          change({ applicationExperience: currentTarget.value as ApplicationExperience })
        }
        data={choices(EXPERIENCE_LABELS, experiences)}
      />
      {user.isSelf && (
        <Alert role="note" color="gray" icon={<IconInfoCircle size={18} aria-hidden />}>
          You cannot change your own access, so that nobody locks himself or herself out. Ask another administrator.
        </Alert>
      )}
      <GrantsEditor
        grants={values.grants}
        directory={directory}
        owner={user}
        readOnly={user.isSelf}
        change={(grants) => change({ grants })}
      />
      <UserActions user={user} done={saved} />
      <Text size="sm">
        <Anchor component="button" type="button" inherit underline="always" onClick={showChanges}>
          What was changed in this account, and by whom
        </Anchor>
      </Text>
    </EditDrawer>
  );
};

/** One user beside the list: who it is, what he or she may do, and the account as a whole. */
export const UserDrawer = ({
  id,
  saved,
  outdated,
  showChanges,
  close,
}: {
  id: string;
  saved: (message: string) => void;
  /** Somebody else has changed the user. */
  outdated: () => void;
  /** Leads to what was done to the account. */
  showChanges: () => void;
  close: () => void;
}) => {
  const query = useQuery(userQuery(id));
  const directory = useDirectory();
  // The first answer may be an old one; later ones are asked for from inside the form, which shows that it waits.
  const fetched = query.isFetchedAfterMount;
  if (query.data && fetched && directory.data)
    return (
      <Edit
        key={query.data.version}
        user={query.data}
        directory={directory.data}
        saved={saved}
        outdated={outdated}
        takeTheirs={() => readAgain(query)}
        showChanges={showChanges}
        close={close}
      />
    );
  return (
    <WaitingDrawer
      title="User"
      needs={[
        [query, 'user'],
        [directory, 'teams, groups and roles'],
      ]}
      close={close}
    />
  );
};
