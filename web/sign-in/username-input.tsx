import { TextInput } from '@mantine/core';

/** The username field of sign-in and of the forgotten password. */
export const UsernameInput = ({
  value,
  missing,
  change,
}: {
  value: string;
  missing: boolean;
  change: (username: string) => void;
}) => (
  <TextInput
    label="Username"
    name="username"
    type="email"
    inputMode="email"
    autoComplete="username"
    autoCapitalize="none"
    spellCheck={false}
    value={value}
    error={missing && 'Enter your username.'}
    onChange={({ currentTarget }) => change(currentTarget.value)}
  />
);
