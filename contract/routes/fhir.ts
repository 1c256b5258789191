import { fhirAcceptance } from '../fhir.ts';
import { fhirCapability } from '../fhir-capability.ts';
import type { RouteTable } from './route.ts';

export const fhirRoutes = {
  'GET /fhir/metadata': {
    permission: 'public',
    summary: 'Say what of FHIR R4 is here (CapabilityStatement)',
    kind: 'fhir',
    answer: fhirCapability,
  },
  'POST /fhir/$process-message': {
    permission: 'public',
    summary:
      'Send a FHIR R4 message about a visit (the body, JSON, up to 16 MB) with the token of a FHIR feed (Authorization: Bearer). Answers once it is stored; it is read afterwards',
    kind: 'fhir',
    answer: fhirAcceptance,
    status: 202,
  },
} as const satisfies RouteTable;
