import { NativeSelect, Radio, Text, Textarea, TextInput } from '@mantine/core';
import { EditDrawer } from '../../forms/edit-drawer.tsx';
import { textOf } from '../../forms/fields.ts';
import classes from '../admin.module.css';
import { choices, EXPERIENCE_LABELS } from '../labels.ts';
import type { Directory } from '../use-directory.ts';
import { ChangePreview } from './change-preview.tsx';
import { changesOf } from './grant-changes.ts';
import { GrantsEditor } from './grants-editor.tsx';
import { readInvitations } from './invitations.ts';
import { type InviteForm, people, useInviteForm } from './use-invite-form.ts';

interface Props {
  form: InviteForm;
}

const Whom = ({ form: { values, change } }: Props) => (
  <Radio.Group
    label="Whom"
    value={values.many ? 'many' : 'one'}
    onChange={(value) => change({ many: value === 'many' })}
  >
    <div className={classes.radios}>
      <Radio value="one" label="One person" />
      <Radio value="many" label="Several, by a list" />
    </div>
  </Radio.Group>
);

const Person = ({ form }: Props) => (
  <>
    <TextInput
      label="E-mail"
      description="It is the username, and the invitation goes there."
      type="email"
      autoCapitalize="none"
      maxLength={254}
      data-autofocus
      {...textOf(form, 'username')}
    />
    <TextInput label="First name" maxLength={100} {...textOf(form, 'firstName')} />
    <TextInput label="Last name" maxLength={100} {...textOf(form, 'lastName')} />
    <TextInput
      label="Title"
      description="Optional, for example RN or Care coordinator"
      maxLength={100}
      {...textOf(form, 'title')}
    />
  </>
);

/** Lines of the list that cannot be used, by number, while it is typed. */
const LineErrors = ({ list }: { list: string }) => {
  const lines = readInvitations(list);
  const wrong = lines.filter(({ error }) => error);
  if (lines.length === 0) return null;
  return (
    <div aria-live="polite">
      <Text size="sm">
        {people(lines.length - wrong.length)} can be invited
        {wrong.length > 0 && `, ${wrong.length} ${wrong.length === 1 ? 'line' : 'lines'} cannot be used`}.
      </Text>
      {wrong.length > 0 && (
        <ul className={classes.lineErrors}>
          {wrong.slice(0, 20).map(({ line, text, error }) => (
            <li key={line}>
              Line {line}: {error} <span className={classes.dim}>{text}</span>
            </li>
          ))}
          {wrong.length > 20 && <li>And {wrong.length - 20} more.</li>}
        </ul>
      )}
    </div>
  );
};

const Refused = ({ form: { refused } }: Props) => (
  <div role="alert">
    <Text size="sm">
      {people(refused.length)} could not be invited; {refused.length === 1 ? 'the line stands' : 'the lines stand'}{' '}
      above.
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
      description="One person a line: e-mail, first name, last name, title (optional). Separated by commas, semicolons or tabs, as a spreadsheet copies them."
      resize="vertical"
      rows={5}
      spellCheck={false}
      value={form.values.list}
      error={form.errorOf('list')}
      onChange={({ currentTarget }) => form.typeList(currentTarget.value)}
    />
    {form.refused.length > 0 ? <Refused form={form} /> : <LineErrors list={form.values.list} />}
  </>
);

/** Invites one person, or many by a pasted list, all with the same access. */
export const InviteDrawer = ({
  directory,
  invited,
  close,
}: {
  directory: Directory;
  /** Told after each save; `finished` where nothing is left to mend. */
  invited: (message: string, finished: boolean) => void;
  close: () => void;
}) => {
  const form = useInviteForm(invited);
  const { values, count } = form;
  const changes = changesOf([], values.grants, directory.roles);
  return (
    <EditDrawer
      title="Invite"
      form={form}
      submit={count > 1 ? `Invite ${count} people` : 'Invite'}
      wide
      shownFields={['username', 'firstName', 'lastName', 'title', 'list', 'applicationExperience']}
      summary={changes.length > 0 && <ChangePreview changes={changes} directory={directory} />}
      close={close}
    >
      <Whom form={form} />
      {values.many ? <PastedList form={form} /> : <Person form={form} />}
      <NativeSelect
        label="Experience"
        {...textOf(form, 'applicationExperience')}
        data={choices(EXPERIENCE_LABELS, ['JANUS', 'ANAHIT'])}
      />
      <GrantsEditor grants={values.grants} directory={directory} change={(grants) => form.change({ grants })} />
    </EditDrawer>
  );
};
