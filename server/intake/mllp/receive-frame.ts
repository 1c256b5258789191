/** From a frame to its acknowledgements. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { acknowledgementMode, buildAck } from '#server/intake/hl7/ack.ts';
import { splitMessages, TooManyMessagesError } from '#server/intake/hl7/batch.ts';
import { type MessageHeader, readMessageHeader } from '#server/intake/hl7/header.ts';
import type { MessageStore } from '#server/intake/messages/message-store.ts';
import type { StoredMessage } from '#server/intake/messages/received-message.ts';
import { describeMessage } from './describe-message.ts';

export interface Sender {
  /** Address and port, for the message log. */
  remote: string;
  /** Whose turn its messages take in the store. */
  address: string;
}

export interface ReceiveDeps {
  store: MessageStore;
  clock: () => Date;
  /** Called for each stored message. */
  onStored?: (message: StoredMessage) => void;
  /** Whether a frame of so many bytes may be stored; by its first header. By default, every one may. */
  mayStore?: (bytes: number, header: MessageHeader | null) => boolean;
}

/** Messages of a batch that are read in one turn of the event loop. */
const AT_ONCE = 100;
/** Milliseconds between looks whether the store takes more of a batch. */
const STORE_CHECK = 20;

/**
 * Hands every message of a frame to the store, in order, and returns once the store has them all. `answer`: the acknowledgements that the first one
 * requests, once all are stored; rejects if one wasn't. `isMessage`: whether the frame begins with a header that names a type.
 */
export async function receiveFrame(
  frame: Buffer,
  sender: Sender,
  deps: ReceiveDeps,
): Promise<{ answer: Promise<Buffer[]>; isMessage: boolean }> {
  const messages = messagesOf(frame);
  if (messages instanceof TooManyMessagesError) {
    const header = readMessageHeader(messages.first);
    const ack = buildAck(header, { code: 'AE', text: messages.message, ...stamp(deps) });
    return { answer: Promise.resolve([ack]), isMessage: true };
  }
  const first = messages[0] === undefined ? null : readMessageHeader(messages[0]);
  if (deps.mayStore?.(frame.length, first) === false)
    return { answer: Promise.resolve(refuse(first, deps)), isMessage: (first?.messageCode ?? '') !== '' };
  const receivedAt = deps.clock();
  const stored: Promise<StoredMessage>[] = [];
  for (const [index, raw] of (messages.length === 0 ? [frame] : messages).entries()) {
    if (index > 0 && index % AT_ONCE === 0) await storeHasRoom(deps.store, sender.address);
    const header = index === 0 ? first : readMessageHeader(raw);
    const storing = deps.store.receive(describeMessage(raw, receivedAt, sender.remote, header), sender.address);
    // The answer awaits all of them; until then, a failure of an early one must not count as unhandled.
    storing.catch(() => {});
    stored.push(storing);
  }
  return { answer: acknowledge(first, stored, deps), isMessage: (first?.messageCode ?? '') !== '' };
}

function messagesOf(frame: Buffer): Buffer[] | TooManyMessagesError {
  try {
    return splitMessages(frame);
  } catch (error) {
    if (error instanceof TooManyMessagesError) return error;
    throw error;
  }
}

async function storeHasRoom(store: MessageStore, address: string): Promise<void> {
  await new Promise(setImmediate);
  while (store.isFull(address)) await sleep(STORE_CHECK);
}

const stamp = ({ clock }: ReceiveDeps) => ({ controlId: randomUUID().slice(0, 20), now: clock() });

async function acknowledge(
  header: MessageHeader | null,
  stored: Promise<StoredMessage>[],
  deps: ReceiveDeps,
): Promise<Buffer[]> {
  for (const message of await Promise.all(stored)) deps.onStored?.(message);
  const ack = (code: 'AA' | 'AE' | 'CA', text?: string) => buildAck(header, { code, text, ...stamp(deps) });
  if (!header) return [ack('AE', 'The frame has no readable MSH segment')];
  return acknowledgementCodes(header).map((code) => ack(code));
}

const REFUSED =
  'Not stored: this address has sent more today than is kept from a sender without a feed. Ask Tidings support to set up a feed, then resend';

/** Returns the acknowledgements of a frame that is not stored, as far as MSH-15 and MSH-16 request any for an error. */
function refuse(header: MessageHeader | null, deps: ReceiveDeps): Buffer[] {
  const mode = header === null ? { mode: 'original' as const } : acknowledgementMode(header);
  const wanted = (condition: string) => condition === 'AL' || condition === 'ER';
  const codes =
    mode.mode === 'original'
      ? ['AR' as const]
      : [...(wanted(mode.accept) ? ['CR' as const] : []), ...(wanted(mode.application) ? ['AR' as const] : [])];
  return codes.map((code) => buildAck(header, { code, text: REFUSED, ...stamp(deps) }));
}

/** Returns what MSH-15 and MSH-16 request for a success; storing the message counts as one (HL7 v2 chapter 2.9). */
function acknowledgementCodes(header: MessageHeader): ('AA' | 'CA')[] {
  const mode = acknowledgementMode(header);
  if (mode.mode === 'original') return ['AA'];
  const wanted = (condition: string) => condition === 'AL' || condition === 'SU';
  return [...(wanted(mode.accept) ? ['CA' as const] : []), ...(wanted(mode.application) ? ['AA' as const] : [])];
}
