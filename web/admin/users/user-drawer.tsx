import { Anchor, NativeSelect, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { AdminUser, Grant } from '#contract/admin.ts';
import type { ApplicationExperience } from '#contract/experiences.ts';
import { call } from '../../api/call.ts';
import { EditDrawer } from '../../forms/edit-drawer.tsx';
import { textOf } from '../../forms/fields.ts';
import { type Form, useForm } from '../../forms/use-form.ts';
import { readAgain, WaitingDrawer } from '../../forms/waiting-drawer.tsx';
import classes from '../admin.module.css';
import { userQuery } from '../admin-queries.ts';
import { choices, EXPERIENCE_LABELS } from '../labels.ts';
import { Note } from '../note.tsx';
import { type Directory, useDirectory } from '../use-directory.ts';
import type { EntryActs } from '../use-edited-list.ts';
import { ChangePreview } from './change-preview.tsx';
import { changesOf } from './grant-changes.ts';
import { GrantsEditor } from './grants-editor.tsx';
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

/** What the drawer of a user tells the list beside it. */
interface UserActs extends Omit<EntryActs, 'takeTheirs'> {
  /** Leads to what was done to the account. */
  showChanges: () => void;
}

interface EditProps extends UserActs, EntryActs {
  user: AdminUser;
  directory: Directory;
}

const useUserForm = ({ user, saved, outdated, takeTheirs }: EditProps) =>
  useForm<Values, AdminUser>({
    initial: {
      firstName: user.firstName,
      lastName: user.lastName,
      title: user.title ?? '',
      applicationExperience: user.applicationExperience,
      grants: user.grants,
    },
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

/** Name, title and experience; whoever signs in elsewhere brings them along. */
const Person = ({ user, form }: { user: AdminUser; form: Form<Values> }) => {
  const fixed = { readOnly: user.isSSO, variant: user.isSSO ? 'filled' : 'default' };
  const experiences = PLAIN.includes(user.applicationExperience) ? PLAIN : [user.applicationExperience];
  return (
    <>
      <div>
        <UserStatusBadge status={user.status} /> {user.username}
        {user.organization && ` · ${user.organization.name}`}
      </div>
      {user.isSSO && (
        <Note>
          Name, title and experience come from the organisation’s sign-in, which renews them each time. Change them
          there.
        </Note>
      )}
      <div className={classes.pair}>
        <TextInput label="First name" maxLength={100} {...fixed} {...textOf(form, 'firstName')} />
        <TextInput label="Last name" maxLength={100} {...fixed} {...textOf(form, 'lastName')} />
      </div>
      <TextInput
        label="Title"
        description="Optional, for example RN or Care coordinator"
        maxLength={100}
        {...fixed}
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

const Edit = (props: EditProps) => {
  const { user, directory } = props;
  const form = useUserForm(props);
  const { grants } = form.values;
  const changes = changesOf(user.grants, grants, directory.roles);
  return (
    <EditDrawer
      title={`${user.firstName} ${user.lastName}`}
      form={form}
      submit="Save"
      wide
      summary={changes.length > 0 && <ChangePreview changes={changes} directory={directory} />}
      close={props.close}
    >
      <Person user={user} form={form} />
      {user.isSelf && (
        <Note>
          You cannot change your own access, so that nobody locks himself or herself out. Ask another administrator.
        </Note>
      )}
      <GrantsEditor
        grants={grants}
        directory={directory}
        owner={user}
        readOnly={user.isSelf}
        change={(next) => form.change({ grants: next })}
      />
      <UserActions user={user} done={props.saved} />
      <Text size="sm">
        <Anchor component="button" type="button" inherit underline="always" onClick={props.showChanges}>
          What was changed in this account, and by whom
        </Anchor>
      </Text>
    </EditDrawer>
  );
};

/** One user beside the list: who it is, what he or she may do, and the account as a whole. */
export const UserDrawer = ({ id, ...acts }: UserActs & { id: string }) => {
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
        takeTheirs={() => readAgain(query)}
        {...acts}
      />
    );
  return (
    <WaitingDrawer
      title="User"
      needs={[
        [query, 'user'],
        [directory, 'teams, groups and roles'],
      ]}
      close={acts.close}
    />
  );
};
