/** What `POST /fhir/$process-message` answers (FHIR R4, Messaging). */
import { z } from 'zod';
import { instant } from './primitives.ts';

/** The media type of FHIR in JSON. */
export const FHIR_TYPE = 'application/fhir+json';

const fhirEvent = z.object({
  eventCoding: z.object({ system: z.string().optional(), code: z.string() }).optional(),
  eventUri: z.string().optional(),
});
/** MessageHeader.event[x]: which event a message reports. */
export type FhirEvent = z.infer<typeof fhirEvent>;

/** A message that says that another one was accepted: stored, and read afterwards. */
export const fhirAcceptance = z.object({
  resourceType: z.literal('Bundle'),
  type: z.literal('message'),
  timestamp: instant,
  entry: z.tuple([
    z.object({
      fullUrl: z.string(),
      resource: z.object({
        resourceType: z.literal('MessageHeader'),
        id: z.string(),
        ...fhirEvent.shape,
        source: z.object({ name: z.string(), endpoint: z.string() }),
        /** `identifier`: MessageHeader.id of the message that is answered; our own id of it, if it had none. */
        response: z.object({ identifier: z.string(), code: z.literal('ok') }),
      }),
    }),
  ]),
});
