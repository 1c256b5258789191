/** Says what of FHIR is here, which clients and interface engines ask before they send anything (FHIR R4, 3.1.0.10 capabilities). */
import { FHIR_TYPE } from '#contract/fhir.ts';
import type { FhirCapability } from '#contract/fhir-capability.ts';

/** Returns the CapabilityStatement of this installation. Nothing in it depends on who asks. `since`: when this process began to answer so. */
export function capabilityOf(publicUrl: string, since: Date): FhirCapability {
  const base = `${publicUrl}/fhir`;
  return {
    resourceType: 'CapabilityStatement',
    url: `${base}/metadata`,
    name: 'Tidings',
    status: 'active',
    date: since.toISOString(),
    kind: 'instance',
    software: { name: 'Tidings' },
    implementation: { description: 'Receives notifications about visits', url: base },
    fhirVersion: '4.0.1',
    format: [FHIR_TYPE, 'json'],
    rest: [
      {
        mode: 'server',
        documentation: 'Messages only: no resource can be read, searched or written.',
        security: { description: 'The token of a FHIR feed, as Authorization: Bearer. This statement needs none.' },
        operation: [
          {
            name: 'process-message',
            definition: 'http://hl7.org/fhir/OperationDefinition/MessageHeader-process-message',
          },
        ],
      },
    ],
    messaging: [
      {
        endpoint: [
          {
            protocol: { system: 'http://terminology.hl7.org/CodeSystem/message-transport', code: 'http' },
            address: `${base}/$process-message`,
          },
        ],
        documentation:
          'Notifications about an Encounter, as Da Vinci Unsolicited Notifications has them, with an event of HL7 table 0003, or without either. A message is stored, then accepted (202), and read afterwards.',
      },
    ],
  };
}
