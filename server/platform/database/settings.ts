/**
 * The settings that row-level security reads: who acts, and for what. A call sets them once, and every statement of the app role in it
 * runs under them. Without settings the app role sees no person and no secret (docs/decisions/0032).
 */
import { AsyncLocalStorage } from 'node:async_hooks';

export type Settings = Readonly<Record<string, string>>;

/**
 * Why rows are read that no signed-in user owns. 'sign-in': the steps before anyone is signed in, from finding an account to mailing it a
 * link. 'changes': following the change log. 'adoption': giving quarantined messages to the feed that claims their sender. 'mailbox': the
 * letters of a demo.
 */
export type Purpose = 'sign-in' | 'changes' | 'adoption' | 'mailbox';

const calls = new AsyncLocalStorage<Settings>();

/** The settings of the present call; none outside of calls. */
export const settingsOfCall = (): Settings | undefined => calls.getStore();

/** Runs `fn` for a signed-in user: its statements see the user's own account and what belongs to it. */
export const forUser = <T>(userId: string, fn: () => T): T => calls.run({ 'tidings.user_id': userId }, fn);

/** Runs `fn` for a purpose, instead of for a user. */
export const forPurpose = <T>(purpose: Purpose, fn: () => T): T => calls.run({ 'tidings.purpose': purpose }, fn);
