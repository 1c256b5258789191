import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ERRORS, type ErrorKey } from '#contract/errors.ts';
import type { RouteAnswer } from '#contract/routes.ts';
import { call } from '../api/call.ts';
import { ApiError, UNREACHABLE } from '../api/error.ts';
import { useNavigate } from '../router/hooks.ts';
import { keepDraftsOverRedirect, takeReturnPath } from '../session/drafts.ts';
import { homePath, type ReturnPage, returnPathFor, safeReturnPath } from '../session/paths.ts';
import { meQuery } from '../session/queries.ts';
import { postToTabs } from '../session/tabs.ts';
import { passkeyAddressProblem } from './passkey-address.ts';

/** The username comes first; the next step depends on it and on the server's answer. */
export type Step = 'username' | 'password' | 'redirect' | 'mfa' | 'change-password' | 'enroll';
type Next = RouteAnswer<'POST /api/authenticate'>['next'];

/** Returns the message for a refused sign-in. It never says which of username and password was wrong. */
export const refusal = (error: unknown): string => {
  if (error instanceof ApiError) return Object.values(error.fields)[0] ?? error.message;
  if (error instanceof Error && error.name === 'NotAllowedError')
    return "The passkey wasn't used. Try again, or sign in with your password.";
  if (error instanceof Error && error.name === 'SecurityError') return passkeyAddressProblem();
  return UNREACHABLE;
};

/** Returns the message for an error key in the address (`/login?error=SSO_ERROR`); null for anything else. */
export const catalogueMessage = (key: unknown): string | null =>
  typeof key === 'string' && Object.hasOwn(ERRORS, key) ? ERRORS[key as ErrorKey][1] : null;

/** Whether the user comes back from a single sign-on that failed. */
export const isSsoFailure = (key: unknown): boolean => key === 'SSO_ERROR' || key === 'SSO_UNREACHABLE';

/** Only a username with a dot and an at sign is looked up for single sign-on. */
export const maySignInElsewhere = (username: string): boolean => username.includes('.') && username.includes('@');

/**
 * Returns the URL that starts single sign-on. A URL of this site gets the page to return to, and the username, so that the identity
 * provider needn't ask for it again (WCAG 3.3.7); a URL of another site stays as it is.
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

/** The steps of signing in, which ends at the page to return to, or at the user's home path. */
export const useSignInSteps = (page: ReturnPage) => {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [step, setStep] = useState<Step>('username');
  const [kind, setKind] = useState<'enterprise' | 'identity-provider'>('enterprise');

  const enter = async (): Promise<void> => {
    const me = await client.fetchQuery({ ...meQuery, staleTime: 0 });
    if (!me) throw new Error('Signed in, but there is no current user.');
    postToTabs({ kind: 'signed-in', userId: me.user.id });
    const left = safeReturnPath(takeReturnPath());
    await navigate({ to: returnPathFor(page, me.user.id) ?? left ?? homePath(me.user), replace: true });
  };
  const proceed = (next: Next): Promise<void> | void => (next === 'home' ? enter() : setStep(next));

  const act = useMutation({ mutationFn: (run: () => Promise<void>) => run() });
  const run = (step: () => Promise<void>): void => act.mutate(step);
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
    submitUsername: (username: string): void =>
      run(async () => {
        const answer = maySignInElsewhere(username)
          ? await call('POST /api/users/redirectUrl', { body: { username } })
          : { redirectUrl: null };
        if (answer.redirectUrl === null) return setStep('password');
        setKind(answer.kind ?? 'enterprise');
        setStep('redirect');
        // One user's page is stored with their drafts, for only them to read. Who will sign in there isn't known yet.
        await keepDraftsOverRedirect(page.userId === undefined ? null : page.path);
        const returnTo = page.userId === undefined ? page.path : null;
        location.assign(redirectTarget(answer.redirectUrl, { username, returnTo }));
      }),
    submitPassword: (username: string, password: string): void =>
      run(async () => proceed((await call('POST /api/authenticate', { body: { username, password } })).next)),
    submitCode: (code: string): void =>
      run(async () => proceed((await call('POST /api/authenticate/mfa', { body: { code } })).next)),
    signInWithPasskey: (): void =>
      run(async () => {
        const { startAuthentication } = await import('@simplewebauthn/browser');
        const options = await call('POST /api/authenticate/passkey/options');
        // The server half of the same library made these options.
        const optionsJSON = options as unknown as Parameters<typeof startAuthentication>[0]['optionsJSON'];
        const response = await startAuthentication({ optionsJSON });
        await proceed((await call('POST /api/authenticate/passkey', { body: { response: { ...response } } })).next);
      }),
    changePassword: (currentPassword: string, newPassword: string): void =>
      run(async () => {
        await call('PUT /api/users/password', { body: { currentPassword, newPassword } });
        // Without a current user, a second factor is still missing.
        if (await client.fetchQuery({ ...meQuery, staleTime: 0 })) await enter();
        else setStep('enroll');
      }),
    /** After a second factor was set up in a session that was waiting for it. */
    enrolled: (): void => run(enter),
  };
};
export type SignInSteps = ReturnType<typeof useSignInSteps>;
