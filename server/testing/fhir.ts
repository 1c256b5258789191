/** FHIR messages for tests, as facilities send them. All people are made up. */
import { randomUUID } from 'node:crypto';
import type { TestPerson } from './hospital.ts';

export interface FhirParts {
  /** MessageHeader.eventCoding.code, such as 'notification-admit'; '' for none. */
  event: string;
  /** Of the message, ISO 8601. */
  at: string;
  person: TestPerson;
  record?: string;
  visit?: string;
  /** Encounter.status */
  status?: string;
  /** Encounter.class */
  classCode?: string;
  start?: string;
  end?: string;
  unit?: string;
  /** Organization.identifier of the facility. */
  facility: string;
  /** Coding of the discharge-disposition. */
  disposition?: string;
  /** More of the Encounter. */
  encounter?: object;
  /** More of the Patient. */
  patient?: object;
  /** More entries. */
  entries?: { fullUrl: string; resource: object }[];
}

const V3 = 'http://terminology.hl7.org/CodeSystem/v3-ActCode';

/** Returns a message bundle as Da Vinci's guide has it. */
export function fhirMessage(parts: FhirParts) {
  const {
    event,
    at,
    person,
    record = 'MR-1',
    visit = 'V-1',
    status = 'in-progress',
    classCode = 'IMP',
    unit = '3 West',
  } = parts;
  const id = randomUUID();
  const [encounter, patient, organization, place] = Array.from({ length: 4 }, () => `urn:uuid:${randomUUID()}`) as [
    string,
    string,
    string,
    string,
  ];
  const header = {
    resourceType: 'MessageHeader',
    id,
    ...(event && {
      eventCoding: { system: 'http://hl7.org/fhir/us/davinci-alerts/CodeSystem/notification-event', code: event },
    }),
    source: { name: 'Test EHR', endpoint: 'https://ehr.example/fhir' },
    focus: [{ reference: encounter }],
  };
  const visitOf = {
    resourceType: 'Encounter',
    id: encounter.slice(9),
    status,
    class: { system: V3, code: classCode },
    identifier: [{ system: 'urn:example:visits', value: visit }],
    subject: { reference: patient },
    serviceProvider: { reference: organization },
    period: { start: parts.start ?? '2026-11-20T09:00:00-05:00', ...(parts.end && { end: parts.end }) },
    location: [{ location: { reference: place }, status: 'active' }],
    ...(parts.disposition && {
      hospitalization: {
        dischargeDisposition: {
          coding: [{ system: 'http://terminology.hl7.org/CodeSystem/discharge-disposition', code: parts.disposition }],
        },
      },
    }),
    ...parts.encounter,
  };
  const patientOf = {
    resourceType: 'Patient',
    id: patient.slice(9),
    identifier: [
      {
        system: `urn:example:${parts.facility}`,
        value: record,
        type: { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/v2-0203', code: 'MR' }] },
      },
    ],
    name: [{ use: 'official', family: person.family, given: [person.given] }],
    birthDate: person.birthDate,
    gender: person.sex === 'F' ? 'female' : 'male',
    address: [{ use: 'home', line: ['12 Alder Lane'], city: 'Fairhaven', state: 'NY', postalCode: person.zip }],
    ...parts.patient,
  };
  return {
    resourceType: 'Bundle',
    id,
    type: 'message',
    timestamp: at,
    entry: [
      { fullUrl: `urn:uuid:${id}`, resource: header },
      { fullUrl: encounter, resource: visitOf },
      { fullUrl: patient, resource: patientOf },
      {
        fullUrl: organization,
        resource: { resourceType: 'Organization', identifier: [{ value: parts.facility }], name: 'Fairhaven General' },
      },
      { fullUrl: place, resource: { resourceType: 'Location', name: unit } },
      ...(parts.entries ?? []),
    ],
  };
}
