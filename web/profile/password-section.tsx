import { Button, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { Me } from '#contract/accounts.ts';
import { PASSWORD_EXPIRES_AFTER_DAYS, PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from '#contract/constants.ts';
import { ERRORS } from '#contract/errors.ts';
import type { Profile } from '#contract/users.ts';
import { call } from '../api/call.ts';
import { textOf } from '../forms/fields.ts';
import { SecretInput } from '../forms/secret-input.tsx';
import { type FieldErrors, useForm } from '../forms/use-form.ts';
import { expiresSoon, passwordExpiry } from '../session/password-expiry.ts';
import { profileQuery } from '../session/preferences.ts';
import { meQuery } from '../session/queries.ts';
import { passwordLengthProblem } from '../sign-in/password-rules.ts';
import { Failed } from '../ui/states.tsx';
import classes from './profile.module.css';
import { Section } from './section.tsx';

interface Values {
  currentPassword: string;
  newPassword: string;
  again: string;
}
const NONE: Values = { currentPassword: '', newPassword: '', again: '' };

const check = ({ currentPassword, newPassword, again }: Values): FieldErrors => {
  const problem = passwordLengthProblem(newPassword);
  return {
    ...(currentPassword ? {} : { currentPassword: 'Enter your current password.' }),
    ...(problem ? { newPassword: problem } : {}),
    ...(again === newPassword ? {} : { again: "The passwords don't match." }),
  };
};

const KEYS = {
  WRONG_PASSWORD: ['currentPassword', 'Incorrect password.'] as [string, string],
  PASSWORD_TOO_COMMON: 'newPassword',
  PASSWORD_HOLDS_USERNAME: 'newPassword',
  PASSWORD_USED_BEFORE: 'newPassword',
};

const ChangePassword = ({ username, saved }: { username: string; saved: (message: string) => void }) => {
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
      saved(`Your password was changed. It expires in ${days} days.`);
    },
  });
  return (
    <form onSubmit={form.submit} noValidate className={classes.form}>
      <ul className={classes.rules}>
        <li>
          At least {PASSWORD_MIN_LENGTH} characters, at most {PASSWORD_MAX_LENGTH}. Several words are easier to
          remember.
        </li>
        <li>Not a common password, and not containing your username.</li>
        <li>Not one of your last 5 passwords.</li>
      </ul>
      <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
      <SecretInput label="Current password" autoComplete="current-password" {...textOf(form, 'currentPassword')} />
      <SecretInput label="New password" autoComplete="new-password" {...textOf(form, 'newPassword')} />
      <SecretInput label="Confirm new password" autoComplete="new-password" {...textOf(form, 'again')} />
      {form.failure && <Failed what="Your password wasn't changed." error={form.failure} />}
      <Button type="submit" variant="default" loading={form.saving} style={{ alignSelf: 'flex-start' }}>
        Change password
      </Button>
    </form>
  );
};

/** Changes the password. Its rules are visible before anything is typed. Without a password to change, says why. */
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
            <Text mb="sm" fw={expiresSoon(days) ? 600 : undefined}>
              {passwordExpiry(days)}
            </Text>
          )}
          <ChangePassword username={username} saved={saved} />
        </>
      ) : profile.isManagedElsewhere ? (
        <Text>{ERRORS.MANAGED_ELSEWHERE[1]} Change it there.</Text>
      ) : (
        <Text>You don't have a password yet. Sign out, then choose “Forgot password?” to set one by email.</Text>
      )}
    </Section>
  );
};
