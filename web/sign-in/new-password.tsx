import { Text } from '@mantine/core';
import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from '#contract/constants.ts';
import { SecretInput } from '../forms/secret-input.tsx';

/** What is wrong with a new password before it is sent; null: nothing that the browser could know. */
export const passwordProblem = (password: string, username: string): string | null => {
  if (password.length < PASSWORD_MIN_LENGTH) return `A password has at least ${PASSWORD_MIN_LENGTH} characters.`;
  if (password.length > PASSWORD_MAX_LENGTH) return `A password has at most ${PASSWORD_MAX_LENGTH} characters.`;
  const name = username.split('@')[0]?.toLowerCase() ?? '';
  if (name.length > 2 && password.toLowerCase().includes(name)) return 'The password must not hold your username.';
  return null;
};

/** One field, whose rules stand there before anybody types (WCAG 3.3.2, 3.3.8). */
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
      description={`At least ${PASSWORD_MIN_LENGTH} characters; not your username, not a common password, none of your last five.`}
      value={value}
      error={error}
      onChange={({ currentTarget }) => change(currentTarget.value)}
    />
    <Text size="xs" c="dimmed" aria-live="polite">
      {value.length >= PASSWORD_MIN_LENGTH ? `${value.length} characters: long enough.` : ' '}
    </Text>
  </>
);
