import { useState } from 'react';
import type { Grant } from '#contract/admin.ts';
import type { ApplicationExperience } from '#contract/experiences.ts';
import { call } from '../../api/call.ts';
import { ApiError } from '../../api/error.ts';
import { useForm } from '../../forms/use-form.ts';
import { type Invitation, readInvitations } from './invitations.ts';

/** One person by the single fields, or `many` by a pasted list. */
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

const inviteOne = async (values: Values): Promise<Outcome> => {
  const username = values.username.trim().toLowerCase();
  await invite(values, {
    username,
    firstName: values.firstName.trim(),
    lastName: values.lastName.trim(),
    title: values.title.trim() || null,
  });
  return { sent: [username], refused: [] };
};

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

/** '1 person', '12 people' */
export const people = (count: number): string => (count === 1 ? '1 person' : `${count} people`);

/** The lines of a list whose people were refused: they are left, to be mended. */
const linesLeft = (list: string, refused: Outcome['refused']): string => {
  const left = new Set(refused.map(({ username }) => username));
  return readInvitations(list)
    .filter(({ invitation }) => left.has(invitation?.username ?? ''))
    .map(({ text }) => text)
    .join('\n');
};

export type InviteForm = ReturnType<typeof useInviteForm>;

/** The form of an invitation. `invited` is told after each save; `finished` where nothing is left to mend. */
export const useInviteForm = (invited: (message: string, finished: boolean) => void) => {
  const [refused, setRefused] = useState<Outcome['refused']>([]);
  const form = useForm<Values, Outcome>({
    initial: NONE,
    check,
    keys: { USERNAME_TAKEN: 'username' },
    save: (values) => (values.many ? inviteAll(values) : inviteOne(values)),
    saved: (outcome, values) => {
      setRefused(outcome.refused);
      const finished = outcome.refused.length === 0;
      if (!finished) form.change({ list: linesLeft(values.list, outcome.refused) });
      if (finished || outcome.sent.length > 0) invited(`${people(outcome.sent.length)} invited by e-mail.`, finished);
    },
  });
  const { many, list } = form.values;
  return {
    ...form,
    /** Who was refused when the list was sent last. */
    refused,
    /** How many people saving invites. */
    count: many ? readInvitations(list).filter(({ invitation }) => invitation).length : 1,
    typeList: (text: string): void => {
      form.change({ list: text });
      setRefused([]);
    },
  };
};
