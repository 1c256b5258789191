/** The call that is being answered, for the entries that its handler writes and for the one that is written about it. */
import { AsyncLocalStorage } from 'node:async_hooks';

export interface AuditedCall {
  /** The caller's IP address. */
  readonly address: string;
  /** The route's key in the contract. */
  readonly route: string;
  /** Roster patients named in the path, and those that the handler names. */
  patientIds: readonly string[];
  /** What the call asks without sending it, such as the parameters of saved filters, by the id of what holds them. */
  asked: Readonly<Record<string, unknown>>;
  /** Whether the handler has written an entry about the call, with more detail than the call alone gives. */
  isWritten: boolean;
  /** Whose sign-in this is, where the handler knows it before it refuses. */
  userId: string | null;
  /** Why the handler refused a sign-in, where it redirects the browser instead of throwing. */
  refusal: string | null;
}

const calls = new AsyncLocalStorage<AuditedCall>();

/** Runs the handler of a call. */
export const asAuditedCall = <T>(call: AuditedCall, handler: () => T): T => calls.run(call, handler);

/** Returns the call that is being answered; undefined in a job or a script. */
export const currentCall = (): AuditedCall | undefined => calls.getStore();

/** Notes roster patients whom the call concerns, where neither its path nor its answer names them. */
export function notePatients(ids: readonly string[]): void {
  const call = currentCall();
  if (call !== undefined) call.patientIds = [...new Set([...call.patientIds, ...ids])];
}

/** Notes what a call asks that its parameters do not say, by the id of what holds it. */
export function noteQuestion(asked: Readonly<Record<string, unknown>>): void {
  const call = currentCall();
  if (call !== undefined) call.asked = asked;
}

/** Notes that the call only continues an earlier one, whose entry says enough. */
export function noteContinued(): void {
  const call = currentCall();
  if (call !== undefined) call.isWritten = true;
}

/** Notes whose sign-in this is, in case it is refused. */
export function noteRefusedUser(userId: string): void {
  const call = currentCall();
  if (call !== undefined) call.userId = userId;
}

/** Notes the code of a refusal that the caller gets as a redirect. */
export function noteRefusal(code: string): void {
  const call = currentCall();
  if (call !== undefined) call.refusal = code;
}
