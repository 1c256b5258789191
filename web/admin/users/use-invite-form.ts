import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { USER_TEXTS } from '#contract/admin-fields.ts';
import type { ApplicationExperience } from '#contract/experiences.ts';
import { call } from '../../api/call.ts';
import { ApiError } from '../../api/error.ts';
import { useForm } from '../../forms/use-form.ts';
import { missingTexts } from '../required-texts.ts';
import { EMAIL, type Invitation, readInvitations } from './invitations.ts';
import { type AccessValues, allGrants } from './use-new-access.ts';

/** One person in fields of their own, or with `many` a pasted list. */
interface Values extends AccessValues {
  many: boolean;
  username: string;
  firstName: string;
  lastName: string;
  title: string;
  list: string;
  applicationExperience: ApplicationExperience;
}
const EMPTY: Values = {
  many: false,
  username: '',
  firstName: '',
  lastName: '',
  title: '',
  list: '',
  applicationExperience: 'JANUS',
  grants: [],
  selected: [],
};
/** Who was invited, and why the server refused the others. */
interface Outcome {
  sent: string[];
  refused: { username: string; message: string }[];
}

const checkWith = (existing: ReadonlySet<string>) => (values: Values) => {
  if (values.many) {
    const lines = readInvitations(values.list, existing);
    const wrong = lines.filter(({ error }) => error).length;
    if (lines.length === 0) return { list: 'Paste at least one line.' };
    return { list: wrong ? `${wrong} of ${lines.length} lines can't be used. See below.` : undefined };
  }
  return {
    username: EMAIL.test(values.username.trim()) ? undefined : 'Enter an email address.',
    ...missingTexts(USER_TEXTS, values),
  };
};

const invite = (values: Values, invitation: Invitation) =>
  call('POST /api/users', {
    body: { ...invitation, applicationExperience: values.applicationExperience, grants: allGrants(values) },
  });

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

/** Invites one person after another. A refusal does not stop the others, and its reason is returned. */
const inviteAll = async (values: Values): Promise<Outcome> => {
  const outcome: Outcome = { sent: [], refused: [] };
  for (const { invitation } of readInvitations(values.list)) {
    if (!invitation) continue;
    try {
      await invite(values, invitation);
      outcome.sent.push(invitation.username);
    } catch (error) {
      if (error instanceof ApiError && error.status === 403) throw error;
      const message =
        error instanceof ApiError ? (Object.values(error.fields)[0] ?? error.message) : 'The server did not answer.';
      outcome.refused.push({ username: invitation.username, message });
    }
  }
  return outcome;
};

/** '1 person', '12 people' */
export const countPeople = (count: number): string => (count === 1 ? '1 person' : `${count} people`);

/** Returns the lines of the people who were refused, so that they can be corrected. */
const refusedLines = (list: string, refused: Outcome['refused']): string => {
  const left = new Set(refused.map(({ username }) => username));
  return readInvitations(list)
    .filter(({ invitation }) => left.has(invitation?.username ?? ''))
    .map(({ text }) => text)
    .join('\n');
};

/** In milliseconds, after the last key. */
const ASKED_AFTER = 300;
/** Usernames of one question (`BULK_MOST_USERS`). */
const AT_ONCE = 500;

const usernamesIn = (list: string): string[] =>
  readInvitations(list).flatMap(({ invitation }) => (invitation ? [invitation.username] : []));

/** Returns which people on the list have an account, once the server has said so. */
const useExisting = (list: string): ReadonlySet<string> => {
  const [asked, ask] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => ask(list), ASKED_AFTER);
    return () => clearTimeout(timer);
  }, [list]);
  const usernames = usernamesIn(asked);
  const { data } = useQuery({
    queryKey: ['existing-users', usernames],
    queryFn: async () => {
      const found: string[] = [];
      for (let at = 0; at < usernames.length; at += AT_ONCE)
        found.push(
          ...(await call('POST /api/admin/users/existing', { body: { usernames: usernames.slice(at, at + AT_ONCE) } })),
        );
      return found;
    },
    enabled: usernames.length > 0,
    placeholderData: (previous) => previous,
  });
  return useMemo(() => new Set(data), [data]);
};

export type InviteForm = ReturnType<typeof useInviteForm>;

/** The form of an invitation. `invited` is called after each save; `finished`: no one was refused. */
export const useInviteForm = (invited: (message: string, finished: boolean) => void) => {
  const [refused, setRefused] = useState<Outcome['refused']>([]);
  const [pasted, setPasted] = useState('');
  const existing = useExisting(pasted);
  const form = useForm<Values, Outcome>({
    initial: EMPTY,
    check: checkWith(existing),
    keys: { USERNAME_TAKEN: 'username' },
    save: (values) => (values.many ? inviteAll(values) : inviteOne(values)),
    saved: (outcome, values) => {
      setRefused(outcome.refused);
      const finished = outcome.refused.length === 0;
      if (!finished) form.change({ list: refusedLines(values.list, outcome.refused) });
      if (finished || outcome.sent.length > 0)
        invited(`${countPeople(outcome.sent.length)} invited by email.`, finished);
    },
  });
  const { many, list } = form.values;
  return {
    ...form,
    /** Who was refused when the list was last sent. */
    refused,
    /** How many people saving would invite. */
    count: many ? readInvitations(list, existing).filter(({ invitation }) => invitation).length : 1,
    /** Usernames on the list that have an account. */
    existing,
    typeList: (text: string): void => {
      form.change({ list: text });
      setPasted(text);
      setRefused([]);
    },
  };
};
