import { Anchor, Button, Group, Text, TextInput } from '@mantine/core';
import { type ReactNode, type SubmitEvent, useEffect, useRef, useState } from 'react';
import { SecretInput } from '../forms/secret-input.tsx';
import { Link } from '../router/link.tsx';
import { IconArrowLeft, IconFingerprint } from '../ui/icons.ts';
import { NewPassword } from './new-password.tsx';
import { passwordProblem } from './password-rules.ts';
import classes from './sign-in-page.module.css';
import type { SignInSteps } from './sign-in-steps.ts';
import { keepUsername } from './typed-username.ts';
import { UsernameInput } from './username-input.tsx';

/** A form that focuses its first field, or the choice already made in it, when it appears, and after a failed `submit` the field with the error. */
export const Form = ({ submit, children }: { submit: () => boolean | void; children: ReactNode }) => {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const [first] = form.current?.querySelectorAll<HTMLInputElement>('input:not([readonly])') ?? [];
    (form.current?.querySelector<HTMLInputElement>('input[type="radio"]:checked') ?? first)?.focus();
  }, []);
  const onSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (submit() === false)
      requestAnimationFrame(() => form.current?.querySelector<HTMLInputElement>('[aria-invalid="true"]')?.focus());
  };
  return (
    <form ref={form} onSubmit={onSubmit} noValidate className={classes.form}>
      {children}
    </form>
  );
};

export const Back = ({ steps }: { steps: SignInSteps }) => (
  <Button
    variant="subtle"
    size="compact-sm"
    leftSection={<IconArrowLeft size={16} aria-hidden />}
    className={classes.back}
    onClick={steps.back}
  >
    Return to sign-in
  </Button>
);

/**
 * The first step: a username or a passkey. `offersPassword`: single sign-on has just failed, so the password is offered instead. It is offered for
 * every username alike, so that the page does not say who has one.
 */
export const UsernameForm = ({
  steps,
  username,
  change,
  offersPassword,
}: {
  steps: SignInSteps;
  username: string;
  change: (username: string) => void;
  offersPassword: boolean;
}) => {
  const [missing, setMissing] = useState(false);
  /** Returns the username; an empty one is marked as missing. */
  const typed = (): string => {
    const name = username.trim().toLowerCase();
    setMissing(!name);
    return name;
  };
  return (
    <>
      <Form
        submit={() => {
          const name = typed();
          if (!name) return false;
          steps.submitUsername(name);
        }}
      >
        <UsernameInput value={username} missing={missing} change={change} />
        <Button type="submit" loading={steps.pending} mt="xs">
          Continue
        </Button>
      </Form>
      {'PublicKeyCredential' in window && (
        <Button
          variant="default"
          leftSection={<IconFingerprint size={18} stroke={1.75} aria-hidden />}
          disabled={steps.pending}
          onClick={steps.signInWithPasskey}
        >
          Sign in with a passkey
        </Button>
      )}
      {offersPassword && (
        <>
          <Text size="sm">
            If you manage users for your organization and still have a password here, enter your username, then use your
            password.
          </Text>
          <Button variant="default" disabled={steps.pending} onClick={() => typed() && steps.toPassword()}>
            Sign in with a password
          </Button>
        </>
      )}
      <Text size="sm">
        <Anchor component={Link} data-target to="/registration" inherit underline="always">
          Request access
        </Anchor>
      </Text>
    </>
  );
};

/** The password step. It includes the username, because password managers look for it. */
export const PasswordForm = ({
  steps,
  username,
  password,
  change,
}: {
  steps: SignInSteps;
  username: string;
  password: string;
  change: (password: string) => void;
}) => {
  const [missing, setMissing] = useState(false);
  return (
    <Form
      submit={() => {
        setMissing(!password);
        if (!password) return false;
        steps.submitPassword(username.trim().toLowerCase(), password);
      }}
    >
      <TextInput label="Username" name="username" autoComplete="username" value={username} readOnly />
      <SecretInput
        label="Password"
        name="password"
        autoComplete="current-password"
        value={password}
        error={missing && 'Enter your password.'}
        onChange={({ currentTarget }) => change(currentTarget.value)}
      />
      <Button type="submit" loading={steps.pending} mt="xs">
        Sign in
      </Button>
      <Group justify="space-between">
        <Back steps={steps} />
        <Anchor
          component={Link}
          data-target
          to="/forgot-password"
          onClick={() => keepUsername(username)}
          underline="always"
        >
          Forgot password?
        </Anchor>
      </Group>
    </Form>
  );
};

/** Says where sign-in continues, before the browser goes there. */
export const RedirectNotice = ({ steps, username }: { steps: SignInSteps; username: string }) => (
  <>
    <Text role="status">
      {steps.kind === 'enterprise'
        ? `You'll continue on your organization's sign-in page (${username.split('@')[1]}).`
        : `You will continue at the sign-in page of ${username.split('@')[1]}.`}
    </Text>
    <Back steps={steps} />
  </>
);

/** Two-step verification: one field for a code from the app, or for a recovery code. */
export const CodeForm = ({ steps }: { steps: SignInSteps }) => {
  const [code, setCode] = useState('');
  const [isRecovery, setIsRecovery] = useState(false);
  const [missing, setMissing] = useState(false);
  return (
    <Form
      key={String(isRecovery)}
      submit={() => {
        const typed = code.replace(/\s/g, '');
        setMissing(typed.length < 6);
        if (typed.length < 6) return false;
        steps.submitCode(typed);
      }}
    >
      <TextInput
        label={isRecovery ? 'Recovery code' : 'Verification code'}
        description={
          isRecovery
            ? 'Enter a recovery code you saved. Each code works once.'
            : 'Enter the 6-digit code from your authenticator app.'
        }
        name="code"
        inputMode={isRecovery ? 'text' : 'numeric'}
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
        value={code}
        error={missing && (isRecovery ? 'Enter a recovery code.' : 'Enter the 6-digit code.')}
        onChange={({ currentTarget }) => setCode(currentTarget.value)}
      />
      <Button type="submit" loading={steps.pending} mt="xs">
        Sign in
      </Button>
      <Group justify="space-between">
        <Back steps={steps} />
        <Button
          variant="subtle"
          size="compact-sm"
          className={classes.other}
          onClick={() => {
            setCode('');
            setMissing(false);
            setIsRecovery(!isRecovery);
          }}
        >
          {isRecovery ? 'Use authenticator app' : 'Use a recovery code'}
        </Button>
      </Group>
    </Form>
  );
};

/** After 90 days: a new password. The current one has just been typed and isn't asked for again (WCAG 3.3.7). */
export const ChangePasswordForm = ({
  steps,
  username,
  password,
}: {
  steps: SignInSteps;
  username: string;
  password: string;
}) => {
  const [next, setNext] = useState('');
  const [error, setError] = useState<string>();
  return (
    <>
      <Text>Your password expired after 90 days. Choose a new one to continue.</Text>
      <Form
        submit={() => {
          const wrong = passwordProblem(next, username) ?? undefined;
          setError(wrong);
          if (wrong) return false;
          steps.changePassword(password, next);
        }}
      >
        <TextInput label="Username" name="username" autoComplete="username" value={username} readOnly />
        <NewPassword value={next} error={error} change={setNext} />
        <Button type="submit" loading={steps.pending}>
          Change password
        </Button>
        <Back steps={steps} />
      </Form>
    </>
  );
};
