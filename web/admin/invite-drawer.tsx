import { NativeSelect, Radio, Text, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Grant } from '#contract/admin.ts';
import type { ApplicationExperience } from '#contract/experiences.ts';
import { call } from '../api/call.ts';
import { ApiError } from '../api/error.ts';
import { EditDrawer } from '../forms/edit-drawer.tsx';
import { useForm } from '../forms/use-form.ts';
import classes from './admin.module.css';
import { ChangePreview } from './change-preview.tsx';
import { changesOf } from './grant-changes.ts';
import { GrantsEditor } from './grants-editor.tsx';
import { type Invitation, readInvitations } from './invitations.ts';
import { choices, EXPERIENCE_LABELS } from './labels.ts';
import type { Directory } from './use-directory.ts';

interface Values {
  many: boolean;
  username: string;
  firstName: string;
  lastName: string;
  title: string;
  list: string;
  applicationExperience: ApplicationExperience;
  grants: Grant[];
}
const NONE: Values = {
  many: false,
  username: '',
  firstName: '',
  lastName: '',
  title: '',
  list: '',
  applicationExperience: 'JANUS',
  grants: [],
};
/** Of a list: who was invited, and what the server said of the others. */
interface Outcome {
  sent: string[];
  refused: { username: string; message: string }[];
}

const check = (values: Values) => {
  if (values.many) {
    const lines = readInvitations(values.list);
    const wrong = lines.filter(({ error }) => error).length;
    if (lines.length === 0) return { list: 'Paste at least one line.' };
    return { list: wrong ? `${wrong} of ${lines.length} lines cannot be used. They are named below.` : undefined };
  }
  return {
    username: /^\S+@\S+\.\S+$/.test(values.username.trim()) ? undefined : 'Enter an e-mail address.',
    firstName: values.firstName.trim() ? undefined : 'Enter the first name.',
    lastName: values.lastName.trim() ? undefined : 'Enter the last name.',
  };
};

const invite = ({ applicationExperience, grants }: Values, invitation: Invitation) =>
  call('POST /api/users', { body: { ...invitation, applicationExperience, grants } });

/** One after the other: a refused one holds up nobody, and what the server says of it is kept. */
const inviteAll = async (values: Values): Promise<Outcome> => {
  const outcome: Outcome = { sent: [], refused: [] };
  for (const { invitation } of readInvitations(values.list)) {
    if (!invitation) continue;
    try {
      await invite(values, invitation);
      outcome.sent.push(invitation.username);
    } catch (error) {
      if (error instanceof ApiError && error.status === 403) throw error;
      const message = error instanceof ApiError ? (Object.values(error.fields)[0] ?? error.message) : 'No answer came.';
      outcome.refused.push({ username: invitation.username, message });
    }
  }
  return outcome;
};

const people = (count: number): string => (count === 1 ? '1 person' : `${count} people`);

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

const Person = ({ form }: { form: ReturnType<typeof useForm<Values, Outcome>> }) => {
  const { values, change, errorOf } = form;
  return (
    <>
      <TextInput
        label="E-mail"
        description="It is the username, and the invitation goes there."
        type="email"
        autoCapitalize="none"
        maxLength={254}
        data-autofocus
        value={values.username}
        error={errorOf('username')}
        onChange={({ currentTarget }) => change({ username: currentTarget.value })}
      />
      <TextInput
        label="First name"
        maxLength={100}
        value={values.firstName}
        error={errorOf('firstName')}
        onChange={({ currentTarget }) => change({ firstName: currentTarget.value })}
      />
      <TextInput
        label="Last name"
        maxLength={100}
        value={values.lastName}
        error={errorOf('lastName')}
        onChange={({ currentTarget }) => change({ lastName: currentTarget.value })}
      />
      <TextInput
        label="Title"
        description="Optional, for example RN or Care coordinator"
        maxLength={100}
        value={values.title}
        error={errorOf('title')}
        onChange={({ currentTarget }) => change({ title: currentTarget.value })}
      />
    </>
  );
};

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
  const [refused, setRefused] = useState<Outcome['refused']>([]);
  const form = useForm<Values, Outcome>({
    initial: NONE,
    check,
    keys: { USERNAME_TAKEN: 'username' },
    save: async (values) => {
      if (values.many) return inviteAll(values);
      const username = values.username.trim().toLowerCase();
      await invite(values, {
        username,
        firstName: values.firstName.trim(),
        lastName: values.lastName.trim(),
        title: values.title.trim() || null,
      });
      return { sent: [username], refused: [] };
    },
    saved: (outcome, values) => {
      setRefused(outcome.refused);
      const message = `${people(outcome.sent.length)} invited by e-mail.`;
      if (outcome.refused.length > 0) {
        const left = new Set(outcome.refused.map(({ username }) => username));
        const lines = readInvitations(values.list).filter(({ invitation }) => left.has(invitation?.username ?? ''));
        form.change({ list: lines.map(({ text }) => text).join('\n') });
      }
      if (outcome.sent.length > 0 || outcome.refused.length === 0) invited(message, outcome.refused.length === 0);
    },
  });
  const { values, change, errorOf } = form;
  const changes = changesOf([], values.grants, directory.roles);
  const count = values.many ? readInvitations(values.list).filter(({ invitation }) => invitation).length : 1;
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
      {values.many ? (
        <>
          <Textarea
            label="List"
            description="One person a line: e-mail, first name, last name, title (optional). Separated by commas, semicolons or tabs, as a spreadsheet copies them."
            resize="vertical"
            rows={5}
            spellCheck={false}
            value={values.list}
            error={errorOf('list')}
            onChange={({ currentTarget }) => {
              change({ list: currentTarget.value });
              setRefused([]);
            }}
          />
          {refused.length > 0 ? (
            <div role="alert">
              <Text size="sm">
                {people(refused.length)} could not be invited;{' '}
                {refused.length === 1 ? 'the line stands' : 'the lines stand'} above.
              </Text>
              <ul className={classes.lineErrors}>
                {refused.map(({ username, message }) => (
                  <li key={username}>
                    {username}: {message}
                  </li>
                ))}
              </ul>
            </div>
          ) : (
            <LineErrors list={values.list} />
          )}
        </>
      ) : (
        <Person form={form} />
      )}
      <NativeSelect
        label="Experience"
        value={values.applicationExperience}
        error={errorOf('applicationExperience')}
        onChange={({ currentTarget }) =>
          change({ applicationExperience: currentTarget.value as ApplicationExperience })
        }
        data={choices(EXPERIENCE_LABELS, ['JANUS', 'ANAHIT'])}
      />
      <GrantsEditor grants={values.grants} directory={directory} change={(grants) => change({ grants })} />
    </EditDrawer>
  );
};
