/** Stores a posted FHIR message, then accepts it; the queue reads it. */
import { randomUUID } from 'node:crypto';
import type { FhirEvent } from '#contract/fhir.ts';
import type { RouteAnswer } from '#contract/routes.ts';
import type { Sender } from '#server/intake/document-calls/receive.ts';
import type { FhirDescription } from '#server/intake/fhir/describe.ts';
import type { MessageStore } from '#server/intake/messages/message-store.ts';
import { ApiError } from '#server/platform/http/api-error.ts';
import { type RunTask, TaskEndedError } from '#server/platform/threads/task-threads.ts';

interface ReceiveDeps {
  store: MessageStore;
  runTask: RunTask;
  publicUrl: string;
}

type Acceptance = RouteAnswer<'POST /fhir/$process-message'>;

/** Resolves once the message is committed. Errors: BAD_REQUEST for what is no message, TOO_MANY_REQUESTS. Nothing of it is stored then. */
export async function receiveFhir(
  { store, runTask, publicUrl }: ReceiveDeps,
  { raw, sender, remote, now }: { raw: Buffer; sender: Sender; remote: string; now: Date },
): Promise<Acceptance> {
  if (store.isFull(sender.sender)) throw new ApiError('TOO_MANY_REQUESTS');
  const description = await describe(runTask, sender.feedId, raw);
  if ('refusal' in description) {
    const { message, expression } = description.refusal;
    throw new ApiError('BAD_REQUEST', { message, ...(expression && { fields: { [expression]: message } }) });
  }
  const { messageId, event, patientKey } = description;
  const stored = await store.receive(
    {
      source: 'FHIR',
      raw,
      receivedAt: now,
      remote,
      sendingApplication: sender.sender,
      sendingFacility: '',
      controlId: messageId ?? '',
      messageType: event.eventCoding?.code ?? event.eventUri ?? 'FHIR',
      patientKey,
    },
    sender.sender,
  );
  return acceptanceOf({ id: messageId ?? stored.id, event, publicUrl, now });
}

const TOO_SLOW = 'The message took too long to check, so it was not stored.';

async function describe(runTask: RunTask, feedId: string, bytes: Buffer): Promise<FhirDescription> {
  try {
    return (await runTask(feedId, { kind: 'fhir', bytes })) as FhirDescription;
  } catch (error) {
    if (error instanceof TaskEndedError) throw new ApiError('BAD_REQUEST', { message: TOO_SLOW });
    throw error;
  }
}

interface Accepted {
  /** The request's. */
  id: string;
  event: FhirEvent;
  publicUrl: string;
  now: Date;
}

/** Returns the message that answers another one (R4, MessageHeader.response). */
function acceptanceOf({ id: identifier, event, publicUrl, now }: Accepted): Acceptance {
  const id = randomUUID();
  const source = { name: 'Tidings', endpoint: `${publicUrl}/fhir/$process-message` };
  const header = {
    resourceType: 'MessageHeader' as const,
    id,
    ...event,
    source,
    response: { identifier, code: 'ok' as const },
  };
  return {
    resourceType: 'Bundle',
    type: 'message',
    timestamp: now.toISOString(),
    entry: [{ fullUrl: `urn:uuid:${id}`, resource: header }],
  };
}
