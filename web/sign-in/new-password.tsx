import { Text } from '@mantine/core';
import { PASSWORD_MIN_LENGTH } from '#contract/constants.ts';
import { SecretInput } from '../forms/secret-input.tsx';

/** A single field for a new password. Its rules are visible before anything is typed (WCAG 3.3.2, 3.3.8). */
export const NewPassword = ({
  value,
  error,
  change,
}: {
  value: string;
  error: string | undefined;
  change: (password: string) => void;
}) => (
  <>
    <SecretInput
      label="New password"
      name="newPassword"
      autoComplete="new-password"
      description={`At least ${PASSWORD_MIN_LENGTH} characters. Don't use your username, a common password or one of your last five passwords.`}
      value={value}
      error={error}
      onChange={({ currentTarget }) => change(currentTarget.value)}
    />
    <Text size="xs" c="dimmed" aria-live="polite">
      {value.length >= PASSWORD_MIN_LENGTH ? `${value.length} characters: long enough.` : ' '}
    </Text>
  </>
);
