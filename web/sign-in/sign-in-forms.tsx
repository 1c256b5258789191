import { Anchor, Button, Group, Text, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type ReactNode, type SubmitEvent, useEffect, useRef, useState } from 'react';
import { SecretInput } from '../forms/secret-input.tsx';
import { IconArrowLeft, IconFingerprint } from '../ui/icons.ts';
import { NewPassword, passwordProblem } from './new-password.tsx';
import classes from './sign-in-page.module.css';
import type { SignInSteps } from './sign-in-steps.ts';

/** A form that focuses its first field when it appears, and the field in error after a wrong submission. */
export const Form = ({ submit, children }: { submit: () => boolean | void; children: ReactNode }) => {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const [first] = form.current?.querySelectorAll<HTMLInputElement>('input:not([readonly])') ?? [];
    first?.focus();
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

/** First: who it is, or a passkey, which knows. */
export const UsernameForm = ({
  steps,
  username,
  change,
}: {
  steps: SignInSteps;
  username: string;
  change: (username: string) => void;
}) => {
  const [missing, setMissing] = useState(false);
  return (
    <>
      <Form
        submit={() => {
          const name = username.trim().toLowerCase();
          setMissing(!name);
          if (!name) return false;
          steps.giveUsername(name);
        }}
      >
        <TextInput
          label="Username"
          name="username"
          type="email"
          inputMode="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          value={username}
          error={missing && 'Enter your username.'}
          onChange={({ currentTarget }) => change(currentTarget.value)}
        />
        <Button type="submit" loading={steps.pending} mt="xs">
          Continue
        </Button>
      </Form>
      {'PublicKeyCredential' in window && (
        <Button
          variant="default"
          leftSection={<IconFingerprint size={18} stroke={1.75} aria-hidden />}
          disabled={steps.pending}
          onClick={steps.givePasskey}
        >
          Sign in with a passkey
        </Button>
      )}
      <Text size="sm">
        <Anchor component={Link} to="/registration" inherit underline="always">
          Ask for an account
        </Anchor>
      </Text>
    </>
  );
};

/** Then the password. The username stays in the form, where password managers look for it. */
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
        steps.givePassword(username.trim().toLowerCase(), password);
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
        <Anchor component={Link} to="/forgot-password" state={{ username }} underline="always">
          Forgot password?
        </Anchor>
      </Group>
    </Form>
  );
};

/** Somewhere else: said before the browser leaves. */
export const RedirectNotice = ({ steps, username }: { steps: SignInSteps; username: string }) => (
  <>
    <Text role="status">
      {steps.kind === 'enterprise'
        ? `You will continue at the sign-in page of your organisation (${username.split('@')[1]}).`
        : `You will continue at the identity provider of ${username.split('@')[1]}.`}
    </Text>
    <Back steps={steps} />
  </>
);

/** The second factor: one field for a code of either kind. */
export const CodeForm = ({ steps }: { steps: SignInSteps }) => {
  const [code, setCode] = useState('');
  const [recovers, setRecovers] = useState(false);
  const [missing, setMissing] = useState(false);
  return (
    <Form
      key={String(recovers)}
      submit={() => {
        const typed = code.replace(/\s/g, '');
        setMissing(typed.length < 6);
        if (typed.length < 6) return false;
        steps.giveCode(typed);
      }}
    >
      <TextInput
        label={recovers ? 'Recovery code' : 'Code'}
        description={
          recovers
            ? 'One of the codes that you kept when you set up the second factor. Each works once.'
            : 'The six digits that your authenticator app shows now.'
        }
        name="code"
        inputMode={recovers ? 'text' : 'numeric'}
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
        value={code}
        error={missing && (recovers ? 'Enter a recovery code.' : 'Enter the six digits.')}
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
            setRecovers(!recovers);
          }}
        >
          {recovers ? 'Use the authenticator app' : 'Use a recovery code'}
        </Button>
      </Group>
    </Form>
  );
};

/** After 90 days: a new password. What was typed a moment ago is not asked for again (WCAG 3.3.7). */
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
      <Text>Your password is older than 90 days. Choose a new one to go on.</Text>
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
          Change the password
        </Button>
        <Back steps={steps} />
      </Form>
    </>
  );
};
