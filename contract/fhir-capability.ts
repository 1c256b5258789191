/** What `GET /fhir/metadata` answers: which part of FHIR this server has (FHIR R4, CapabilityStatement). */
import { z } from 'zod';
import { instant } from './primitives.ts';

export const fhirCapability = z.object({
  resourceType: z.literal('CapabilityStatement'),
  url: z.string(),
  name: z.string(),
  status: z.literal('active'),
  date: instant,
  kind: z.literal('instance'),
  software: z.object({ name: z.string() }),
  implementation: z.object({ description: z.string(), url: z.string() }),
  fhirVersion: z.literal('4.0.1'),
  format: z.array(z.string()),
  rest: z.tuple([
    z.object({
      mode: z.literal('server'),
      documentation: z.string(),
      security: z.object({ description: z.string() }),
      operation: z.array(z.object({ name: z.string(), definition: z.string() })),
    }),
  ]),
  messaging: z.tuple([
    z.object({
      endpoint: z.array(
        z.object({ protocol: z.object({ system: z.string(), code: z.string() }), address: z.string() }),
      ),
      documentation: z.string(),
    }),
  ]),
});
export type FhirCapability = z.output<typeof fhirCapability>;
