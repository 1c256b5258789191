import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import type { AdminUser } from '#contract/admin.ts';
import { call } from '../../api/call.ts';
import { Confirm } from '../../forms/confirm.tsx';
import { formatDateTime } from '../../ui/format/date.ts';
import classes from '../admin.module.css';

interface Action {
  word: string;
  title: string;
  about: string;
  run: () => Promise<unknown>;
  said: string;
}

const nameOf = ({ firstName, lastName }: AdminUser): string => `${firstName} ${lastName}`;

/** What an administrator may do to this account now. */
const actionsOf = (user: AdminUser): Action[] => {
  const params = { id: user.id };
  const name = nameOf(user);
  if (user.isSelf) return [];
  const resend: Action = {
    word: 'Send the invitation again',
    title: `Send the invitation to ${name} again?`,
    about: `A new link goes to ${user.username}; the former one no longer works.`,
    run: () => call('POST /api/admin/users/:id/resend-activation', { params }),
    said: `The invitation was sent to ${user.username} again.`,
  };
  const end: Action = {
    word: 'End all sessions',
    title: `End all sessions of ${name}?`,
    about: `${name} is signed out everywhere at once, and can sign in again.`,
    run: () => call('POST /api/admin/users/:id/end-sessions', { params }),
    said: `All sessions of ${name} were ended.`,
  };
  const reset: Action = {
    word: 'Reset the second factor',
    title: `Reset the second factor of ${name}?`,
    about:
      'The second factor, its recovery codes and all passkeys are removed; the password alone signs in until a new one is set up. Make sure that it was really this person who asked.',
    run: () => call('POST /api/admin/users/:id/reset-mfa', { params }),
    said: `The second factor and the passkeys of ${name} were removed.`,
  };
  const disable: Action = {
    word: 'Disable the account',
    title: `Disable the account of ${name}?`,
    about: `${name} is signed out everywhere at once and cannot sign in any more. What ${name} has done stays on record. You can enable the account again.`,
    run: () => call('POST /api/admin/users/:id/disable', { params }),
    said: `The account of ${name} was disabled.`,
  };
  const enable: Action = {
    word: 'Enable the account',
    title: `Enable the account of ${name}?`,
    about: `${name} can sign in again, with the access that stands here.`,
    run: () => call('POST /api/admin/users/:id/enable', { params }),
    said: `The account of ${name} was enabled.`,
  };
  if (user.status === 'DISABLED') return [enable];
  if (user.status === 'INVITED') return [...(user.isSSO ? [] : [resend]), disable];
  return [end, ...(user.isSSO ? [] : [reset]), disable];
};

/** Acts on a whole account, each after a question in words. */
export const UserActions = ({ user, done }: { user: AdminUser; done: (message: string) => void }) => {
  const [asked, ask] = useState<Action | null>(null);
  const actions = actionsOf(user);
  return (
    <section aria-label="Account">
      <h3 className={classes.subhead}>Account</h3>
      <p>
        {user.lastSignInDate ? `Last signed in ${formatDateTime(user.lastSignInDate)}.` : 'Has not signed in yet.'}{' '}
        {user.status === 'INVITED' &&
          user.lastActivationEmailDate &&
          `Invited by e-mail ${formatDateTime(user.lastActivationEmailDate)}. `}
        {user.isSSO ? 'Signs in through the organisation.' : `Second factor: ${user.mfaOptedIn ? 'on' : 'off'}.`}
      </p>
      {user.isSelf && <p>This is your own account. Another administrator can disable it or change its access.</p>}
      <Group gap="sm">
        {actions.map((action) => (
          <Button key={action.word} size="xs" variant="default" onClick={() => ask(action)}>
            {action.word}…
          </Button>
        ))}
      </Group>
      {asked && (
        <Confirm
          title={asked.title}
          word={asked.word}
          act={asked.run}
          done={() => {
            ask(null);
            done(asked.said);
          }}
          close={() => ask(null)}
        >
          {asked.about}
        </Confirm>
      )}
    </section>
  );
};
