import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import type { AdminUser } from '#contract/admin.ts';
import type { ErrorBody } from '#contract/errors.ts';
import { call } from '../../api/call.ts';
import { ApiError } from '../../api/error.ts';
import { Confirm } from '../../forms/confirm.tsx';
import { formatDateTime } from '../../ui/format/date.ts';
import classes from '../admin.module.css';
import { TakenStaysFields, useTakenStays } from './taken-stays.tsx';

interface Action {
  /** On the button, e.g. 'Disable account'. */
  label: string;
  title: string;
  about: string;
  run: () => Promise<unknown>;
  /** Asks who takes over what the user has taken. */
  passesOn?: true;
  /** What was done. */
  message: string;
}

const nameOf = ({ firstName, lastName }: AdminUser): string => `${firstName} ${lastName}`;

/** The actions that are possible on this account now. */
const actionsOf = (user: AdminUser): Action[] => {
  const params = { id: user.id };
  const name = nameOf(user);
  if (user.isSelf) return [];
  const resend: Action = {
    label: 'Resend invitation',
    title: `Resend the invitation to ${name}?`,
    about: `A new link is sent to ${user.username}. The earlier one stops working.`,
    run: () => call('POST /api/admin/users/:id/resend-activation', { params }),
    message: `The invitation was resent to ${user.username}.`,
  };
  const unlock: Action = {
    label: 'Send a link to unlock',
    title: `Send ${name} a link to unlock the account?`,
    about: `A link to set a new password is sent to ${user.username}. It works once and expires in 24 hours.`,
    run: () => call('POST /api/admin/users/:id/send-unlock', { params }),
    message: `A link to unlock the account was sent to ${user.username}.`,
  };
  const link: Action = {
    label: 'Send a link to reset the password',
    title: `Send ${name} a link to set a new password?`,
    about: `The link is sent to ${user.username}. The present password keeps working until a new one is set.`,
    run: () => call('POST /api/admin/users/:id/send-reset', { params }),
    message: `A link to set a new password was sent to ${user.username}.`,
  };
  const end: Action = {
    label: 'End all sessions',
    title: `End all sessions of ${name}?`,
    about: `${name} is signed out everywhere right away and can sign in again.`,
    run: () => call('POST /api/admin/users/:id/end-sessions', { params }),
    message: `All sessions of ${name} were ended.`,
  };
  const reset: Action = {
    label: 'Reset two-step verification',
    title: `Reset two-step verification for ${name}?`,
    about:
      'This removes the authenticator app, the recovery codes and all passkeys. Until this person sets up two-step verification again, the password alone is enough to sign in. Make sure the request really came from them.',
    run: () => call('POST /api/admin/users/:id/reset-mfa', { params }),
    message: `Two-step verification and passkeys of ${name} were removed.`,
  };
  const disable: Action = {
    label: 'Disable account',
    title: `Disable the account of ${name}?`,
    about: `${name} is signed out everywhere right away and can't sign in. Their history stays on record. You can enable the account again.`,
    run: () => call('POST /api/admin/users/:id/disable', { params }),
    passesOn: true,
    message: `The account of ${name} was disabled.`,
  };
  const enable: Action = {
    label: 'Enable account',
    title: `Enable the account of ${name}?`,
    about: `${name} can sign in again, with the access shown here.`,
    run: () => call('POST /api/admin/users/:id/enable', { params }),
    message: `The account of ${name} was enabled.`,
  };
  if (user.status === 'DISABLED') return [enable];
  if (user.status === 'CREATED') return [disable];
  if (user.status === 'INVITED') return [...(user.isSSO ? [] : [resend]), disable];
  const hasSecondFactor = user.mfaOptedIn || user.hasPasskey;
  return [
    ...(user.isSSO ? [] : [user.status === 'LOCKED' ? unlock : link]),
    end,
    ...(hasSecondFactor && !user.isSSO ? [reset] : []),
    disable,
  ];
};

interface ConfirmingProps {
  action: Action;
  done: () => void;
  close: () => void;
}

const ConfirmAction = ({ action: { title, label, run, about }, ...more }: ConfirmingProps) => (
  <Confirm title={title} word={label} act={run} {...more}>
    {about}
  </Confirm>
);

/** Disables the account and gives what its user has taken to whom the administrator chooses. */
const ConfirmDisabling = ({ user, action, ...more }: ConfirmingProps & { user: AdminUser }) => {
  const question = useTakenStays([user.id]);
  const disable = async (): Promise<void> => {
    if (question.query.data?.length === 0) return void (await action.run());
    const { refused } = await call('POST /api/admin/users/change', {
      body: { ids: [user.id], change: question.change },
    });
    if (refused[0]) throw new ApiError(409, refused[0] as Partial<ErrorBody>);
  };
  return (
    <Confirm title={action.title} word={action.label} act={disable} ready={question.isComplete} {...more}>
      {action.about}
      <TakenStaysFields question={question} />
    </Confirm>
  );
};

/** Buttons for actions on the whole account. Each asks before it acts. */
export const UserActions = ({ user, done }: { user: AdminUser; done: (message: string) => void }) => {
  const [confirming, confirm] = useState<Action | null>(null);
  const actions = actionsOf(user);
  const asking = (action: Action): ConfirmingProps => ({
    action,
    done: () => {
      confirm(null);
      done(action.message);
    },
    close: () => confirm(null),
  });
  return (
    <section aria-label="Account">
      <h3 className={classes.subhead}>Account</h3>
      <p>
        {user.lastSignInDate ? `Last signed in ${formatDateTime(user.lastSignInDate)}.` : "Hasn't signed in yet."}{' '}
        {user.status === 'INVITED' &&
          user.lastActivationEmailDate &&
          `Invited by email ${formatDateTime(user.lastActivationEmailDate)}. `}
        {user.status === 'CREATED' && 'Created by your identity provider. No invitation was sent. '}
        {user.isSSO ? 'Signs in with single sign-on.' : `Two-step verification: ${user.mfaOptedIn ? 'on' : 'off'}.`}
        {user.hasPasskey && ' Has a passkey.'}
      </p>
      {user.isSelf && <p>This is your own account. Another administrator can disable it.</p>}
      <Group gap="sm">
        {actions.map((action) => (
          <Button key={action.label} size="xs" variant="default" onClick={() => confirm(action)}>
            {action.label}…
          </Button>
        ))}
      </Group>
      {confirming &&
        (confirming.passesOn ? (
          <ConfirmDisabling user={user} {...asking(confirming)} />
        ) : (
          <ConfirmAction {...asking(confirming)} />
        ))}
    </section>
  );
};
