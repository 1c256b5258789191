import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ERRORS, type ErrorKey } from '#contract/errors.ts';
import { call } from '../api/call.ts';
import { ApiError } from '../api/error.ts';
import { carryDrafts } from '../session/drafts.ts';
import { homePath, meQuery } from '../session/session.ts';
import { tellTabs } from '../session/tabs.ts';
import { noPasskeyHere } from './passkey-address.ts';

/** Username first; what follows depends on it and on what the server asks for next. */
export type Step = 'username' | 'password' | 'redirect' | 'mfa' | 'change-password';
type Next = 'home' | 'mfa' | 'change-password';

/** What a refused sign-in says: the catalogue's words by key, never which of username and password was wrong. */
export const refusal = (error: unknown): string => {
  if (error instanceof ApiError) return Object.values(error.fields)[0] ?? error.message;
  if (error instanceof Error && error.name === 'NotAllowedError')
    return 'The passkey was not used. Try again, or sign in by password.';
  if (error instanceof Error && error.name === 'SecurityError') return noPasskeyHere();
  return 'Tidings could not be reached. Check your connection and try again.';
};

/** The words of an error key in the address (`/login?error=SSO_ERROR`); null for what is none. */
export const catalogueMessage = (key: unknown): string | null =>
  typeof key === 'string' && Object.hasOwn(ERRORS, key) ? ERRORS[key as ErrorKey][1] : null;

/** Only a name with a dot and an at sign may belong to single sign-on (specification, first file, section 5). */
export const maySignInElsewhere = (username: string): boolean => username.includes('.') && username.includes('@');

/**
 * Our own start of single sign-on with the page to come back to, and with what was typed, so that the other side need not ask for it
 * again (WCAG 3.3.7); another site's address stays as it is.
 */
export const redirectTarget = (
  redirectUrl: string,
  { username, returnTo }: { username: string; returnTo: string | null },
): string => {
  const url = new URL(redirectUrl, location.origin);
  if (url.origin !== location.origin) return url.href;
  url.searchParams.set('username', username);
  if (returnTo) url.searchParams.set('returnTo', returnTo);
  return url.href;
};

/** The steps of signing in; `returnTo` is where it leads, home where that is null. */
export const useSignInSteps = (returnTo: string | null) => {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [step, setStep] = useState<Step>('username');
  const [kind, setKind] = useState<'enterprise' | 'identity-provider'>('enterprise');

  const enter = async (): Promise<void> => {
    const me = await client.fetchQuery({ ...meQuery, staleTime: 0 });
    if (!me) throw new Error('Signed in, and yet nobody is.');
    tellTabs({ kind: 'signed-in', userId: me.user.id });
    await navigate({ to: returnTo ?? homePath(me.user), replace: true });
  };
  const goOn = (next: Next): Promise<void> | void => (next === 'home' ? enter() : setStep(next));

  const act = useMutation({ mutationFn: (run: () => Promise<void>) => run() });
  const run = (doing: () => Promise<void>): void => act.mutate(doing);
  return {
    step,
    kind,
    pending: act.isPending,
    problem: act.isError ? refusal(act.error) : null,
    fields: act.error instanceof ApiError ? act.error.fields : {},
    back: (): void => {
      act.reset();
      setStep('username');
    },
    toPassword: (): void => {
      act.reset();
      setStep('password');
    },
    giveUsername: (username: string): void =>
      run(async () => {
        const answer = maySignInElsewhere(username)
          ? await call('POST /api/users/redirectUrl', { body: { username } })
          : { redirectUrl: null };
        if (answer.redirectUrl === null) return setStep('password');
        setKind(answer.kind ?? 'enterprise');
        setStep('redirect');
        await carryDrafts();
        location.assign(redirectTarget(answer.redirectUrl, { username, returnTo }));
      }),
    givePassword: (username: string, password: string): void =>
      run(async () => goOn((await call('POST /api/authenticate', { body: { username, password } })).next)),
    giveCode: (code: string): void =>
      run(async () => goOn((await call('POST /api/authenticate/mfa', { body: { code } })).next)),
    givePasskey: (): void =>
      run(async () => {
        const { startAuthentication } = await import('@simplewebauthn/browser');
        const options = await call('POST /api/authenticate/passkey/options');
        // The library's own type of what the server's half of it made.
        const optionsJSON = options as unknown as Parameters<typeof startAuthentication>[0]['optionsJSON'];
        const response = await startAuthentication({ optionsJSON });
        await goOn((await call('POST /api/authenticate/passkey', { body: { response: { ...response } } })).next);
      }),
    changePassword: (currentPassword: string, newPassword: string): void =>
      run(async () => {
        await call('PUT /api/users/password', { body: { currentPassword, newPassword } });
        await enter();
      }),
  };
};
export type SignInSteps = ReturnType<typeof useSignInSteps>;
