import { Button, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { Me } from '#contract/accounts.ts';
import {
  PASSWORD_EXPIRES_AFTER_DAYS,
  PASSWORD_MAX_LENGTH,
  PASSWORD_MIN_LENGTH,
  PASSWORD_WARNING_DAYS,
} from '#contract/constants.ts';
import { ERRORS } from '#contract/errors.ts';
import type { Profile } from '#contract/users.ts';
import { call } from '../api/call.ts';
import { textOf } from '../forms/fields.ts';
import { SecretInput } from '../forms/secret-input.tsx';
import { type FieldErrors, useForm } from '../forms/use-form.ts';
import { profileQuery } from '../session/preferences.ts';
import { meQuery } from '../session/session.ts';
import { Failed } from '../ui/states.tsx';
import classes from './profile.module.css';
import { Section } from './section.tsx';

interface Values {
  currentPassword: string;
  newPassword: string;
  again: string;
}
const NONE: Values = { currentPassword: '', newPassword: '', again: '' };

const check = ({ currentPassword, newPassword, again }: Values): FieldErrors => ({
  ...(currentPassword ? {} : { currentPassword: 'Enter your current password.' }),
  ...(newPassword.length < PASSWORD_MIN_LENGTH
    ? { newPassword: `A password has at least ${PASSWORD_MIN_LENGTH} characters.` }
    : newPassword.length > PASSWORD_MAX_LENGTH
      ? { newPassword: `A password has at most ${PASSWORD_MAX_LENGTH} characters.` }
      : {}),
  ...(again === newPassword ? {} : { again: 'The two are not alike. Type the new password again.' }),
});

const KEYS = {
  WRONG_PASSWORD: ['currentPassword', 'This is not your current password.'] as [string, string],
  PASSWORD_TOO_COMMON: 'newPassword',
  PASSWORD_HOLDS_USERNAME: 'newPassword',
  PASSWORD_USED_BEFORE: 'newPassword',
};

const Change = ({ username, saved }: { username: string; saved: (message: string) => void }) => {
  const client = useQueryClient();
  const form = useForm({
    initial: NONE,
    check,
    save: ({ currentPassword, newPassword }) =>
      call('PUT /api/users/password', { body: { currentPassword, newPassword } }),
    keys: KEYS,
    saved: () => {
      form.reset(NONE);
      const days = PASSWORD_EXPIRES_AFTER_DAYS;
      client.setQueryData<Me | null>(meQuery.queryKey, (me) => me && { ...me, daysUntilPasswordExpiration: days });
      client.setQueryData<Profile>(
        profileQuery.queryKey,
        (was) => was && { ...was, daysUntilPasswordExpiration: days },
      );
      saved(`Your password was changed. It is good for ${days} days.`);
    },
  });
  return (
    <form onSubmit={form.submit} noValidate className={classes.form}>
      <ul className={classes.rules}>
        <li>
          At least {PASSWORD_MIN_LENGTH} characters, at most {PASSWORD_MAX_LENGTH}. Several words are easier to
          remember.
        </li>
        <li>Not a common password, and without your username in it.</li>
        <li>None of your last 5 passwords.</li>
      </ul>
      <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
      <SecretInput label="Current password" autoComplete="current-password" {...textOf(form, 'currentPassword')} />
      <SecretInput label="New password" autoComplete="new-password" {...textOf(form, 'newPassword')} />
      <SecretInput label="New password again" autoComplete="new-password" {...textOf(form, 'again')} />
      {form.failure && <Failed what="Your password was not changed." error={form.failure} />}
      <Button type="submit" variant="default" loading={form.saving} style={{ alignSelf: 'flex-start' }}>
        Change the password
      </Button>
    </form>
  );
};

/** The password, with its rules before anything is typed; or why it is not changed here. */
export const PasswordSection = ({
  profile,
  username,
  saved,
}: {
  profile: Profile;
  username: string;
  saved: (message: string) => void;
}) => {
  const days = profile.daysUntilPasswordExpiration;
  return (
    <Section id="password" title="Password">
      {profile.hasPassword ? (
        <>
          {days !== null && (
            <Text mb="sm" fw={days <= PASSWORD_WARNING_DAYS ? 600 : undefined}>
              Your password expires {days <= 0 ? 'today' : `in ${days} ${days === 1 ? 'day' : 'days'}`}.
            </Text>
          )}
          <Change username={username} saved={saved} />
        </>
      ) : profile.isManagedElsewhere ? (
        <Text>{ERRORS.MANAGED_ELSEWHERE[1]} Change it there.</Text>
      ) : (
        <Text>You have no password yet. Sign out and choose “Forgot password?” to set one by e-mail.</Text>
      )}
    </Section>
  );
};
