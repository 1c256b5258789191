import { PasswordInput, type PasswordInputProps } from '@mantine/core';

const toggle = { 'aria-label': 'Show or hide text', tabIndex: 0, 'aria-hidden': false } as const;

/** A password field whose error screen readers announce, and whose show button can be reached by keyboard. */
export const SecretInput = (props: Omit<PasswordInputProps, 'visibilityToggleButtonProps'>) => (
  <PasswordInput {...props} aria-invalid={props.error ? true : undefined} visibilityToggleButtonProps={toggle} />
);
