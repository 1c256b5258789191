import { NativeSelect, Radio, Text, Textarea, TextInput } from '@mantine/core';
import { USER_TEXTS, USER_TITLE_MAX, USERNAME_MAX } from '#contract/admin-fields.ts';
import { counted } from '#contract/counted.ts';
import { EXPERIENCES_BY_SIGN_IN } from '#contract/experiences.ts';
import { EditDrawer } from '../../forms/edit-drawer.tsx';
import { textOf } from '../../forms/fields.ts';
import classes from '../admin.module.css';
import type { Directory } from '../directory/use-directory.ts';
import { choices, EXPERIENCE_LABELS } from '../labels.ts';
import { AccessPreview } from './access-preview.tsx';
import { accessChanges } from './grant-changes.ts';
import { GrantsEditor } from './grants-editor.tsx';
import { readInvitations } from './invitations.ts';
import { countPeople, type InviteForm, useInviteForm } from './use-invite-form.ts';
import { allGrants } from './use-new-access.ts';

interface Props {
  form: InviteForm;
}

const OneOrMany = ({ form: { values, change } }: Props) => (
  <Radio.Group
    label="Invite"
    value={values.many ? 'many' : 'one'}
    onChange={(value) => change({ many: value === 'many' })}
  >
    <div className={classes.radios}>
      <Radio value="one" label="One person" />
      <Radio value="many" label="Paste a list" />
    </div>
  </Radio.Group>
);

const Person = ({ form }: Props) => (
  <>
    <TextInput
      label="Email"
      description="Used as the username. The invitation is sent here."
      type="email"
      autoCapitalize="none"
      maxLength={USERNAME_MAX}
      data-autofocus
      {...textOf(form, 'username')}
    />
    <TextInput label="First name" maxLength={USER_TEXTS.firstName.max} {...textOf(form, 'firstName')} />
    <TextInput label="Last name" maxLength={USER_TEXTS.lastName.max} {...textOf(form, 'lastName')} />
    <TextInput
      label="Title"
      description="Optional. Example: RN or Care coordinator"
      maxLength={USER_TITLE_MAX}
      {...textOf(form, 'title')}
    />
  </>
);

/** The lines of the list that can't be used, by line number, as the list is typed. */
const LineErrors = ({ list, existing }: { list: string; existing: ReadonlySet<string> }) => {
  const lines = readInvitations(list, existing);
  const wrong = lines.filter(({ error }) => error);
  if (lines.length === 0) return null;
  return (
    <div aria-live="polite">
      <Text size="sm">
        {countPeople(lines.length - wrong.length)} can be invited
        {wrong.length > 0 && `, ${counted(wrong.length, 'line')} can't be used`}.
      </Text>
      {wrong.length > 0 && (
        <ul className={classes.lineErrors}>
          {wrong.slice(0, 20).map(({ line, text, error }) => (
            <li key={line}>
              Line {line}: {error} <span className={classes.dim}>{text}</span>
            </li>
          ))}
          {wrong.length > 20 && <li>and {wrong.length - 20} more</li>}
        </ul>
      )}
    </div>
  );
};

const Refused = ({ form: { refused } }: Props) => (
  <div role="alert">
    <Text size="sm">
      {countPeople(refused.length)} couldn't be invited. {refused.length === 1 ? 'Their line is' : 'Their lines are'}{' '}
      still in the list.
    </Text>
    <ul className={classes.lineErrors}>
      {refused.map(({ username, message }) => (
        <li key={username}>
          {username}: {message}
        </li>
      ))}
    </ul>
  </div>
);

const PastedList = ({ form }: Props) => (
  <>
    <Textarea
      label="List"
      description="One person per line: email, first name, last name, title (optional). Separate with commas, semicolons or tabs; you can paste from a spreadsheet."
      resize="vertical"
      rows={5}
      spellCheck={false}
      value={form.values.list}
      error={form.errorOf('list')}
      onChange={({ currentTarget }) => form.typeList(currentTarget.value)}
    />
    {form.refused.length > 0 ? (
      <Refused form={form} />
    ) : (
      <LineErrors list={form.values.list} existing={form.existing} />
    )}
  </>
);

/** Invites one person, or everyone on a pasted list with the same access. */
export const InviteDrawer = ({
  directory,
  invited,
  close,
}: {
  directory: Directory;
  /** Called after each save; `finished`: no one was refused. */
  invited: (message: string, finished: boolean) => void;
  close: () => void;
}) => {
  const form = useInviteForm(invited);
  const { values, count } = form;
  const changes = accessChanges([], allGrants(values), directory.roles);
  return (
    <EditDrawer
      title="Invite users"
      form={form}
      submit={count > 1 ? `Invite ${count} people` : 'Invite'}
      wide
      shownFields={['username', 'firstName', 'lastName', 'title', 'list', 'applicationExperience']}
      summary={changes.length > 0 && <AccessPreview changes={changes} directory={directory} />}
      close={close}
    >
      <OneOrMany form={form} />
      {values.many ? <PastedList form={form} /> : <Person form={form} />}
      <NativeSelect
        label="Experience"
        {...textOf(form, 'applicationExperience')}
        data={choices(EXPERIENCE_LABELS, EXPERIENCES_BY_SIGN_IN.PASSWORD)}
      />
      <GrantsEditor grants={values.grants} selected={values.selected} directory={directory} change={form.change} />
    </EditDrawer>
  );
};
